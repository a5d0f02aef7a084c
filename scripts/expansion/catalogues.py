"""In how many tools of a folder of catalogues each word occurs."""

import collections
import gzip
import json
import re
from pathlib import Path

# Parts of identifiers and of prose; runs of Han characters in all their pairs.
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}))")


def tool_texts(tool):
    yield tool["name"]
    yield tool.get("description") or ""
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, value in (properties if isinstance(properties, dict) else {}).items():
        yield name
        if isinstance(value, dict) and isinstance(value.get("description"), str):
            yield value["description"]


def words_of_tools(folder):
    """In how many tools each word occurs."""
    tools = collections.Counter()
    for path in sorted(Path(folder).glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                texts = list(tool_texts(json.loads(line)))
                tools.update({w.lower() for text in texts for w in PART.findall(text)})
                tools.update({pair for text in texts for pair in PAIR.findall(text)})
    return tools
