// What a script finds when it starts. Runs once in every fresh context, before the script; `host` is
// natives.rs and reachable from here only. When this is through, everything a script can reach is
// frozen, so that what the script does cannot change what runs here later.
(function (host) {
  "use strict";

  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { create, freeze, hasOwn } = Object;
  const { parse, stringify } = JSON;
  const TheProxy = Proxy;
  const LONGEST_MESSAGE = 2000;

  // ---- Errors of our own -------------------------------------------------------------------------

  class ToolError extends Error {}
  class LimitError extends RangeError {}
  for (const [type, name] of [[ToolError, "ToolError"], [LimitError, "LimitError"]]) {
    defineProperty(type.prototype, "name", { value: name, writable: true, configurable: true });
  }

  function own(target, name, value) {
    defineProperty(target, name, { value, writable: false, enumerable: true, configurable: false });
  }

  // ---- Values as text ----------------------------------------------------------------------------

  /** JSON of any value, with words for what JSON does not have; undefined for undefined. */
  function json(value) {
    // What is above a value, and what stands there in its place.
    const above = [];
    const holders = [];
    return stringify(value, function (key, item) {
      while (holders.length > 0 && holders[holders.length - 1] !== this) {
        holders.pop();
        above.pop();
      }
      switch (typeof item) {
        case "bigint":
        case "symbol":
          return String(item);
        case "function":
          return "[function]";
        case "object":
          break;
        default:
          return item;
      }
      if (item === null) return item;
      if (above.includes(item)) return "[circular]";
      let shown = item;
      if (item instanceof Promise) return "[promise: not awaited]";
      if (item instanceof Error) shown = { name: item.name, message: item.message };
      else if (item instanceof Map) shown = [...item];
      else if (item instanceof Set) shown = [...item];
      above.push(item);
      holders.push(shown);
      return shown;
    });
  }

  /** A value as the model reads it. */
  function shown(value) {
    if (typeof value === "string") return value.toWellFormed();
    if (value === undefined) return "undefined";
    try {
      return json(value);
    } catch (error) {
      if (isOutOfMemory(error)) throw error;
      return "[a value that cannot be shown: " + messageOf(error) + "]";
    }
  }

  function textOf(value) {
    const text = typeof value === "string" ? value : String(value);
    return text.length > LONGEST_MESSAGE ? text.slice(0, LONGEST_MESSAGE) + "…" : text;
  }

  /** The message of whatever was thrown. Nothing of it is trusted, so nothing of it may throw. */
  function messageOf(error) {
    try {
      if (error instanceof Error) {
        const name = textOf(error.name);
        const message = textOf(error.message);
        return (message === "" ? name : name + ": " + message).toWellFormed();
      }
      return (typeof error === "string" ? textOf(error) : textOf(json(error) ?? "undefined")).toWellFormed();
    } catch {
      return "an error that cannot be shown";
    }
  }

  function stackOf(error) {
    try {
      const stack = error instanceof Error ? error.stack : undefined;
      return typeof stack === "string" ? stack.slice(0, 4 * LONGEST_MESSAGE).toWellFormed() : "";
    } catch {
      return "";
    }
  }

  function isOutOfMemory(error) {
    try {
      return error instanceof InternalError && error.message === "out of memory";
    } catch {
      return false;
    }
  }

  function isOverLimit(error) {
    try {
      return error instanceof LimitError || isOutOfMemory(error)
        || error instanceof RangeError && error.message === "Maximum call stack size exceeded";
    } catch {
      return false;
    }
  }

  // ---- Calls of tools ----------------------------------------------------------------------------

  const open = new Map();

  function toolNamed(name) {
    const found = parse(host.resolve(name));
    if (found.tool !== undefined) return found.tool;
    if (found.ambiguous !== undefined) {
      throw new TypeError(name + " stands for " + found.ambiguous.join(" and ") + "; write tools[\"…\"] with one of them");
    }
    const near = found.near.length > 0 ? " Similar names: " + found.near.join(", ") + "." : "";
    throw new TypeError("You have no tool named \"" + textOf(name) + "\"." + near
      + " Use await searchTools(\"…\") to find what you need.");
  }

  function callTool(name, given) {
    const failure = new ToolError();
    return new Promise((resolve, reject) => {
      if (given.length > 1) throw new TypeError(name + " takes one object with named arguments");
      const value = given[0] === undefined || given[0] === null ? {} : given[0];
      if (typeof value !== "object" || Array.isArray(value)) {
        throw new TypeError(name + " takes an object with named arguments, not " + (Array.isArray(value) ? "an array" : typeof value));
      }
      const text = stringify(value);
      if (text === undefined || text[0] !== "{") {
        throw new TypeError("the arguments of " + name + " are no object in JSON");
      }
      const id = host.call(name, text);
      if (typeof id === "string") throw new LimitError(id);
      open.set(id, { name, resolve, reject, failure });
    });
  }

  let underWay = null;
  let next = null;

  function ask() {
    const asked = new Promise((resolve, reject) => {
      open.set(host.refresh(), { resolve, reject });
    });
    asked.then(() => {
      if (underWay === asked) underWay = null;
    });
    return asked;
  }

  /** Waits until the caller's rights were asked, from now on; lookups made together ask once. */
  function refreshed() {
    if (underWay === null) return underWay = ask();
    return next ??= underWay.then(() => {
      next = null;
      return underWay = ask();
    });
  }

  /** JSON of a tool; undefined where it has given none, or something else than JSON. */
  function parsed(json) {
    if (json === undefined) return undefined;
    try {
      return parse(json);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Called by the host when a call is done. */
  function settle(id, kind, text, structured, content) {
    const call = open.get(id);
    if (call === undefined) return;
    open.delete(id);
    if (kind === "refreshed") {
      call.resolve();
      return;
    }
    try {
      if (kind === "limit") throw new LimitError(text);
      const result = { content: parsed(content) ?? [{ type: "text", text }] };
      const structuredContent = parsed(structured);
      if (structuredContent !== undefined) result.structuredContent = structuredContent;
      if (kind === "completed") {
        call.resolve(result);
        return;
      }
      result.isError = true;
      const { failure } = call;
      own(failure, "message", text);
      own(failure, "tool", call.name);
      own(failure, "kind", kind);
      own(failure, "result", result);
      call.reject(failure);
    } catch (error) {
      call.reject(error);
    }
  }

  const functions = new Map();

  function toolFunction(name) {
    let known = functions.get(name);
    if (known === undefined) {
      const tool = toolNamed(name);
      known = freeze((...given) => callTool(tool, given));
      functions.set(name, known);
    }
    return known;
  }

  // What the language itself asks every object for; no tool is meant by it.
  const NO_TOOLS = new Set(["then", "toJSON", "toString", "valueOf", "constructor", "prototype", "__proto__", "length", "inspect"]);

  function isTool(name) {
    return typeof name === "string" && parse(host.resolve(name)).tool !== undefined;
  }

  const tools = new TheProxy(create(null), freeze({
    __proto__: null,
    get(_, name) {
      if (typeof name !== "string" || NO_TOOLS.has(name) && !isTool(name)) return undefined;
      return toolFunction(name);
    },
    has: (_, name) => isTool(name),
    ownKeys: () => listed().map(tool => tool.name),
    getOwnPropertyDescriptor(_, name) {
      return isTool(name)
        ? { value: toolFunction(name), writable: false, enumerable: true, configurable: true }
        : undefined;
    },
    getPrototypeOf: () => null,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  }));

  // ---- Finding tools -----------------------------------------------------------------------------

  function required(what, value) {
    if (typeof value !== "string" || value.trim() === "") throw new TypeError(what);
    return value.toWellFormed();
  }

  async function searchTools(query, options) {
    const text = required("searchTools(query, {namespace, limit}): query is a text", query);
    const { limit, namespace } = options ?? {};
    if (limit !== undefined && !Number.isInteger(limit)) throw new TypeError("limit is a whole number");
    const within = namespace === undefined ? undefined : required("namespace is a text", namespace);
    await refreshed();
    return parse(host.search(text, limit, within));
  }

  async function describeTool(name) {
    const text = required("describeTool(name): name is a text", name);
    await refreshed();
    return host.describe(toolNamed(text));
  }

  async function describeNamespace(name) {
    const text = required("describeNamespace(name): name is a text", name);
    await refreshed();
    const found = parse(host.namespace(text));
    if (found.unknown !== undefined) {
      const some = found.unknown.length > 0 ? " There are: " + found.unknown.join(", ") + "." : "";
      throw new TypeError("You have no namespace named \"" + textOf(text) + "\"." + some);
    }
    return found;
  }

  let all;

  function listed() {
    if (all === undefined) {
      const { tools, total } = parse(host.tools());
      tools.forEach(freeze);
      defineProperty(tools, "total", { value: total });
      all = freeze(tools);
    }
    return all;
  }

  // ---- Output, state -----------------------------------------------------------------------------

  function text(value) {
    host.write(shown(value));
  }

  const console = create(null);
  for (const name of ["log", "info", "debug", "warn", "error", "dir", "table", "trace"]) {
    own(console, name, freeze((...values) => host.write(values.map(shown).join(" "))));
  }

  function exit() {
    host.exit();
    throw new ToolError("exit");
  }

  function load(key) {
    const found = host.load(required("load(key): key is a text", key));
    return found === undefined ? undefined : parse(found);
  }

  function store(key, value) {
    const name = required("store(key, value): key is a text", key);
    if (value instanceof Promise) throw new TypeError("store(key, value): the value is a promise, await it first");
    const refused = host.store(name, value === undefined || value === null ? undefined : stringify(value));
    if (refused !== undefined) throw new LimitError(refused);
  }

  // ---- The script --------------------------------------------------------------------------------

  /** Runs the script; the answer is JSON and comes whatever the script does. */
  async function run(main) {
    let value;
    try {
      value = await main();
    } catch (error) {
      return failed(error);
    }
    if (value === undefined) return "{}";
    let text;
    try {
      text = typeof value === "string" ? stringify(value.toWellFormed()) : json(value);
    } catch (error) {
      return failed(error);
    }
    if (typeof value === "string") host.write(value.toWellFormed());
    else if (text !== undefined) host.write(text);
    return "{\"value\":" + (text ?? "null") + "}";
  }

  function failed(error) {
    return stringify({ failure: messageOf(error), stack: stackOf(error), limit: isOverLimit(error) });
  }

  // ---- What would take too long ------------------------------------------------------------------

  // Operations of the engine in which it does not ask whether to stop, and whose time grows with a
  // product of lengths: without these bounds one of them could keep a thread for hours.
  const LISTED = ["join", "toLocaleString"];
  const LONGEST_PATTERN = 20_000;
  const MOST_COMPARED = 4e9;
  const LONGEST_NORMALIZED = 100_000;

  function textOfThis(value) {
    if (value === undefined || value === null) throw new TypeError("cannot convert " + value + " to a text");
    return String(value);
  }

  function bounded(text, part) {
    if (part.length > 64 && text.length * part.length > MOST_COMPARED) {
      throw new RangeError("texts of " + text.length + " and " + part.length + " characters are too long to be searched");
    }
    return part;
  }

  /** The method by which a pattern does the work itself, read once. */
  function methodOf(pattern, symbol) {
    const object = typeof pattern === "object" && pattern !== null || typeof pattern === "function";
    const method = object ? pattern[symbol] : undefined;
    return method === undefined || method === null ? undefined : method;
  }

  function isRegExp(value) {
    try {
      apply(regExpSource, value, []);
      return true;
    } catch {
      return false;
    }
  }

  const TheRegExp = RegExp;
  const regExpSource = getOwnPropertyDescriptor(TheRegExp.prototype, "source").get;
  const BoundedRegExp = function RegExp(pattern, flags) {
    const real = isRegExp(pattern);
    if (real && flags === undefined && new.target === undefined) return pattern;
    const source = real || pattern === undefined ? pattern : String(pattern);
    if (!real && source !== undefined && source.length > LONGEST_PATTERN) {
      throw new RangeError("a regular expression has at most " + LONGEST_PATTERN + " characters");
    }
    const target = new.target === undefined || new.target === BoundedRegExp ? TheRegExp : new.target;
    return construct(TheRegExp, flags === undefined ? [source] : [source, flags], target);
  };
  for (const key of ownKeys(TheRegExp)) {
    if (key !== "name" && key !== "length" && key !== "prototype") {
      defineProperty(BoundedRegExp, key, getOwnPropertyDescriptor(TheRegExp, key));
    }
  }
  defineProperty(BoundedRegExp, "prototype", { value: TheRegExp.prototype, writable: false });
  defineProperty(TheRegExp.prototype, "constructor", { value: BoundedRegExp, writable: true, configurable: true });
  delete TheRegExp.prototype.compile;
  globalThis.RegExp = BoundedRegExp;

  function patternOf(pattern, flags) {
    return new BoundedRegExp(pattern === undefined ? undefined : String(pattern), flags);
  }

  const S = String.prototype;
  const { indexOf, lastIndexOf, includes, split, replace, replaceAll, normalize, localeCompare } = S;
  const R = TheRegExp.prototype;
  const guarded = {
    indexOf(part, from) {
      const text = textOfThis(this);
      return apply(indexOf, text, [bounded(text, String(part)), from]);
    },
    lastIndexOf(part, from) {
      const text = textOfThis(this);
      return apply(lastIndexOf, text, [bounded(text, String(part)), from]);
    },
    includes(part, from) {
      const text = textOfThis(this);
      if (methodOf(part, Symbol.match) !== undefined) throw new TypeError("includes takes a text, not a regular expression");
      return apply(includes, text, [bounded(text, String(part)), from]);
    },
    split(by, limit) {
      const method = methodOf(by, Symbol.split);
      if (method !== undefined) return apply(method, by, [this, limit]);
      const text = textOfThis(this);
      return apply(split, text, [by === undefined ? by : bounded(text, String(by)), limit]);
    },
    replace(what, by) {
      const method = methodOf(what, Symbol.replace);
      if (method !== undefined) return apply(method, what, [this, by]);
      const text = textOfThis(this);
      return apply(replace, text, [bounded(text, String(what)), by]);
    },
    replaceAll(what, by) {
      if (isRegExp(what) && !what.flags.includes("g")) throw new TypeError("replaceAll takes a global regular expression");
      const method = methodOf(what, Symbol.replace);
      if (method !== undefined) return apply(method, what, [this, by]);
      const text = textOfThis(this);
      return apply(replaceAll, text, [bounded(text, String(what)), by]);
    },
    match(pattern) {
      const method = methodOf(pattern, Symbol.match);
      return method !== undefined ? apply(method, pattern, [this]) : patternOf(pattern)[Symbol.match](textOfThis(this));
    },
    matchAll(pattern) {
      if (isRegExp(pattern) && !pattern.flags.includes("g")) throw new TypeError("matchAll takes a global regular expression");
      const method = methodOf(pattern, Symbol.matchAll);
      return method !== undefined ? apply(method, pattern, [this]) : patternOf(pattern, "g")[Symbol.matchAll](textOfThis(this));
    },
    search(pattern) {
      const method = methodOf(pattern, Symbol.search);
      return method !== undefined ? apply(method, pattern, [this]) : patternOf(pattern)[Symbol.search](textOfThis(this));
    },
    normalize(form) {
      const text = textOfThis(this);
      if (text.length > LONGEST_NORMALIZED) throw new RangeError("a text of " + text.length + " characters is too long to be normalized");
      return apply(normalize, text, form === undefined ? [] : [form]);
    },
    localeCompare(other) {
      const text = textOfThis(this);
      const with_ = String(other);
      if (text.length + with_.length > LONGEST_NORMALIZED) throw new RangeError("these texts are too long to be compared");
      return apply(localeCompare, text, [with_]);
    },
  };
  for (const name of ownKeys(guarded)) {
    defineProperty(S, name, { value: guarded[name], writable: true, enumerable: false, configurable: true });
  }

  // Joining asks nothing either, and a list may be as long as it likes without taking memory.
  const LONGEST_LIST = 10_000_000;
  const A = Array.prototype;

  /** A list of what `value` has, whose length is what it seems to be. */
  function listOf(value) {
    if (Array.isArray(value)) {
      if (value.length > LONGEST_LIST) throw new RangeError("a list of " + value.length + " entries is too long for this");
      return value;
    }
    const length = Math.trunc(Number(Object(value).length)) || 0;
    if (length > LONGEST_LIST) throw new RangeError("a list of " + length + " entries is too long for this");
    const copy = [];
    for (let at = 0; at < length; at++) copy.push(value[at]);
    return copy;
  }

  for (const name of LISTED) {
    const original = A[name];
    const method = { [name](...given) {
      return apply(original, listOf(this), given);
    } }[name];
    defineProperty(A, name, { value: method, writable: true, enumerable: false, configurable: true });
  }

  // Nor is code made of text: the engine reads the script and nothing else.
  delete globalThis.eval;
  for (const { prototype } of [Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor]) {
    const name = prototype.constructor.name;
    const none = { [name]: function () {
      throw new TypeError("code cannot be made of text here");
    } }[name];
    defineProperty(none, "prototype", { value: prototype, writable: false });
    defineProperty(prototype, "constructor", { value: none, writable: false, configurable: false });
    if (name === "Function") globalThis.Function = none;
  }

  // ---- The globals -------------------------------------------------------------------------------

  // Shared memory and waiting on it, what tells of garbage collection, a clock finer than a script
  // needs, and proxies, which stand for nothing that a script has to do and for much that an engine
  // can get wrong.
  for (const name of ["Atomics", "DOMException", "FinalizationRegistry", "Proxy", "SharedArrayBuffer", "WeakRef", "performance"]) {
    delete globalThis[name];
  }

  // Set by a script they would be called, or count, in what runs here.
  delete Error.prepareStackTrace;
  delete Error.stackTraceLimit;

  for (const [name, value] of [["tools", tools], ["searchTools", searchTools], ["describeTool", describeTool],
    ["describeNamespace", describeNamespace], ["text", text], ["console", console], ["exit", exit],
    ["load", load], ["store", store], ["ToolError", ToolError], ["LimitError", LimitError]]) {
    own(globalThis, name, value);
  }
  defineProperty(globalThis, "ALL_TOOLS", { get: listed, set: undefined, enumerable: true, configurable: false });

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

  return { __proto__: null, run, settle, failed };
});
