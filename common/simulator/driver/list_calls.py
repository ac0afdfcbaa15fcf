#!/usr/bin/env python3
"""Generates the lists of driver calls that follow a rule: unsupported_calls.def, per_thread_calls.def, entry_points.def.

    list_calls.py LIBCUDA CUDA_INCLUDE       rewrite the lists
    list_calls.py --check LIBCUDA OURS       compare the exported names of two libraries

LIBCUDA is NVIDIA's libcuda.so.1 or its stub from a toolkit, whose exported names the library must have. A name that some
*_api.cpp of this folder defines is supported; NAME_ptsz and NAME_ptds are made from a supported NAME by switching the
default stream; every other name fails with CUDA_ERROR_NOT_SUPPORTED. Which version of a call came with which version of
CUDA is in cudaTypedefs.h.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def exported(library):
    """Names of the functions that a shared library exports."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1].split("@")[0] for line in lines.splitlines() if line.split()[-2] in "TW"}
    return {name for name in names if re.match(r"cu[A-Z]", name)}


def supported():
    """Parameter lists of the calls that the hand-written sources define, by name."""
    calls = {}
    for source in sorted(HERE.glob("*_api.cpp")):
        for name, parameters in re.findall(r"^CUresult (cu\w+)\(([^)]*(?:\([^)]*\)[^)]*)*)\) \{", source.read_text(), re.M):
            calls[name] = re.sub(r"\s+", " ", parameters)
    return calls


def argument(parameter, index):
    """The parameter with a name, and the name."""
    found = re.search(r"[ *](\w+)$", parameter)
    types = ("unsigned", "int", "long", "char", "size_t")
    if found and found.group(1) not in types and not parameter.endswith("*") and " " in parameter:
        return parameter, found.group(1)
    return f"{parameter} p{index}", f"p{index}"


def write_lists(library):
    names, ours = exported(library), supported()
    per_thread, unsupported = [], []
    for name in sorted(names - set(ours)):
        base = re.sub(r"_pt[sd][sz]$", "", name)
        if base != name and base in ours:
            pairs = [argument(p.strip(), i) for i, p in enumerate(ours[base].split(",")) if p.strip()]
            parameters = ", ".join(parameter for parameter, _ in pairs)
            arguments = ", ".join(argument for _, argument in pairs)
            per_thread.append(f"WB_PER_THREAD({name}, {base}, ({parameters}), ({arguments}))")
        else:
            unsupported.append(f"WB_UNSUPPORTED({name})")
    for file, reader, what, rows in (
            ("per_thread_calls.def", "per_thread_calls.cpp", "Calls that use the per-thread default stream.", per_thread),
            ("unsupported_calls.def", "unsupported_calls.cpp", "Calls that fail with CUDA_ERROR_NOT_SUPPORTED.", unsupported)):
        text = f"// {what} Made by list_calls.py. Read by {reader}.\n" + "\n".join(rows) + "\n"
        (HERE / file).write_text(text)
        print(f"{file}: {len(rows)} calls")


def write_entry_points(library, include):
    """The exported name for a call and a CUDA version: the typedefs give the versions, the names their order."""
    names, versions = exported(library), {}
    text = (pathlib.Path(include) / "cudaTypedefs.h").read_text()
    for name, version in re.findall(r"\bPFN_(cu[A-Z]\w*?)_v(\d+)\)", text):
        versions.setdefault(name, set()).add(int(version))
    rows = []
    for name in sorted(versions):
        suffixes = [suffix for suffix in ("", "_v2", "_v3", "_v4") if name + suffix in names]
        since = sorted(versions[name])[-len(suffixes):] if suffixes else []
        rows += [f"WB_ENTRY_POINT({name}, {version}, {suffix.strip('_') or 'v1'})"
                 for version, suffix in zip(since, suffixes[-len(since):])]
    head = "// The CUDA version that made each version of a call the default. Made by list_calls.py. Read by entry_points.cpp.\n"
    (HERE / "entry_points.def").write_text(head + "\n".join(rows) + "\n")
    print(f"entry_points.def: {len(rows)} versions of calls")


def check(library, ours):
    missing, extra = exported(library) - exported(ours), exported(ours) - exported(library)
    for name in sorted(missing):
        print(f"missing: {name} is exported by {library} and not by {ours}: run list_calls.py")
    for name in sorted(extra):
        print(f"extra: {name} is exported by {ours} and not by {library}")
    print(f"{len(exported(ours))} names compared")
    return 1 if missing or extra else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2], sys.argv[3]))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_lists(sys.argv[1])
    write_entry_points(sys.argv[1], sys.argv[2])
