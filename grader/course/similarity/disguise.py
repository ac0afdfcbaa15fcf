"""Copies of an answer as people disguise them: what the tests must find, and what a made-up class is made of."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable

from grader.course.similarity.tokens import _LEXER, tokens_of


def renamed(source: str, fixed_names: Iterable[str], seed: int) -> str:
    """Every name that can be changed is changed."""
    fixed, order = frozenset(fixed_names), random.Random(seed)
    new: dict[str, str] = {}
    out, before = [], ""
    for match in _LEXER.finditer(source):
        text = match.group()
        if match.lastgroup == "name" and before not in (".", "->", "::"):
            token = tokens_of(text, fixed)
            if token and token[0].text == "I" and text not in ("std", "Order", "cg", "cooperative_groups"):
                text = new.setdefault(text, f"{order.choice(['my', 'the', 'a', 'cur'])}_{len(new)}")
        if match.lastgroup != "skip":
            before = text
        out.append(text)
    return "".join(out)


def reordered(source: str, seed: int) -> str:
    """The definitions at the top level, in another order."""
    head, *blocks = re.split(r"\n\n+(?=[^\s}])", source)
    random.Random(seed).shuffle(blocks)
    return "\n\n".join([head, *blocks])


def commented(source: str, seed: int) -> str:
    """Other comments, other layout."""
    order = random.Random(seed)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.S)
    lines = []
    for line in text.splitlines():
        if line.strip().startswith("#"):
            lines.append(line.strip())
            continue
        lines.append(" " * order.randrange(9) + line.strip().replace(" = ", "=").replace(" + ", "+"))
        if order.random() < 0.3:
            lines.append(order.choice(["// Here the work is done.", "/* as in the handout */", "", "// next"]))
    return "\n".join(lines) + "\n"


def retyped(source: str, seed: int) -> str:
    """Other types and constants, const dropped, braces around single statements gone."""
    text = source.replace("const ", "").replace("unsigned ", "int ").replace("size_t", "int")
    text = re.sub(r"\bint\b", lambda _: random.Random(seed).choice(["int", "unsigned", "auto"]), text)
    text = re.sub(r"\b(128|256|512)\b", "192", text)
    return re.sub(r"\{\s*\n\s*([^\n{};]*;)\s*\n\s*\}", r"\1", text)


def padded(source: str, seed: int) -> str:
    """A useless statement after every seventh or so."""
    order, count = random.Random(seed), 0
    lines = []
    for line in source.splitlines():
        lines.append(line)
        if line.startswith("  ") and line.rstrip().endswith(";") and order.random() < 1 / 7:
            count += 1
            lines.append(f"    {_useless(order, f'unused_{count}')}")
    return "\n".join(lines) + "\n"


def _useless(order: random.Random, name: str) -> str:
    """A statement that does nothing, never twice the same: two copies must not be alike by their padding."""
    value = order.choice(["0", "1", "2", "7"])
    for _ in range(order.randrange(1, 4)):
        value = order.choice([f"({value} {order.choice('+-*')} {order.choice('0127')})", f"-{value}", f"+{value}"])
    use = order.choice(["(void){0};", "{0} += {0};", "{0} = -{0};", "if ({0} > 7) {0} = 0;", "++{0};", "{0} *= 2;"])
    return f"{order.choice(['int', '[[maybe_unused]] long', 'char', 'float'])} {name} = {value}; {use.format(name)}"


def everything(source: str, fixed_names: Iterable[str], seed: int) -> str:
    return padded(commented(reordered(retyped(renamed(source, fixed_names, seed), seed), seed), seed), seed)


DISGUISES: dict[str, Callable[[str, Iterable[str], int], str]] = {
    "renamed": renamed,
    "reordered": lambda source, _, seed: reordered(source, seed),
    "commented": lambda source, _, seed: commented(source, seed),
    "retyped": lambda source, _, seed: retyped(source, seed),
    "padded": lambda source, _, seed: padded(source, seed),
    "everything": everything,
}
