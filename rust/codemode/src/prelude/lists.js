// Operations on lists in which the engine does not ask whether to stop. A list may be as long as it
// likes without taking memory, and one list may stand in another a million times. `asking` throws once
// a script is to stop.
(function (asking) {
  "use strict";

  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { isArray } = Array;
  const A = Array.prototype;
  const T = getPrototypeOf(Uint8Array.prototype);
  const LONGEST_LIST = 10_000_000;
  /** Longer lists are worth a question. */
  const LONG = 5_000;
  /** Prototypes above a list: each is asked for every hole. */
  const MOST_ABOVE = 20;
  /** Longer texts are not compared by the thousand without asking. */
  const LONGEST_COMPARED = 1_000;
  const MOST_COMPARED = 4e9;

  function put(holder, methods) {
    for (const name of ownKeys(methods)) {
      defineProperty(holder, name, { value: methods[name], writable: true, enumerable: false, configurable: true });
    }
  }

  /** The same method, of what `of` makes of its object. */
  function through(of, original, name) {
    return { [name](...given) {
      return apply(original, of(this), given);
    } }[name];
  }

  function tooLong(length) {
    return new RangeError("a list of " + length + " entries is too long for this");
  }

  const lengthOfTyped = getOwnPropertyDescriptor(T, "length").get;

  /** The length of a list that is no usual array. */
  function lengthOf(list) {
    let found;
    let above = 0;
    for (let at = list; at !== null; at = getPrototypeOf(at)) {
      if (above++ > MOST_ABOVE) throw new RangeError("a list with more than " + MOST_ABOVE + " prototypes");
      found ??= getOwnPropertyDescriptor(at, "length");
    }
    if (found === undefined) return 0;
    if (found.get === lengthOfTyped) return apply(lengthOfTyped, list, []);
    const { value } = found;
    // It would be asked again, and could be another then.
    if (found.get !== undefined || found.set !== undefined || typeof value === "object" && value !== null || typeof value === "function") {
      throw new TypeError("the length of a list is a number here");
    }
    return Number(value) || 0;
  }

  /** A list that the engine is through with in good time. */
  function listOf(value) {
    if (value === undefined || value === null) throw new TypeError("cannot convert " + value + " to a list");
    const list = Object(value);
    const length = isArray(list) && getPrototypeOf(list) === A ? list.length : lengthOf(list);
    if (length > LONGEST_LIST) throw tooLong(length);
    if (length > LONG) asking();
    return list;
  }

  for (const name of ["copyWithin", "fill", "join", "reverse", "shift", "slice", "splice", "toLocaleString", "toReversed", "toSpliced", "unshift", "with"]) {
    put(A, { [name]: through(listOf, A[name], name) });
  }

  /** A list that `wanted` may be looked for in. The engine asks while it looks through holes. */
  function searched(value, wanted) {
    if (!isArray(value)) return value;
    const { length } = value;
    if (length > LONG) asking();
    const size = typeof wanted === "string" ? wanted.length : typeof wanted === "bigint" ? LONGEST_COMPARED + 1 : 0;
    if (size > LONGEST_COMPARED && length * size > MOST_COMPARED) {
      throw new RangeError("this is too long to be looked for in a list of " + length + " entries");
    }
    return value;
  }

  for (const name of ["includes", "indexOf", "lastIndexOf"]) {
    const original = A[name];
    put(A, { [name]: { [name](...given) {
      return apply(original, searched(this, given[0]), given);
    } }[name] });
  }

  function flatten(target, list, depth) {
    const { length } = list;
    for (let at = 0; at < length; at++) {
      if (!(at in list)) continue;
      const entry = list[at];
      if (depth > 0 && isArray(entry)) flatten(target, entry, depth - 1);
      else target[target.length] = entry;
    }
    return target;
  }

  /** What `concat` makes of an argument: a list to be spread, or a list of the argument alone. */
  function spread(item) {
    if (typeof item !== "object" && typeof item !== "function" || item === null) return [item];
    const wanted = item[Symbol.isConcatSpreadable];
    if (!(wanted === undefined ? isArray(item) : wanted)) return [item];
    const list = listOf(item);
    if (wanted === undefined) return list;
    const copy = [];
    copy.length = list.length;
    for (let at = 0; at < copy.length; at++) if (at in list) copy[at] = list[at];
    return copy;
  }

  const { concat, sort, map } = A;

  function byText(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Sorts a list that nobody else has. */
  function sorted(values, compare) {
    if (compare !== undefined) return apply(sort, values, [compare]);
    for (const value of values) {
      if (typeof value === "number" || value === undefined || typeof value === "string" && value.length <= LONGEST_COMPARED) continue;
      // Its text may be long.
      const texts = [];
      let none = 0;
      for (const value of values) {
        if (value === undefined) none++;
        else texts[texts.length] = { value, text: String(value) };
      }
      apply(sort, texts, [(a, b) => byText(a.text, b.text)]);
      for (let at = 0; at < texts.length; at++) values[at] = texts[at].value;
      for (let at = 0; at < none; at++) values[texts.length + at] = undefined;
      return values;
    }
    return apply(sort, values, []);
  }

  function comparing(compare) {
    if (compare !== undefined && typeof compare !== "function") throw new TypeError("what compares is a function");
    return compare;
  }

  put(A, {
    concat(...items) {
      const all = [];
      for (let at = 0; at < items.length; at++) all[at] = spread(items[at]);
      return apply(concat, spread(Object(this)), all);
    },
    flat(depth) {
      const deep = depth === undefined ? 1 : Math.trunc(Number(depth)) || 0;
      return flatten([], listOf(this), deep);
    },
    flatMap(change, self) {
      return flatten([], apply(map, this, [change, self]), 1);
    },
    sort(compare) {
      comparing(compare);
      const list = listOf(this);
      const { length } = list;
      const values = [];
      for (let at = 0; at < length; at++) if (at in list) values[values.length] = list[at];
      const { length: present } = sorted(values, compare);
      for (let at = 0; at < present; at++) list[at] = values[at];
      for (let at = present; at < length; at++) delete list[at];
      return list;
    },
    toSorted(compare) {
      comparing(compare);
      const list = listOf(this);
      const { length } = list;
      const values = [];
      for (let at = 0; at < length; at++) values[at] = list[at];
      return sorted(values, compare);
    },
  });

  function asked(list) {
    asking();
    return list;
  }

  // Of lists of numbers the time is bounded by memory, but may be spent again and again.
  for (const name of ["copyWithin", "fill", "includes", "indexOf", "lastIndexOf", "reverse", "set", "sort"]) {
    put(T, { [name]: through(asked, T[name], name) });
  }
  put(Math, { sumPrecise: through(asked, Math.sumPrecise, "sumPrecise") });

  // ---- Sets, iterators ---------------------------------------------------------------------------

  const TheSet = Set;

  /** A set of what anything like a set has. */
  function setOf(other) {
    if (typeof other !== "object" && typeof other !== "function" || other === null) throw new TypeError("this takes a set");
    const size = Number(other.size);
    if (size !== size) throw new TypeError("the size of a set is a number");
    if (typeof other.has !== "function") throw new TypeError("a set has has()");
    const keys = other.keys();
    const set = new TheSet();
    for (const key of { [Symbol.iterator]: () => keys }) set.add(key);
    return set;
  }

  for (const name of ["difference", "intersection", "isDisjointFrom", "isSubsetOf", "isSupersetOf", "symmetricDifference", "union"]) {
    const original = TheSet.prototype[name];
    put(TheSet.prototype, { [name]: { [name](other) {
      return apply(original, this, [setOf(other)]);
    } }[name] });
  }

  const I = Iterator.prototype;
  // None of these is part of the language yet.
  for (const name of ["chunks", "includes", "join", "windows"]) delete I[name];
  delete Iterator.concat;
  const { drop } = I;
  put(I, {
    drop(count) {
      const skipped = Number(count);
      if (skipped > LONGEST_LIST) throw tooLong(skipped);
      return apply(drop, this, [skipped]);
    },
  });

  // ---- JSON --------------------------------------------------------------------------------------

  const { stringify } = JSON;

  /** Names in a list in place of a function: they would be looked up in every object of a text. */
  function onlyNamed(list) {
    const names = new TheSet();
    for (const name of listOf(list)) {
      if (typeof name === "string" || typeof name === "number" || name instanceof String || name instanceof Number) names.add(String(name));
    }
    return (_, item) => {
      if (typeof item !== "object" || item === null || isArray(item) || item instanceof String || item instanceof Number || item instanceof Boolean) return item;
      const chosen = { __proto__: null };
      for (const name of names) {
        const value = item[name];
        if (value !== undefined) chosen[name] = value;
      }
      return chosen;
    };
  }

  put(JSON, {
    stringify(value, replacer, space) {
      return apply(stringify, JSON, [value, isArray(replacer) ? onlyNamed(replacer) : replacer, space]);
    },
  });
});
