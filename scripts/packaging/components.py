#!/usr/bin/env python3
"""Lists the crates that are linked into the native library: components.py TARGET DIRECTORY.

Writes a CycloneDX bill of materials, and the licences with their texts, and refuses a crate under a
licence that is not allowed here. What is written depends on Cargo.lock and the crates alone.
"""

import json
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0",
    "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}
ROOT = "toolcrib"
# Folders of crates with code of others that is linked, too.
VENDORED = {"rquickjs-sys": ["quickjs"]}


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(graph):
    """The packages that the library depends on, and not merely its build or tests."""
    packages = {package["id"]: package for package in graph["packages"]}
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    root = next(p["id"] for p in graph["packages"] if p["name"] == ROOT)
    seen, todo = {}, [root]
    while todo:
        identity = todo.pop()
        if identity in seen:
            continue
        package = packages[identity]
        macro = any("proc-macro" in target["kind"] for target in package["targets"])
        if macro:
            continue
        wanted = [
            dependency["pkg"]
            for dependency in nodes[identity]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
        seen[identity] = (package, wanted)
        todo += wanted
    return root, seen


def allowed(expression):
    """Whether a licence expression leaves a choice that is allowed."""
    expression = expression.replace("/", " OR ")
    tokens = re.findall(r"\(|\)|[^\s()]+", expression)
    position = 0

    def operand():
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "(":
            value = either()
            position += 1
            return value
        if position < len(tokens) and tokens[position] == "WITH":
            token = f"{token} WITH {tokens[position + 1]}"
            position += 2
        return token in ALLOWED

    def both():
        nonlocal position
        value = operand()
        while position < len(tokens) and tokens[position] == "AND":
            position += 1
            value = operand() and value
        return value

    def either():
        nonlocal position
        value = both()
        while position < len(tokens) and tokens[position] == "OR":
            position += 1
            value = both() or value
        return value

    return bool(tokens) and either()


def checksums():
    text = pathlib.Path("Cargo.lock").read_text(encoding="utf-8")
    entry = re.compile(r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"')
    return {(name, version): checksum for name, version, checksum in entry.findall(text)}


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, known):
    described = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    checksum = known.get((package["name"], package["version"]))
    if checksum:
        described["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return described


def bill(root, seen):
    known = checksums()
    ours = seen[root][0]
    others = sorted(
        (package for identity, (package, _) in seen.items() if identity != root), key=reference
    )
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(ours, known)},
        "components": [component(package, known) for package in others],
        "dependencies": sorted(
            (
                {
                    "ref": reference(package),
                    "dependsOn": sorted(
                        reference(seen[identity][0]) for identity in wanted if identity in seen
                    ),
                }
                for package, wanted in seen.values()
            ),
            key=lambda dependency: dependency["ref"],
        ),
    }


def licence_texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    names = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)
    # A crate that brings C code along has the licence of that beside it.
    inner = VENDORED.get(package["name"], [])
    return [
        path.read_text(encoding="utf-8", errors="replace").strip()
        for within in [folder, *(folder / name for name in inner)]
        for path in sorted(within.iterdir())
        if path.is_file() and names.match(path.name)
    ]


def licences(root, seen):
    """Each text once, with the crates that it covers."""
    covered, table, without = {}, [], []
    for identity, (package, _) in sorted(seen.items(), key=lambda entry: reference(entry[1][0])):
        if identity == root or package["source"] is None:
            continue
        name = f"{package['name']} {package['version']}"
        table.append(f"{name}: {package['license']}")
        texts = licence_texts(package)
        if not texts:
            without.append(name)
        for text in texts:
            covered.setdefault(text, []).append(name)
    parts = ["The native library contains these crates:\n\n" + "\n".join(table)]
    if without:
        parts.append("Published without a licence text of their own:\n\n" + "\n".join(without))
    parts += [", ".join(names) + "\n\n" + text for text, names in covered.items()]
    return ("\n\n" + "-" * 100 + "\n\n").join(parts) + "\n"


def main():
    target, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    root, seen = linked(metadata(target))
    refused = [
        f"{package['name']} {package['version']}: {package['license']}"
        for package, _ in seen.values()
        if not allowed(package["license"] or "")
    ]
    if refused:
        sys.exit("licences that are not allowed here:\n" + "\n".join(sorted(refused)))
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(bill(root, seen), indent=2, ensure_ascii=False) + "\n"
    (directory / "toolcrib.cdx.json").write_text(text, encoding="utf-8")
    (directory / "THIRD-PARTY.txt").write_text(licences(root, seen), encoding="utf-8")
    print(f"{len(seen) - 1} crates, all under allowed licences")


main()
