#!/usr/bin/env python3
"""Writes groups.cu: a program that records a GPU's results for each form of mma.sp and of wgmma, dense and sparse."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import generate

DEPTH_BYTES = 32  # Of a row of A, as it is stored, whatever the type.
B_AT, SHARED_BYTES = 16384, 49152  # In shared memory: A first, then B.
EVERY_N = range(8, 257, 8)
EVERY_N_OF_BYTES = [n for n in EVERY_N if n <= 24 or n % 16 == 0]


@dataclass(frozen=True)
class Layout:
    """The layout of a factor in shared memory: the fields of its descriptor (swizzle 1: 128 bytes, 2: 64, 3: 32), and how far
    from the start of its region it begins."""

    lead: int
    stride: int
    swizzle: int = 0
    base: int = 0
    offset: int = 0

    def name(self) -> str:
        extra = f"_{self.offset}_{self.base}" if self.offset or self.base else ""
        return f"{self.swizzle}_{self.lead}_{self.stride}{extra}"

    def fields(self) -> str:
        return f"{{{self.lead}, {self.stride}, {self.swizzle}, {self.base}, {self.offset}}}"


COMPACT = Layout(128, 256)


@dataclass
class Group:
    """One wgmma.mma_async."""

    n: int
    types: tuple[str, str, str]
    sparse: bool = False
    selector: int = 0
    a_layout: Layout | None = None  # None: A is in registers.
    b_layout: Layout = COMPACT
    scales: tuple[int, int] = (1, 1)
    transposed: tuple[int, int] = (0, 0)
    satfinite: bool = False
    accumulates: bool = True
    any_metadata: bool = False
    cases: int = 40
    timed: bool = False

    def k(self) -> int:
        return DEPTH_BYTES * 8 // generate.BITS[self.types[0]] * (2 if self.sparse else 1)

    def instruction(self) -> str:
        a, b, c = self.types
        after = ".and.popc" if a == "b1" else ".satfinite" if self.satfinite else ""
        return f"wgmma.mma_async{'.sp' if self.sparse else ''}.sync.aligned.m64n{self.n}k{self.k()}.{c}.{a}.{b}{after}"

    def name(self) -> str:
        parts = [self.instruction().replace(".sync.aligned", "").replace("mma_async.", "")]
        parts.append(f"a{self.a_layout.name()}" if self.a_layout else "registers")
        parts.append(f"b{self.b_layout.name()}")
        if self.sparse:
            parts.append(f"sel{self.selector}{'any' if self.any_metadata else ''}")
        if self.scales != (1, 1):
            parts.append(f"scaled{self.scales[0]}{self.scales[1]}")
        if self.transposed != (0, 0):
            parts.append(f"transposed{self.transposed[0]}{self.transposed[1]}")
        if not self.accumulates:
            parts.append("from0")
        return "/".join(parts)

    def registers(self) -> int:
        return self.n // 4 if self.types[2] == "f16" else self.n // 2


FLOATS = [("f16", "f16", "f16"), ("f16", "f16", "f32"), ("bf16", "bf16", "f32"), ("tf32", "tf32", "f32")]
FP8 = [(a, b, c) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2") for c in ("f16", "f32")]
BYTES = [(f"{a}8", f"{b}8", "s32") for a in "su" for b in "su"]
BITS = [("b1", "b1", "s32")]


def layouts(sparse_b: bool, transposed: int) -> list[Layout]:
    """Of each swizzle, rows along k or (transposed) along m and n, with gaps."""
    if transposed:
        return [Layout(1024, 128), Layout(128, 1024), Layout(4096, 1024, 1), Layout(2048, 1024, 2), Layout(1024, 256, 3)]
    apart = 512 if sparse_b else 256
    return [Layout(128, apart), Layout(2048, 128), Layout(16, 1024, 1), Layout(4096, 1024, 1, 0, 32),
            Layout(16, 512, 2), Layout(16, 256, 3), Layout(4096, 512, 3)]


def group_forms() -> list[Group]:
    forms = []
    for sparse in (False, True):
        for types in FLOATS + FP8 + BYTES + ([] if sparse else BITS):
            selectors = (0, 1) if sparse and types in FLOATS else (0,)
            b_layout = Layout(128, 512) if sparse else COMPACT
            base = [Group(16, types, sparse, s, b_layout=b_layout, cases=60) for s in selectors]
            forms += base
            if types not in BYTES + BITS:
                forms += [replace(base[0], scales=scales, cases=20) for scales in ((-1, 1), (1, -1), (-1, -1))]
            if types in BYTES:
                forms.append(replace(base[0], satfinite=True, cases=20))
            forms.append(replace(base[0], accumulates=False, cases=10))
            forms.append(replace(base[0], a_layout=Layout(128, 256), cases=10))
            if sparse:
                forms.append(replace(base[0], any_metadata=True, cases=10))
        # All widths.
        for types, widths in ((FLOATS[1], EVERY_N), (FLOATS[0], (8, 64, 248, 256)), (FLOATS[3], (8, 72, 256)),
                              (FP8[1], (8, 40, 256)), (FP8[0], (8, 40, 256)), (BYTES[1], EVERY_N_OF_BYTES),
                              (BITS[0], (8, 24, 32, 48, 256))):
            if sparse and types in BITS:
                continue
            b_layout = Layout(128, 512) if sparse else COMPACT
            forms += [Group(n, types, sparse, 0, Layout(128, 256), b_layout, cases=4) for n in widths]
        # Layouts of A and B.
        for types, n in ((FLOATS[1], 64), (FLOATS[3], 32), (BYTES[0], 32), (FP8[1], 32)):
            for ta in (0, 1):
                for tb in (0, 1):
                    if (ta or tb) and types not in FLOATS[:3]:
                        continue
                    for i, b in enumerate(layouts(sparse, tb)):
                        of_a = layouts(False, ta)
                        a = of_a[i % len(of_a)]
                        forms.append(Group(n, types, sparse, 0, a, b, transposed=(ta, tb), cases=4))
                    if tb and not ta:
                        forms.append(Group(n, types, sparse, 0, None, layouts(sparse, 1)[2], transposed=(0, 1), cases=4))
        forms.append(Group(128, FLOATS[1], sparse, 0, None, Layout(2048, 256, 3), transposed=(0, 1), cases=4))
        forms.append(Group(192, FLOATS[1], sparse, 0, None, Layout(8192, 1024, 1), transposed=(0, 1), cases=4))
        # Starts that are not aligned to the swizzle pattern, and the effect of the base offset on them.
        for swizzle, stride in ((1, 1024), (2, 512), (3, 256)):
            for base, offset in ((0, 128), (1, 128), (3, 384), (5, 640), (2, 64)):
                layout = Layout(16, stride, swizzle, base, offset)
                forms.append(Group(16, FLOATS[1], sparse, 0, layout, layout, cases=4))
    # Time.
    for sparse in (False, True):
        b_layout = Layout(16, 1024, 1)
        for types in [FLOATS[0], FLOATS[1], FLOATS[2], FLOATS[3], FP8[0], FP8[1], BYTES[0], *([] if sparse else BITS)]:
            wide = types in (FLOATS[1],)
            for n in (8, 16, 32, 64, 96, 128, 192, 256) if wide else (8, 64, 256):
                for a in (None, Layout(16, 1024, 1)):
                    if a is None and types not in (FLOATS[1], FLOATS[3], FP8[1], BYTES[0]):
                        continue
                    forms.append(Group(n, types, sparse, 0, a, b_layout, cases=0, timed=True))
    return forms


def sparse_forms() -> list[generate.Form]:
    """mma.sp: (shape, types of A, B and C, how many selectors there are)."""
    floats = [("m16n8k16", "f16", c, 4) for c in ("f16", "f32")] + [("m16n8k32", "f16", c, 2) for c in ("f16", "f32")]
    floats += [("m16n8k16", "bf16", "f32", 4), ("m16n8k32", "bf16", "f32", 2)]
    floats += [("m16n8k8", "tf32", "f32", 4), ("m16n8k16", "tf32", "f32", 2)]
    rows = [(shape, a, a, c, count, "") for shape, a, c, count in floats]
    rows += [("m16n8k64", a, b, "f32", 1, "") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    for bits, shapes in ((8, (("m16n8k32", 2), ("m16n8k64", 1))), (4, (("m16n8k64", 2), ("m16n8k128", 1)))):
        signs = [(f"{a}{bits}", f"{b}{bits}") for a in "us" for b in "us"]
        rows += [(shape, a, b, "s32", count, s) for shape, count in shapes for a, b in signs for s in ("", ".satfinite")]
    forms = []
    for shape, a, b, c, count, saturation in rows:
        m, n, k = generate.sizes(shape)
        registers = tuple(generate.registers(of, size) for of, size in ((a, m * k // 2), (b, k * n), (c, m * n)))
        for selector in range(count):
            for ordered in ("::ordered_metadata",) if selector else ("::ordered_metadata", "", "any"):
                text = "mma.sp" + ("::ordered_metadata" if ordered == "any" else ordered)
                written = f"{shape}.row.col{saturation}.{c}.{a}.{b}.{c}"
                name = f"{text}.{written}/sel{selector}{'any' if ordered == 'any' else ''}"
                metadata = "any_metadata" if ordered == "any" else "one_of_two" if a == "tf32" else "two_of_four"
                cases = (100 if c != "s32" else 24) if ordered == "::ordered_metadata" else 20
                forms.append(generate.Form(name, f"{text}.sync.aligned.{written}", (a, b, c), (registers[0], registers[1], registers[2]),
                                           cases, metadata, selector, timed=ordered == "::ordered_metadata" and selector == 0))
    return forms


def execute(group: Group) -> str:
    """The statement: from words a, descriptors da and db, accumulators c, and metadata e."""
    kind, count = group.types[2], group.registers()
    constraint, holder = ("f", "f") if kind == "f32" else ("r", "c")
    outputs = [f'"+{constraint}"({holder}[{i}])' for i in range(count)]
    inputs = []
    if group.a_layout is None:
        factor = generate.braces(count, 4)
        inputs += [f'"r"(a[{i}])' for i in range(4)]
    else:
        factor = f"%{count}"
        inputs.append('"l"(da)')
    operands = [generate.braces(0, count), factor, f"%{count + len(inputs)}"]
    inputs.append('"l"(db)')
    if group.sparse:
        operands += [f"%{count + len(inputs)}", str(group.selector)]
        inputs.append('"r"(e)')
    operands.append("p")
    if group.types not in BYTES + BITS:
        operands += [str(scale) for scale in group.scales]
    if group.types in FLOATS[:3]:
        operands += [str(t) for t in (group.transposed[1:] if group.a_layout is None else group.transposed)]
    scale = f"setp.ne.b32 p, %{count + len(inputs)}, 0; "
    inputs.append('"r"(accumulates)')
    text = f"{{ .reg .pred p; {scale}{group.instruction()} {', '.join(operands)}; }}"
    return f'asm volatile("{text}" : {", ".join(outputs)} : {", ".join(inputs)} : "memory");'


RUN = ("static __device__ __forceinline__ void run(const uint32_t* a, uint64_t da, uint64_t db, Accumulator* "
       "{0}, uint32_t e, int accumulates)")


def definition(group: Group, index: int) -> str:
    a, b, c = (generate.format_of(kind) for kind in group.types)
    metadata = "any_metadata" if group.any_metadata else "one_of_two" if group.types[0] == "tf32" else "two_of_four"
    lines = [
        f"using Accumulator = {'float' if group.types[2] == 'f32' else 'uint32_t'};",
        f"static constexpr int fa = {a}, fb = {b}, fc = {c}, fe = {metadata}, nc = {group.registers()}, index = {index};",
        f"static constexpr bool a_in_registers = {str(group.a_layout is None).lower()}, "
        f"sparse = {str(group.sparse).lower()}, accumulates = {str(group.accumulates).lower()};",
        f"static constexpr Layout a_layout = {(group.a_layout or COMPACT).fields()}, b_layout = {group.b_layout.fields()};",
        f"{RUN.format('f' if group.types[2] == 'f32' else 'c')} {{ {execute(group)} }}",
    ]
    return f"struct Form{index} {{\n" + "".join(f"  {line}\n" for line in lines) + "};"


def generate_program(template: str) -> str:
    forms, calls = [], []
    for index, form in enumerate(sparse_forms()):
        forms.append(f"struct Form{index} {{\n  {generate.constants(form, index)}\n  {generate.RUN} {{ {generate.execute(form)} }}\n}};")
        calls.append(f'  probe<Form{index}>("{form.name}", {form.cases});')
    for index, group in enumerate(group_forms(), start=len(forms)):
        forms.append(definition(group, index))
        call = "time_group" if group.timed else "probe_group"
        calls.append(f'  {call}<Form{index}>("{group.name()}", {group.cases});')
    template = "#define GROUPS 1\n" + template
    return template.replace("// FORMS\n", "\n".join(forms) + "\n").replace("  // CALLS\n", "\n".join(calls) + "\n")


def names() -> list[str]:
    return [form.name for form in sparse_forms()] + [group.name() for group in group_forms()]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(generate_program(generate.TEMPLATE.read_text(encoding="utf-8")), encoding="utf-8")
