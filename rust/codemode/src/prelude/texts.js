// Operations on texts in which the engine does not ask whether to stop, and whose time grows with a
// product of lengths: without these bounds one of them could keep a thread for hours. It asks every
// ten thousand operations as well, whatever they take; `asking` throws once a script is to stop.
(function (asking) {
  "use strict";

  const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const LONGEST_PATTERN = 20_000;
  const MOST_COMPARED = 4e9;
  const LONGEST_NORMALIZED = 100_000;
  const LONGEST_READ = 10_000_000;

  /** Longer texts are worth a question. */
  const LONG = 20_000;

  function textOfThis(value) {
    if (value === undefined || value === null) throw new TypeError("cannot convert " + value + " to a text");
    const text = String(value);
    if (text.length > LONG) asking();
    return text;
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

  // Of these the time is bounded by the length of the text, but may be spent again and again.
  for (const name of ["endsWith", "isWellFormed", "startsWith", "trim", "trimEnd", "trimStart"]) {
    const original = S[name];
    const method = { [name](...given) {
      return apply(original, textOfThis(this), given);
    } }[name];
    defineProperty(S, name, { value: method, writable: true, enumerable: false, configurable: true });
  }
  defineProperty(S, "trimLeft", getOwnPropertyDescriptor(S, "trimStart"));
  defineProperty(S, "trimRight", getOwnPropertyDescriptor(S, "trimEnd"));

  // Raw texts as many as there are numbers; this is the language's own loop, which can be stopped.
  defineProperty(String, "raw", {
    value: { raw(strings, ...given) {
      const { raw } = strings;
      const length = Math.trunc(Number(raw.length)) || 0;
      let text = "";
      for (let at = 0; at < length; at++) {
        if (at > 0 && at <= given.length) text += String(given[at - 1]);
        text += String(raw[at]);
      }
      return text;
    } }.raw,
    writable: true,
    configurable: true,
  });
  for (const name of ["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "parseFloat", "parseInt", "unescape"]) {
    const original = globalThis[name];
    const bounded = { [name](value, base) {
      const text = String(value);
      if (text.length > LONGEST_READ) throw new RangeError("a text of " + text.length + " characters is too long for " + name);
      return original(text, base);
    } }[name];
    defineProperty(globalThis, name, { value: bounded, writable: true, configurable: true });
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
});
