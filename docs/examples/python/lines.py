"""Prints what a profile counted for each line of source that reads or writes memory: lines.py PROFILE."""

import json
import linecache
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    kernels = json.load(file)["kernels"]
for kernel in kernels:
    print(f"{kernel['name'].partition('(')[0]}: {kernel['registers']} registers, {kernel['time_us']:.2f} us")
    for line in kernel["lines"]:
        text = linecache.getline(line["file"], line["line"]).strip()
        for access in line["accesses"]:
            each = access["sectors"] / access["requests"]
            print(f"  {line['line']:3}: {text:32} {access['space']} {access['op']}: {each:g} sectors per request")
