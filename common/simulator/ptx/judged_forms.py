#!/usr/bin/env python3
"""Asks ptxas again about the snippets of testdata/judged_forms.txt, and tells where its answer is not the one that is written."""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SNIPPETS = HERE / "testdata" / "judged_forms.txt"
REGISTERS = """.global .align 16 .b8 gm[1024];
.visible .entry k(.param .u64 p0)
{
.reg .b8 %y<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %l<10>; .reg .f32 %f<10>; .reg .f64 %d<10>; .reg .pred %p<10>;
.reg .u32 %ru<10>; .reg .s32 %rs<10>; .shared .align 128 .b8 sm[1024];
"""


@dataclass
class Snippet:
    verdict: str
    name: str
    target: str
    text: str

    def module(self) -> str:
        head = f".version 9.0\n.target {self.target}\n.address_size 64\n"
        return head + (self.text if ".entry" in self.text else f"{REGISTERS}{self.text}ret;\n}}\n")


def snippets() -> list[Snippet]:
    found: list[Snippet] = []
    for line in SNIPPETS.read_text(encoding="utf-8").splitlines():
        if start := re.fullmatch(r"(refused|taken|elsewhere): (.*?)(?: @(\w+))?", line):
            found.append(Snippet(start[1], start[2], start[3] or "sm_90", ""))
        elif found and line:
            found[-1].text += line + "\n"
    return found


def main() -> int:
    if shutil.which("ptxas") is None:
        print("judged_forms.py: there is no ptxas on PATH: add the bin folder of a CUDA toolkit", file=sys.stderr)
        return 2
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "snippet.ptx"
        for snippet in snippets():
            source.write_text(snippet.module(), encoding="utf-8")
            command = ["ptxas", f"-arch={snippet.target}", str(source), "-o", "/dev/null"]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if (answer.returncode != 0) != (snippet.verdict == "refused"):
                differences += 1
                print(f"{snippet.name}: ptxas {'refuses: ' + answer.stderr.strip() if answer.returncode else 'takes it'}")
    print(f"{len(snippets())} snippets, {differences} differences")
    return int(differences != 0)


if __name__ == "__main__":
    sys.exit(main())
