// Freezes everything that a script can reach, so that what the script does cannot change what runs
// for it later.
(function () {
  "use strict";

  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { freeze, hasOwn } = Object;

  // Frozen, a property of a prototype could not be assigned on what inherits it: `this.name = …` in
  // an error class of the script's would throw. So the usual ones become accessors, whose setter
  // makes a property of the object's own.
  const behind = [];

  function allowOverride(prototype, name) {
    const found = getOwnPropertyDescriptor(prototype, name);
    if (found === undefined || !("value" in found) || !found.configurable) return;
    const { value, enumerable } = found;
    if (typeof value === "function") behind.push(value);
    defineProperty(prototype, name, {
      get() {
        return value;
      },
      set(own) {
        if (this === prototype || this === null || this === undefined) throw new TypeError(String(name) + " is read-only");
        defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
      },
      enumerable,
      configurable: false,
    });
  }

  const errors = [Error, AggregateError, EvalError, InternalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, ToolError, LimitError];
  for (const { prototype } of errors) {
    for (const name of ["constructor", "message", "name", "toString"]) allowOverride(prototype, name);
  }
  for (const name of ownKeys(Object.prototype)) allowOverride(Object.prototype, name);

  const reached = [
    globalThis,
    ...behind,
    // What no global leads to.
    (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor,
    getPrototypeOf([].values()), getPrototypeOf(""[Symbol.iterator]()), getPrototypeOf(new Map().values()),
    getPrototypeOf(new Set().values()), getPrototypeOf("".matchAll(/x/g)), getPrototypeOf([].values().map(x => x)),
    getPrototypeOf(getPrototypeOf(getPrototypeOf((async function* () {})()))),
  ];
  const seen = new Set(reached);
  seen.add(tools);
  const reach = part => {
    if (seen.has(part)) return;
    seen.add(part);
    // A method leads nowhere; most of what there is are methods.
    if (typeof part === "function" && !hasOwn(part, "prototype")) freeze(part);
    else reached.push(part);
  };
  for (let object; (object = reached.pop()) !== undefined;) {
    for (const key of ownKeys(object)) {
      const { value, get, set, configurable } = getOwnPropertyDescriptor(object, key);
      if (typeof value === "function" || typeof value === "object" && value !== null) reach(value);
      if (get !== undefined) reach(get);
      if (set !== undefined) reach(set);
      // A script may have globals of its own, but not in place of these.
      if (object === globalThis && configurable && get === undefined) {
        defineProperty(object, key, { writable: false, configurable: false });
      }
    }
    const parent = getPrototypeOf(object);
    if (parent !== null) reach(parent);
    if (object !== globalThis) freeze(object);
  }
});
