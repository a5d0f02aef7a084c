#!/usr/bin/env python3
"""Makes the measured part of docs/performance.md, and its plots, from the results of `make bench`.

performance_report.py FOLDER    take the results in FOLDER, keep them in docs/performance/results.json
performance_report.py           make the report again from the results that were kept
"""

import json
import sys
from pathlib import Path

import performance_plots as plots

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs/performance.md"
KEPT = ROOT / "docs/performance/results.json"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

ENGINES = {
    "toolcrib": "Toolcrib",
    "tunedLucene": "tuned Lucene",
    "springAiIndex": "Spring AI's index",
    "langChain4jSimple": "LangChain4j simple",
    "scan": "plain scan",
}
LANGUAGES = {"en": "English", "zh": "Chinese"}


class Results:
    def __init__(self, kept):
        self.machine = kept["machine"]
        self.rows = kept["rows"]
        self.core = kept.get("core")

    def row(self, workload, name, **params):
        for row in self.rows:
            if row["workload"] == workload and row["name"] == name:
                if all(row["params"].get(key) == str(value) for key, value in params.items()):
                    return row
        return None

    def nanos(self, workload, name, **params):
        row = self.row(workload, name, **params)
        return row["nanos"] if row else None

    def bytes(self, workload, name, **params):
        row = self.row(workload, name, **params)
        return row["bytes"] if row else None

    def ratio(self, workload, ours, peer, **params):
        our, their = self.nanos(workload, ours, **params), self.nanos(workload, peer, **params)
        return their / our if our and their else None

    def values(self, workload, key):
        found = {row["params"][key] for row in self.rows if row["workload"] == workload and key in row["params"]}
        return sorted(found, key=lambda value: (len(value), value))


def main():
    if len(sys.argv) > 1:
        keep(Path(sys.argv[1]))
    results = Results(json.loads(KEPT.read_text()))
    report = "\n\n".join(part for part in [
        head(results), goals(results), search(results), quality(results), sessions(results),
        changes(results), rendering(results), validation(results), turn(results), boundary(results),
    ] if part)
    before, rest = REPORT.read_text().split(BEGIN)
    after = rest.split(END)[1]
    REPORT.write_text(f"{before}{BEGIN}\n\n{report}\n\n{END}{after}")


def keep(folder):
    kept = {"machine": json.loads((folder / "machine.json").read_text()), "rows": []}
    for file in sorted(folder.glob("*.json")):
        content = json.loads(file.read_text())
        if isinstance(content, list):
            kept["rows"] += content
        elif file.name == "session_search.json":
            kept["core"] = content
    kept = json.loads(json.dumps(kept), parse_float=lambda number: float(f"{float(number):.4g}"))
    KEPT.parent.mkdir(exist_ok=True)
    # One row a line: what changed between two runs can be read.
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in kept.pop("rows"))
    rest = json.dumps(kept, ensure_ascii=False, indent=1)[:-2]
    KEPT.write_text(f'{rest},\n "rows": [\n{rows}\n]}}\n')


def head(results):
    machine = results.machine
    options = " ".join(machine["jvmOptions"])
    return f"""Measured {machine["date"][:10]} with the `{machine["profile"]["name"]}` profile: {machine["processors"]} cores of
{machine["processor"]}, {machine["memory"]} memory, {machine["system"]}, {machine["java"]}, `{options}`.
Load of the machine when it began: {machine["load"]}. The cores are shared with other work: read the ratios, which come
from one JVM and alternating rounds; the absolute times are for orientation."""


