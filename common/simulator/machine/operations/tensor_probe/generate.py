#!/usr/bin/env python3
"""Writes probe.cu: a program that records a GPU's results and times for each form of mma and wmma."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s32": 32}
BITS |= {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
TEMPLATE = Path(__file__).parent / "probe.cu.in"
LARGE = ["m16n16k16", "m32n8k16", "m8n32k16"]


@dataclass
class Form:
    """One instruction: types of A, B and C (D is as C), and registers of 32 bits (64 for f64) of each."""

    name: str
    instruction: str
    types: tuple[str, str, str]
    registers: tuple[int, int, int]
    cases: int
    metadata: str = ""  # Of a sparse product: how the probe makes it.
    selector: int = 0
    timed: bool = True


@dataclass
class Fragment:
    """A wmma.load: of A, B or C."""

    role: str
    layout: str
    shape: str
    type: str
    registers: int


def sizes(shape: str) -> tuple[int, int, int]:
    m, n, k = re.findall(r"\d+", shape)
    return int(m), int(n), int(k)


def registers(kind: str, elements: int) -> int:
    return elements * BITS[kind] // (32 * max(32, BITS[kind]))


def mma(shape: str, a: str, b: str, c: str, cases: int, before: str = "", after: str = "") -> Form:
    m, n, k = sizes(shape)
    name = f"{shape}{before}.{c}.{a}.{b}.{c}{after}"
    counts = registers(a, m * k), registers(b, k * n), registers(c, m * n)
    return Form(name, f"mma.sync.aligned.{shape}.row.col{before}.{c}.{a}.{b}.{c}{after}", (a, b, c), counts, cases)


def mma_forms() -> list[Form]:
    forms = [mma(f"m16n8k{k}", "f16", "f16", c, 900) for k in (8, 16) for c in ("f16", "f32")]
    forms += [mma(f"m16n8k{k}", "bf16", "bf16", "f32", 600) for k in (8, 16)]
    forms += [mma(f"m16n8k{k}", "tf32", "tf32", "f32", 900) for k in (4, 8)]
    forms += [mma(f"m{m}n8k{k}", "f64", "f64", "f64", 200) for m, k in ((8, 4), (16, 4), (16, 8), (16, 16))]
    fp8 = ("e4m3", "e5m2")
    forms += [mma(f"m16n8k{k}", a, b, c, 200) for k in (16, 32) for a in fp8 for b in fp8 for c in ("f16", "f32")]
    for bits, shapes in ((8, ("m8n8k16", "m16n8k16", "m16n8k32")), (4, ("m8n8k32", "m16n8k32", "m16n8k64"))):
        for shape in shapes:
            signs = [(f"{a}{bits}", f"{b}{bits}") for a in "us" for b in "us"]
            forms += [mma(shape, a, b, "s32", 40, before=saturation) for a, b in signs for saturation in ("", ".satfinite")]
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        forms += [mma(shape, "b1", "b1", "s32", 40, after=f".{operator}.popc") for operator in ("xor", "and")]
    for a in ("row", "col"):
        for b in ("row", "col"):
            for c, count in (("f16", 4), ("f32", 8)):
                name = f"m8n8k4.{a}.{b}.{c}.f16.f16.{c}"
                forms.append(Form(name, f"mma.sync.aligned.{name}", ("f16", "f16", c), (2, 2, count), 100))
    return forms


@dataclass
class Product:
    """A wmma.mma with its loads and its store."""

    form: Form
    shape: str
    a: Fragment
    b: Fragment
    c: Fragment


def wmma(shape: str, kind: str, c: str, a_layout: str, b_layout: str, after: str = "", before: str = "") -> Product:
    m, n, k = sizes(shape)
    counts = tuple(8 if kind == "f16" else registers(kind, size) for size in (m * k, k * n)) + (registers(c, m * n),)
    types = f"{c}.{c}" if kind == "f16" else f"{c}.{kind}.{kind}.{c}"
    name = f"wmma.mma{before}.sync.aligned.{a_layout}.{b_layout}.{shape}.{types}{after}"
    fragments = zip("abc", (a_layout, b_layout, "row"), (kind, kind, c), counts)
    a, b, accumulator = (Fragment(role, layout, shape, of, count) for role, layout, of, count in fragments)
    return Product(Form(name, name, (kind, kind, c), (counts[0], counts[1], counts[2]), 60), shape, a, b, accumulator)


def wmma_forms() -> list[Product]:
    types = [("f16", "f16", ""), ("f16", "f32", ""), ("bf16", "f32", ""), ("s8", "s32", ""), ("u8", "s32", ".satfinite")]
    kinds = [(shape, kind, c, after) for shape in LARGE for kind, c, after in types]
    kinds += [("m16n16k8", "tf32", "f32", ""), ("m8n8k4", "f64", "f64", "")]
    products = [wmma(*kind[:3], a, b, after=kind[3]) for kind in kinds for a in ("row", "col") for b in ("row", "col")]
    products += [wmma("m8n8k32", kind, "s32", "row", "col") for kind in ("s4", "u4")]
    return products + [wmma("m8n8k128", "b1", "s32", "row", "col", before=f".{operator}.popc") for operator in ("xor", "and")]


def holders(kind: str, count: int, name: str) -> list[str]:
    """The registers of an operand as inputs of inline assembly, from words."""
    if kind == "f64":
        return [f'"d"(__hiloint2double({name}[{2 * i + 1}], {name}[{2 * i}]))' for i in range(count)]
    if kind == "f32":
        return [f'"f"(__uint_as_float({name}[{i}]))' for i in range(count)]
    return [f'"r"({name}[{i}])' for i in range(count)]


def results(kind: str, count: int, name: str) -> tuple[str, list[str], str]:
    """What is declared, the outputs of inline assembly, and how they become words."""
    if kind == "f64":
        words = "".join(f"{name}[{2 * i}] = __double2loint(o{i}); {name}[{2 * i + 1}] = __double2hiint(o{i}); " for i in range(count))
        return "double " + ", ".join(f"o{i}" for i in range(count)) + "; ", [f'"=d"(o{i})' for i in range(count)], words
    if kind == "f32":
        words = "".join(f"{name}[{i}] = __float_as_uint(o{i}); " for i in range(count))
        return "float " + ", ".join(f"o{i}" for i in range(count)) + "; ", [f'"=f"(o{i})' for i in range(count)], words
    return "", [f'"=r"({name}[{i}])' for i in range(count)], ""


def braces(first: int, count: int) -> str:
    return "{" + ", ".join(f"%{first + i}" for i in range(count)) + "}"


def execute(form: Form) -> str:
    declared, outputs, words = results(form.types[2], form.registers[2], "d")
    operands, inputs = [braces(0, len(outputs))], []
    for kind, count, name in zip(form.types, form.registers, "abc"):
        operands.append(braces(len(outputs) + len(inputs), count))
        inputs += holders(kind, count, name)
    if form.metadata:
        operands += [f"%{len(outputs) + len(inputs)}", str(form.selector)]
        inputs.append(f'"r"(a[{form.registers[0]}])')
    text = f"{form.instruction} {', '.join(operands)};"
    return f'{declared}asm volatile("{text}" : {", ".join(outputs)} : {", ".join(inputs)}); {words}'


def load(fragment: Fragment, name: str, place: str, stride: int) -> str:
    declared, outputs, words = results(fragment.type, fragment.registers, name)
    text = (f"wmma.load.{fragment.role}.sync.aligned.{fragment.layout}.{fragment.shape}.{fragment.type} "
            f"{braces(0, fragment.registers)}, [%{fragment.registers}], {stride};")
    return f'{{ {declared}asm volatile("{text}" : {", ".join(outputs)} : "l"({place}) : "memory"); {words}}}'


def store(product: Product) -> str:
    fragment, stride = product.c, sizes(product.shape)[1]
    text = f"wmma.store.d.sync.aligned.row.{product.shape}.{fragment.type} [%0], {braces(1, fragment.registers)}, {stride};"
    inputs = ['"l"(md)', *holders(fragment.type, fragment.registers, "d")]
    return f'asm volatile("{text}" : : {", ".join(inputs)} : "memory");'


def words(kind: str, count: int) -> int:
    return count * (2 if kind == "f64" else 1)


def format_of(kind: str) -> str:
    return kind if kind not in ("s8", "u8", "s4", "u4", "b1") else "raw"


def constants(form: Form, index: int) -> str:
    a, b, c = (words(kind, count) for kind, count in zip(form.types, form.registers))
    fa, fb, fc = (format_of(kind) for kind in form.types)
    sparse = f", fe = {form.metadata or 'raw'}, ne = {1 if form.metadata else 0}"
    timed = f" static constexpr bool timed = {'true' if form.timed else 'false'};"
    return f"static constexpr int fa = {fa}, fb = {fb}, fc = {fc}{sparse}, na = {a}, nb = {b}, nc = {c}, index = {index};{timed}"


RUN = "static __device__ __forceinline__ void run(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* d)"
ALL = "static __device__ void all(const uint32_t* ma, const uint32_t* mb, const uint32_t* mc, uint32_t* md)"


def generate() -> str:
    template = TEMPLATE.read_text(encoding="utf-8")
    forms, calls = [], []
    for index, form in enumerate(mma_forms()):
        forms.append(f"struct Form{index} {{\n  {constants(form, index)}\n  {RUN} {{ {execute(form)} }}\n}};")
        calls.append(f'  probe<Form{index}>("{form.name}", {form.cases});')
    for index, product in enumerate(wmma_forms(), start=len(forms)):
        form, (m, n, k) = product.form, sizes(product.shape)
        kind, c = form.types[0], form.types[2]
        matrices = (("a", m * k, kind), ("b", k * n, kind), ("c", m * n, c))
        in_memory = ", ".join(f"w{name} = {size * BITS[of] // 32}" for name, size, of in matrices)
        strides = (k if product.a.layout == "row" else m, n if product.b.layout == "row" else k, n)
        fragments = zip((product.a, product.b, product.c), "abc", strides)
        loads = " ".join(load(fragment, name, f"m{name}", stride) for fragment, name, stride in fragments)
        forms.append(
            f"struct Form{index} {{\n  {constants(form, index)}\n  static constexpr int {in_memory};\n  {RUN} {{ {execute(form)} }}\n"
            f"  {ALL} {{ uint32_t a[na], b[nb], c[nc], d[nc]; {loads} run(a, b, c, d); {store(product)} }}\n}};"
        )
        calls.append(f'  probe_matrices<Form{index}>("{form.name}", {form.cases});')
    return template.replace("// FORMS\n", "\n".join(forms) + "\n").replace("  // CALLS\n", "\n".join(calls) + "\n")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(generate(), encoding="utf-8")
