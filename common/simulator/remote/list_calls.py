#!/usr/bin/env python3
"""Generates the lists of API calls that are sent to a device in another process: runtime_calls.def, driver_calls.def.

    list_calls.py            rewrite both lists
    list_calls.py --check    exit 1 if a list is not what would be written

A call of the runtime or of the driver (a name that some *_api.cpp there defines) is in a list unless some *_api.cpp in
front/ or front_driver/ defines it by hand: because its arguments cannot be derived from their types, or because it is
executed in the program's process.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
# Built into the front library from the driver's own source: they need no device.
SAME_IN_EVERY_PROCESS = ("cuGetErrorName", "cuGetErrorString", "cuTensorMapEncodeIm2col", "cuTensorMapEncodeTiled",
                         "cuTensorMapReplaceAddress")
# Entry points that also run in the program's process: their requests are sent as messages `graph` or `copy`.
SHARED = ("array_copy_api.cpp", "batch_api.cpp", "capture_api.cpp", "cluster_api.cpp", "dev_resource_api.cpp", "graph_api.cpp",
          "graph_exec_api.cpp",
          "graph_node_api.cpp",  # Of both APIs.
          "driver_entry_api.cpp", "legacy_launch_api.cpp", "older_calls_api.cpp",
          "stream_batch_api.cpp")  # These send nothing themselves.
DEFINITION = re.compile(r"^([a-zA-Z][\w* ]*?)[ ]?\b((?:__)?cu(?:da)?[A-Z]\w*)\(([^;{]*?)\) \{", re.M | re.S)


def definitions(folder):
    """Result and parameters of the calls that the sources of a folder define, by name."""
    calls = {}
    for source in sorted(folder.glob("*_api.cpp")):
        if source.name in SHARED:
            continue
        for found in DEFINITION.finditer(source.read_text()):
            calls[found.group(2)] = found.group(1), re.sub(r"\s+", " ", found.group(3)).strip()
    return calls


def pairs(parameters):
    """The parameters, each with a name, and the names."""
    for index, parameter in enumerate(p.strip() for p in parameters.split(",") if p.strip()):
        named = re.search(r"[ *](\w+)$", parameter)
        plain = parameter.split()[-1] in ("unsigned", "int", "long", "char", "size_t") or " " not in parameter
        if named and not plain:
            yield parameter, named.group(1)
        else:
            yield f"{parameter} p{index}", f"p{index}"


def rows(folder, front):
    by_hand = definitions(front)
    for name, (result, parameters) in sorted(definitions(folder).items()):
        if name in by_hand or name in SAME_IN_EVERY_PROCESS:
            continue
        listed = list(pairs(parameters))
        arguments = "".join(f", {argument}" for _, argument in listed)
        yield f"WB_REMOTE({result}, {name}, ({', '.join(parameter for parameter, _ in listed)}), ({name}{arguments}))"


def main(arguments):
    differ = False
    for file, api, folder, front in (("runtime_calls.def", "runtime", "runtime", "front"),
                                     ("driver_calls.def", "driver", "driver", "front_driver")):
        head = f"// Calls of the {api} API that go to a device in another process. Made by list_calls.py. Read by calls.h.\n"
        text = head + "\n".join(rows(HERE.parent / folder, HERE / front)) + "\n"
        if arguments == ["--check"]:
            if (HERE / file).read_text() != text:
                print(f"{HERE / file} is not what its sources say. Run {HERE / 'list_calls.py'}")
                differ = True
        else:
            (HERE / file).write_text(text)
        print(f"{file}: {text.count('WB_REMOTE(')} calls")
    return 1 if differ else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
