// What a script finds when it starts beside the language itself. `host` is natives.rs and reachable
// from here only.
(function (host) {
  "use strict";

  const { defineProperty } = Reflect;
  const { create, freeze } = Object;
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
    const failure = new ToolError();
    const asked = new Promise((resolve, reject) => {
      open.set(host.refresh(), { resolve, reject, failure });
    });
    const over = () => {
      if (underWay === asked) underWay = null;
    };
    asked.then(over, over);
    return asked;
  }

  /** Waits until the caller's rights were asked, from now on; lookups made together ask once. */
  function refreshed() {
    if (underWay === null) return underWay = ask();
    const again = () => {
      next = null;
      return underWay = ask();
    };
    return next ??= underWay.then(again, again);
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
    if (kind === "unknown") {
      const { failure } = call;
      own(failure, "message", "What you may use could not be found out just now: try again later.");
      own(failure, "kind", "unavailable");
      call.reject(failure);
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

  return { __proto__: null, run, settle, failed };
});
