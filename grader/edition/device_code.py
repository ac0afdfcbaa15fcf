"""Device code in files: finds fat binaries, and their decompressed contents."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterator
from functools import cache

from grader.course.errors import BatchError

# A fat binary begins with its magic number, version 1 and the size of this header, 16. Code that reads fat binaries contains
# only the magic number.
FAT_BINARY = bytes.fromhex("50ed55ba01001000")
_ZSTD = bytes.fromhex("28b52ffd")
_LARGEST = 64 << 20


def decompressed(data: bytes) -> Iterator[bytes]:
    """The contents of each zstd frame in the data: nvcc compresses PTX and machine code in this way.

    :raises BatchError: if this machine has no libzstd
    """
    at = data.find(_ZSTD)
    while at >= 0:
        if (text := _frame(data[at:at + _LARGEST])) is not None:
            yield text
        at = data.find(_ZSTD, at + 1)


@cache
def _zstd() -> ctypes.CDLL:
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise BatchError(f"{name} cannot be loaded ({error}), so compressed device code cannot be searched; run common/setup.sh") from None
    library.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_decompress.restype = ctypes.c_size_t
    return library


def _frame(data: bytes) -> bytes | None:
    """None if no frame begins here."""
    zstd = _zstd()
    used = zstd.ZSTD_findFrameCompressedSize(data, ctypes.c_size_t(len(data)))
    size = zstd.ZSTD_getFrameContentSize(data, ctypes.c_size_t(len(data)))
    if zstd.ZSTD_isError(ctypes.c_size_t(used)) or size > _LARGEST:  # Unknown sizes are huge numbers.
        return None
    buffer = ctypes.create_string_buffer(max(1, size))
    made = zstd.ZSTD_decompress(buffer, ctypes.c_size_t(size), data, ctypes.c_size_t(used))
    return None if zstd.ZSTD_isError(ctypes.c_size_t(made)) else buffer.raw[:made]
