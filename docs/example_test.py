"""Runs docs/examples/strided.cu's program on the virtual GPU and checks what docs/engineer.md says about it."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

METRIC = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
EXPECTED = [4, 8, 16, 32, 32, 32]


def main(program: str, runtime: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        environment = {**os.environ, "LD_LIBRARY_PATH": runtime, "WARPBOOK_PROFILE": str(profile)}
        subprocess.run([program], env=environment, check=True)
        kernels = json.loads(profile.read_text(encoding="utf-8"))["kernels"]
    found = [kernel["metrics"][METRIC] for kernel in kernels]
    print(f"sectors per request: found {found}, expected {EXPECTED}")
    return 0 if found == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
