#!/usr/bin/env python3
"""Generates the lists of API calls that follow a rule: unsupported_calls.def and per_thread_calls.def.

    list_calls.py LIBCUDART CUDA_INCLUDE     rewrite both lists
    list_calls.py --check LIBCUDART OURS     compare the exported names of two libraries

LIBCUDART is NVIDIA's libcudart.so.13, whose exported names the library must have. A name that some *_api.cpp of this
folder defines is supported; NAME_ptsz and NAME_ptds are made from a supported NAME by switching the default stream;
every other name fails with cudaErrorNotSupported.
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
    return {name for name in names if name.startswith(("cuda", "__cuda"))}


def supported():
    """Names that the hand-written sources define."""
    names = set()
    for source in sorted(HERE.glob("*_api.cpp")):
        names |= set(re.findall(r"^[a-zA-Z][\w* ]*?\b((?:__)?cuda\w+)\([^;]*?\)\s*\{", source.read_text(), re.M | re.S))
    return names


def declarations(include):
    """Parameter lists by name, from the toolkit's header."""
    text = (pathlib.Path(include) / "cuda_runtime_api.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = re.findall(r"cudaError_t\s+CUDARTAPI\s+(\w+)\s*\(([^;]*?)\)\s*;", text, flags=re.S)
    return {name: re.sub(r"\s+", " ", parameters).strip() for name, parameters in found}


def plain(parameters):
    """The parameter list without default values and the toolkit's decorations."""
    out = []
    for parameter in re.sub(r"__dv\([^)]*\)", "", parameters).split(","):
        parameter = re.sub(r"\b(enum|struct)\s+", "", parameter).strip()
        if parameter and parameter != "void":
            out.append(re.sub(r"\s+", " ", parameter))
    return out


def write_lists(library, include):
    names, ours, known = exported(library), supported(), declarations(include)
    per_thread, unsupported = [], []
    known["__cudaLaunchKernel"] = ("cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, "
                                   "cudaStream_t stream")
    for name in sorted(names - ours):
        base = re.sub(r"_pt[sd][sz]$", "", name)
        if base != name and base in ours and base in known:
            parameters = plain(known[base])
            arguments = [re.search(r"(\w+)$", parameter).group(1) for parameter in parameters]
            per_thread.append(f"WB_PER_THREAD({name}, {base}, ({', '.join(parameters)}), ({', '.join(arguments)}))")
        else:
            unsupported.append(f"WB_UNSUPPORTED({name})")
    head = "Made by list_calls.py. Read by {}."
    for file, reader, what, rows in (
            ("per_thread_calls.def", "per_thread_calls.cpp", "Calls whose default stream is the thread's own.", per_thread),
            ("unsupported_calls.def", "unsupported_calls.cpp", "Calls that fail with cudaErrorNotSupported.", unsupported)):
        text = f"// {what} {head.format(reader)}\n" + "\n".join(rows) + "\n"
        (HERE / file).write_text(text)
        print(f"{file}: {len(rows)} calls")


def check(library, ours):
    missing, extra = exported(library) - exported(ours), exported(ours) - exported(library)
    for name in sorted(missing):
        print(f"missing: {name} is exported by {library} and not by {ours}: run list_calls.py")
    for name in sorted(extra):
        print(f"extra: {name} is exported by {ours} and not by {library}")
    print(f"{len(exported(ours))} names compared")
    return 1 if missing else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2], sys.argv[3]))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_lists(sys.argv[1], sys.argv[2])
