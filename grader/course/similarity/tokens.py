"""The tokens of CUDA C++ that say what a program does, independent of names, comments, types and layout.

A lexer of one regular expression: a class of 300 students with 12 labs is 18 MB of text, which a general highlighter
(Pygments) reads in minutes and this in seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LEXER = re.compile(r"""
    (?P<skip>    \s+ | \\\n | //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z) )
  | (?P<include> \#[ \t]*(?:include|pragma|line|error|warning)\b(?:\\\n|[^\n])* )
  | (?P<raw>     (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)"|\Z) )
  | (?P<text>    (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"? | (?:u8|[uUL])?'(?:\\.|[^'\\\n])*'? )
  | (?P<number>  \.?\d(?:[eEpP][+-]|'?[\w.])* )
  | (?P<name>    [^\W\d]\w* )
  | (?P<mark>    <<<|>>>|<<=|>>=|\.\.\.|->|\#\#|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\+\+|--|::|. )
""", re.X | re.S)

# Integers of any width are one type: the choice says little, and is easily changed.
_WHOLE = frozenset("int unsigned signed long short auto size_t ptrdiff_t ssize_t uint ulong int8_t int16_t int32_t int64_t "
                   "uint8_t uint16_t uint32_t uint64_t".split())
# Words and marks that can be added or left out without changing what a program does.
_DECORATION = frozenset("const constexpr static inline volatile typename extern register mutable noexcept __restrict__ "
                        "__restrict __forceinline__ __inline__ __noinline__ this final override { }".split())
_KEPT = frozenset("if else for while do switch case default break continue return goto sizeof alignas struct class union "
                  "enum template operator new delete try catch throw true false nullptr void bool char float double "
                  "static_cast reinterpret_cast const_cast dynamic_cast threadIdx blockIdx blockDim gridDim warpSize dim3 "
                  "static_assert decltype namespace using typedef public private protected friend explicit maybe_unused "
                  "float2 float3 float4 double2 int2 int3 int4 uint2 uint4 min max fminf fmaxf swap".split())
MOST_TOKENS = 20_000  # Per file; ten times the longest answer: a hostile file must not delay the others.
_MEMBERS = frozenset("xyzw")
_NUMBERS = frozenset("012")


@dataclass(frozen=True)
class Token:
    """`text` is the normalised token, `line` the line it begins on, counted from 1."""

    text: str
    line: int


def names_of(source: str) -> frozenset[str]:
    """The names in a contract header. An answer cannot rename them, so they are compared as they are."""
    return frozenset(match.group() for match in _LEXER.finditer(source) if match.lastgroup == "name")


def tokens_of(source: str, fixed_names: Iterable[str] = ()) -> list[Token]:
    """The tokens of a file, MOST_TOKENS at most. No text is refused."""
    fixed = frozenset(fixed_names)
    tokens: list[Token] = []
    line, position = 1, 0
    for match in _LEXER.finditer(source):
        if len(tokens) >= MOST_TOKENS:
            break
        line += source.count("\n", position, match.start())
        position = match.start()
        kind, text = match.lastgroup, match.group()
        if kind in ("skip", "include"):
            continue
        if kind == "mark" and text == "::":  # `std::min` and `min` after a using-directive are the same.
            if tokens and tokens[-1].text[0] not in "()[]<>;,=+-*/%&|^!?:":
                tokens.pop()
            continue
        if kind == "name":
            text = _normalised_name(text, tokens[-1].text if tokens else "", fixed)
        elif kind == "number":
            text = text if text in _NUMBERS else "N"
        elif kind in ("text", "raw"):
            text = "S"
        if text in _DECORATION or (text == "T" and tokens and tokens[-1].text == "T"):
            continue
        tokens.append(Token(text, line))
    return tokens


def _normalised_name(name: str, before: str, fixed: frozenset[str]) -> str:
    if name in _WHOLE:
        return "T"
    if name in _KEPT or name in _DECORATION or name in fixed or name.startswith(("__", "cuda", "atomic", "WB_")):
        return name
    if before in (".", "->") and name in _MEMBERS:
        return name
    return "I"
