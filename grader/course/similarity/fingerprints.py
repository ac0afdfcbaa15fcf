"""Fingerprints of a sequence of tokens, chosen by winnowing.

S. Schleimer, D. S. Wilkerson, A. Aiken: Winnowing: local algorithms for document fingerprinting, SIGMOD 2003. Every run
of K tokens has a hash; of every window of W = T - K + 1 neighbouring hashes the least one is kept, the rightmost of
equals. Two properties follow: no match shorter than K tokens is ever seen (the noise threshold), and of every match of
T tokens or more at least one fingerprint is found in both files (the guarantee threshold), wherever it was moved.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.course.similarity.tokens import Token

K = 12  # Noise: an index and its guard, as everybody writes them, are up to 11 tokens long once names are gone.
T = 20  # Guarantee: two statements or so.
W = T - K + 1

_BASE = np.uint64(0x100000001B3)


def hashes_of(tokens: Sequence[Token], k: int = K) -> np.ndarray[Any, Any]:
    """The hash of every run of k tokens: uint64, len(tokens) - k + 1 of them, at least 0."""
    if len(tokens) < k:
        return np.zeros(0, np.uint64)
    words = {text: _mixed_word(text) for text in {token.text for token in tokens}}
    codes = np.array([words[token.text] for token in tokens], np.uint64)
    result = np.zeros(len(tokens) - k + 1, np.uint64)
    for i in range(k):
        result = result * _BASE + codes[i:i + len(result)]
    result ^= result >> np.uint64(29)
    result *= np.uint64(0xBF58476D1CE4E5B9)
    return result ^ (result >> np.uint64(32))


def _mixed_word(text: str) -> int:
    raw = text.encode("utf-8", "replace")
    return zlib.crc32(raw) << 32 | zlib.crc32(raw, 0x9E3779B9)


def winnow(hashes: np.ndarray[Any, Any], window: int = W) -> np.ndarray[Any, Any]:
    """The positions of the fingerprints in `hashes`, in rising order."""
    if len(hashes) == 0:
        return np.zeros(0, np.int64)
    if len(hashes) <= window:
        return np.array([len(hashes) - 1 - int(np.argmin(hashes[::-1]))])
    windows = np.lib.stride_tricks.sliding_window_view(hashes, window)
    rightmost = window - 1 - np.argmin(windows[:, ::-1], axis=1)
    chosen: np.ndarray[Any, Any] = np.unique(np.arange(len(windows)) + rightmost)
    return chosen