def goals(results):
    rows, bars = [], []

    def goal(what, ratio, least, more_is_better=True, unit="×"):
        if ratio is None:
            return
        met = ratio >= least if more_is_better else ratio <= least
        sign = "≥" if more_is_better else "≤"
        rows.append(f'| {what} | {sign} {least:,} {unit} | {number(ratio)} {unit} | {"yes" if met else "**no**"} |')
        if more_is_better and unit == "×":
            bars.append((what, ratio, least))

    for size in results.values("search", "tools"):
        if int(size) >= 1000:
            for peer, least in (("tunedLucene", 5), ("springAiIndex", 10)):
                ratios = [
                    results.ratio("search", "toolcrib", peer, tools=size, language=language, rights="all")
                    for language in LANGUAGES
                ]
                ratios = [ratio for ratio in ratios if ratio]
                if ratios:
                    goal(f"search, {int(size):,} tools, {ENGINES[peer]}", min(ratios), least)
    middle = str(results.machine["profile"]["middle"])
    goal("session with known rights opens, index per session",
         results.ratio("session", "toolcribKnown", "springAiIndexReady", tools=middle), 1000)
    goal("session with new rights opens and searches, index per session",
         results.ratio("session", "toolcribNewReady", "springAiIndexReady", tools=middle), 20)
    ours = results.row("session", "toolcribMemory")
    theirs = results.row("session", "springAiIndexMemory")
    if ours and theirs:
        goal("memory of a session, index per session", memory(theirs) / memory(ours), 100)
    for active in results.values("render", "active"):
        goal(f"rendering {active} unchanged tools, Jackson",
             results.ratio("render", "toolcribUnchanged", "jacksonUnchanged", active=active), 50)
    goal("validation of valid arguments, networknt", results.ratio("validation", "toolcribValid", "networkntValid"), 5)
    goal("validation of invalid arguments, networknt",
         results.ratio("validation", "toolcribInvalid", "networkntInvalid"), 5)
    for size in results.values("turn", "tools"):
        goal(f"whole turn, {int(size):,} tools, HTTP on loopback",
             results.ratio("turn", "toolcrib", "http", tools=size), 20)
    share = crossing_share(results)
    if share is not None:
        goal(f"crossing's part of a search, {int(middle):,} tools", 100 * share, 10, False, "%")
    goal("bytes of Java heap per search",
         results.bytes("search", "toolcrib", tools=middle, language="en", rights="all"), 1024, False, "B")
    (KEPT.parent / "goals.svg").write_text(plots.bars("Times faster (or smaller) than the peer; the mark is the goal", bars))
    return "\n".join([
        "### Goals", "",
        "![Ratios and goals](performance/goals.svg)", "",
        "The lower of the two languages counts for search.", "",
        "| what, beside which peer | goal | measured | met |", "|---|--:|--:|---|", *rows])


def search(results):
    parts = ["### Search", ""]
    for language, word in LANGUAGES.items():
        series = {}
        for engine, label in ENGINES.items():
            points = [
                (int(size), results.nanos("search", engine, tools=size, language=language, rights="all") / 1000)
                for size in results.values("search", "tools")
                if results.nanos("search", engine, tools=size, language=language, rights="all")
            ]
            if points:
                series[label] = points
        ticks = [int(size) for size in results.values("search", "tools")]
        if series and len(ticks) > 1:
            (KEPT.parent / f"search-{language}.svg").write_text(
                plots.lines(f"One search, {word} questions, by number of tools", "µs", series, ticks))
            parts += [f"![{word} questions](performance/search-{language}.svg)", ""]
    for rights, words in (("all", "A caller who may use everything"), ("tenth", "A caller who may use a tenth")):
        table = []
        for size in results.values("search", "tools"):
            for language, word in LANGUAGES.items():
                params = dict(tools=size, language=language, rights=rights)
                ours = results.nanos("search", "toolcrib", **params)
                if not ours:
                    continue
                cells = [f"{int(size):,}", word, micros(ours)]
                for engine in list(ENGINES)[1:]:
                    ratio = results.ratio("search", "toolcrib", engine, **params)
                    cells.append(winner(ratio))
                cells += [kilo(results.bytes("search", engine, **params)) for engine in ENGINES]
                table.append("| " + " | ".join(cells) + " |")
        if table:
            peers = " | ".join(f"{label}" for label in list(ENGINES.values())[1:])
            heap = " | ".join(f"{label}, KiB" for label in ENGINES.values())
            parts += [f"{words}; peers as times the duration of Toolcrib, a peer that wins in bold:", "",
                      f"| tools | questions | Toolcrib, µs | {peers} | {heap} |",
                      "|--:|---|--:|" + "--:|" * (2 * len(ENGINES) - 1), *table, ""]
    return "\n".join(parts).rstrip()


