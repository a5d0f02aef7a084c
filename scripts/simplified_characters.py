"""Writes rust/core/src/search/analyze/simplified.txt: traditional characters with their simplified form.

    pip install opencc-python-reimplemented==0.1.7
    python scripts/simplified_characters.py

The pairs are OpenCC's (Apache-2.0). Where a traditional character has several simplified forms
OpenCC's first is taken: the table folds spellings for search, it does not convert text. Kept are
pairs inside the block of common characters (U+4E00 to U+9FFF).
"""

from importlib.util import find_spec
from pathlib import Path

TARGET = Path(__file__).parent.parent / "rust/core/src/search/analyze/simplified.txt"
PAIRS_PER_LINE = 32


def is_common(character):
    return len(character) == 1 and "\u4e00" <= character <= "\u9fff"


def main():
    package = Path(find_spec("opencc").origin).parent
    lines = (package / "dictionary/TSCharacters.txt").read_text("utf-8").splitlines()
    forms = {}
    for line in lines:
        traditional, simplified = line.split("\t")
        simplified = simplified.split(" ")[0]
        if is_common(traditional) and is_common(simplified) and traditional != simplified:
            forms[traditional] = simplified
    # One look-up has to be enough: no simplified form is itself folded further.
    for traditional, simplified in forms.items():
        forms[traditional] = forms.get(simplified, simplified)
    pairs = [t + s for t, s in sorted(forms.items()) if t != s]
    rows = ["".join(pairs[i : i + PAIRS_PER_LINE]) for i in range(0, len(pairs), PAIRS_PER_LINE)]
    TARGET.write_text("\n".join(rows) + "\n", "utf-8")
    print(f"{len(pairs)} pairs, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