def quality(results):
    sets = [row["params"]["set"] for row in results.rows if row["workload"] == "search" and row["name"] == "toolcrib" and "set" in row["params"]]
    if not sets:
        return ""
    table = []
    for name in sets:
        figures = {engine: results.row("search", engine, set=name)["figures"] for engine in ENGINES}
        best = max(figure["ndcg10"] for figure in figures.values())
        cells = [f'**{f["ndcg10"]:.3f}**' if f["ndcg10"] == best else f'{f["ndcg10"]:.3f}' for f in figures.values()]
        ours = figures["toolcrib"]
        table.append(f'| {name} | {ours["tools"]:,} | {ours["questions"]:,} | ' + " | ".join(cells) + " |")
    return "\n".join(["### Quality of the same searches: nDCG@10", "",
                      "| set | tools | questions | " + " | ".join(ENGINES.values()) + " |",
                      "|---|--:|--:|" + "--:|" * len(ENGINES), *table])


def sessions(results):
    ways = {
        "toolcribKnown": "Toolcrib, known rights, opened only",
        "toolcribKnownReady": "Toolcrib, known rights",
        "toolcribNewReady": "Toolcrib, new rights",
        "luceneKnownReady": "tuned Lucene, bit set kept",
        "luceneNewReady": "tuned Lucene, new bit set",
        "springAiIndexReady": "Spring AI's index of the session",
    }
    sizes = results.values("session", "tools")
    table = []
    for way, label in ways.items():
        cells = [micros(results.nanos("session", way, tools=size)) for size in sizes]
        table.append(f"| {label} | " + " | ".join(cells) + " |")
    parts = ["### Opening a session, for half of the tools, with its first search", "",
             "| µs | " + " | ".join(f"{int(size):,} tools" for size in sizes) + " |",
             "|---|" + "--:|" * len(sizes), *table, ""]
    table = []
    for name, label in (("toolcribMemory", "Toolcrib"), ("luceneBitSetMemory", "tuned Lucene, a bit set each"),
                        ("springAiIndexMemory", "Spring AI's index each")):
        row = results.row("session", name)
        if row:
            figures = row["figures"]
            table.append(f'| {label} | {figures["sessions"]:,} | {figures["heapBytesPerSession"]:,} | {figures["residentBytesPerSession"]:,} |')
    if table:
        parts += ["Memory of a session after one search, callers with 64 different sets of rights. The JVM's heap is "
                  "touched beforehand, so the resident set grows by native memory alone.", "",
                  "| | sessions | Java heap, bytes | resident set, bytes |", "|---|--:|--:|--:|", *table]
    return "\n".join(parts).rstrip()


def changes(results):
    names = {"nothing": "nothing", "rights": "rights", "oneTool": "one tool", "sourceOf500": "a source of 500"}
    parts = ["### Searching while something changes, ten times a second", ""]
    for threads in results.values("change", "threads"):
        table = []
        for change, word in names.items():
            for engine in list(ENGINES)[:3]:
                row = results.row("change", engine, threads=threads, change=change)
                if row:
                    f = row["figures"]
                    figures = [f["p50Micros"], f["p99Micros"], f["p999Micros"], f["maxMicros"], f["changeP50Micros"]]
                    table.append(f'| {word} | {ENGINES[engine]} | {f["searchesPerSecond"]:,} | '
                                 + " | ".join(number(figure) for figure in figures) + " |")
        parts += [f'{threads} searching thread{"s" if threads != "1" else ""}; latencies in µs:', "",
                  "| changes | engine | searches/s | p50 | p99 | p99.9 | max | the change itself |",
                  "|---|---|--:|--:|--:|--:|--:|--:|", *table, ""]
    return "\n".join(parts).rstrip()


def rendering(results):
    table = []
    for active in results.values("render", "active"):
        for ours, theirs, word in (("Unchanged", "Unchanged", "unchanged"),
                                   ("UnchangedCopied", "Unchanged", "unchanged, as a copy"),
                                   ("OneMore", "OneMore", "one more")):
            ours, theirs = "toolcrib" + ours, "jackson" + theirs
            ratio = results.ratio("render", ours, theirs, active=active)
            table.append(f"| {active} | {word} | {winner(ratio)} | "
                         f'{micros(results.nanos("render", ours, active=active))} | '
                         f'{micros(results.nanos("render", theirs, active=active))} | '
                         f'{kilo(results.bytes("render", ours, active=active))} | '
                         f'{kilo(results.bytes("render", theirs, active=active))} |')
    return "\n".join(["### Rendering the tools array", "",
                      "| active tools | | Jackson / Toolcrib | Toolcrib, µs | Jackson, µs | Toolcrib, KiB | Jackson, KiB |",
                      "|--:|---|--:|--:|--:|--:|--:|", *table])


def validation(results):
    rows = (("valid arguments", "toolcribValid", "networkntValid"),
            ("valid, and the whole call of a tool that does nothing", "toolcribCallValid", "networkntValid"),
            ("invalid arguments", "toolcribInvalid", "networkntInvalid"),
            ("compiling the schema, and valid arguments", "toolcribCompile", "networkntCompile"))
    table = [
        f'| {what} | {winner(results.ratio("validation", ours, peer))} | {micros(results.nanos("validation", ours))} | '
        f'{micros(results.nanos("validation", peer))} | {kilo(results.bytes("validation", ours))} | '
        f'{kilo(results.bytes("validation", peer))} |'
        for what, ours, peer in rows]
    return "\n".join(["### Validating arguments", "",
                      "| | networknt / Toolcrib | Toolcrib, µs | networknt, µs | Toolcrib, KiB | networknt, KiB |",
                      "|---|--:|--:|--:|--:|--:|", *table])


def turn(results):
    table = []
    for size in results.values("turn", "tools"):
        ours, theirs = (results.nanos("turn", name, tools=size) for name in ("toolcrib", "http"))
        table.append(f"| {int(size):,} | {winner(theirs / ours)} | {micros(ours)} | {micros(theirs)} | {micros(theirs - ours)} | "
                     f'{kilo(results.bytes("turn", "toolcrib", tools=size))} |')
    return "\n".join(["### A whole turn", "",
                      "| tools | HTTP / in process | in process, µs | HTTP, µs | the hop, µs | in process, KiB |",
                      "|--:|--:|--:|--:|--:|--:|", *table])


def boundary(results):
    table = [f'| nothing at all | {number(results.nanos("boundary", "nothing"))} |']
    for size in results.values("boundary", "bytes"):
        echo = results.nanos("boundary", "echo", bytes=size)
        if echo:
            copy = results.nanos("boundary", "copyInJava", bytes=size)
            table.append(f"| {int(size):,} bytes there and back, checked to be UTF-8 | {number(echo)} (a copy in Java: {number(copy)}) |")
    without, with_ = (results.nanos("boundary", name) for name in ("withoutUpcall", "withUpcall"))
    if without and with_:
        table.append(f"| an upcall: one log event of six fields, to the logger | {number(with_ - without)} |")
    parts = ["### The boundary alone", "", "| | ns |", "|---|--:|", *table]
    if results.core:
        size = str(results.core["tools"])
        table = []
        for language, word in LANGUAGES.items():
            core = median(results.core[language])
            java = results.nanos("search", "toolcrib", tools=size, language=language, rights="all")
            if java:
                table.append(f"| {word} | {micros(core)} | {micros(java)} | {100 * (java - core) / java:.0f} % |")
        parts += ["", f"The same searches of {int(size):,} tools in the core alone, in Rust, and from Java:", "",
                  "| questions | core, µs | Java, µs | crossing |", "|---|--:|--:|--:|", *table]
    return "\n".join(parts)


def crossing_share(results):
    if not results.core:
        return None
    size, shares = str(results.core["tools"]), []
    for language in LANGUAGES:
        java = results.nanos("search", "toolcrib", tools=size, language=language, rights="all")
        if java:
            shares.append((java - median(results.core[language])) / java)
    return max(shares) if shares else None


def memory(row):
    return max(0, row["figures"]["heapBytesPerSession"]) + max(0, row["figures"]["residentBytesPerSession"])


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def winner(ratio):
    if ratio is None:
        return ""
    return f"{number(ratio)} ×" if ratio >= 1 else f"**{number(ratio)} ×**"


def micros(nanos):
    return "" if nanos is None else number(nanos / 1000)


def kilo(count):
    return "" if count is None else number(count / 1024)


def number(value):
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


if __name__ == "__main__":
    main()
