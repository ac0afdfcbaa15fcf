"""A real Slurm on this machine: munge, a controller and nodes, in one folder, under the caller's account.

As a script, it starts one and runs a command in it, for trying `--executor slurm` without a cluster:

    python3 -m grader.course.testing.slurm_cluster --nodes 2 -- build/sim/bin/warpbook grade ... --executor slurm
"""

from __future__ import annotations

import argparse
import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
START_S = 60.0

CONFIGURATION = """\
ClusterName=warpbook
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldTimeout=10
MessageTimeout=5
SlurmdTimeout=6
InactiveLimit=0
MinJobAge=60
KillWait=2
JobRequeue=1
SchedulerParameters=batch_sched_delay=0,sched_interval=1
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs() -> list[str]:
    """What must be installed first (Debian: slurm-wlm munge)."""
    return [program for program in PROGRAMS if shutil.which(program, path=SYSTEM_PATH) is None]


def require_slurm() -> None:
    """For tests: they are skipped where there is no Slurm, but never in continuous integration."""
    missing = missing_programs()
    if missing and os.environ.get("CI"):
        raise RuntimeError(f"{', '.join(missing)} not found: common/setup.sh --develop installs them")
    if missing:
        raise unittest.SkipTest(f"{', '.join(missing)} not found: common/setup.sh --develop installs them")


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class SlurmCluster:
    """Use it as a context manager; `environment` is what Slurm's commands need. Nodes are called node0, node1, ..."""

    def __init__(self, nodes: int = 2, tasks_per_node: int = 1) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wb-slurm-", dir="/tmp"))  # Paths of sockets must be short.
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": f"{os.environ.get('PATH', '')}:{SYSTEM_PATH}"}
        self._nodes = [f"node{i}" for i in range(nodes)]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        ports = _free_ports(nodes + 1)
        lines = [f"NodeName={name} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={port} CPUs={tasks_per_node} "
                 "RealMemory=1000 State=UNKNOWN" for name, port in zip(self._nodes, ports[1:])]
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=socket.gethostname(), user=getpass.getuser(), controller_port=ports[0],
            nodes="\n".join(lines)), encoding="ascii")

    def __enter__(self) -> SlurmCluster:
        try:
            key = self.folder / "munge.key"
            key.write_bytes(secrets.token_bytes(128))
            key.chmod(0o400)
            self._start("munged", ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                                   f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                                   f"--seed-file={self.folder}/munge.seed"])
            self._wait("munge", lambda: (self.folder / "munge.socket").exists())
            self.start_controller()
            for name in self._nodes:
                self.start_node(name)
            self._wait("the nodes", lambda: all(self.state_of(name).startswith("idle") for name in self._nodes))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start_controller(self) -> None:
        self._start("slurmctld", ["slurmctld", "-D", "-i"])

    def stop_controller(self) -> None:
        """As for maintenance: it saves its state. Tasks continue."""
        self._end("slurmctld", signal.SIGTERM)

    def start_node(self, name: str) -> None:
        self._start(name, ["slurmd", "-D", "-N", name])

    def lose_node(self, name: str) -> None:
        """As if its power were cut: the daemon and all tasks on it end at once."""
        self._end(name, signal.SIGKILL)
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "environ").read_bytes().split(b"\0")
                line = (process / "cmdline").read_bytes()
            except OSError:
                continue
            of_task = f"SLURMD_NODENAME={name}".encode() in words and f"SLURM_CONF={self.folder}/slurm.conf".encode() in words
            if of_task or (line.startswith(b"slurmstepd: [") and self._is_step_of(process, name)):
                try:
                    os.kill(int(process.name), signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def _is_step_of(self, process: Path, name: str) -> bool:
        """Whether a slurmstepd has files of the node's own folder open."""
        try:
            return any(str(self.folder / name) in os.readlink(file) for file in (process / "fd").iterdir())
        except OSError:
            return False

    def state_of(self, name: str) -> str:
        done = subprocess.run(["sinfo", "--noheader", "--Node", f"--nodes={name}", "--format=%T"], env=self.environment,
                              capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def close(self) -> None:
        for name in [*self._nodes, "slurmctld", "munged"]:
            self._end(name, signal.SIGTERM)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, name: str, command: list[str]) -> None:
        with open(self.folder / f"{name}.out", "ab") as out:
            self._processes[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                                                     stderr=subprocess.STDOUT, start_new_session=True)

    def _end(self, name: str, number: int) -> None:
        process = self._processes.pop(name, None)
        if process is None:
            return
        process.send_signal(number)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _wait(self, what: str, ready) -> None:
        end = time.monotonic() + START_S
        while not ready():
            ended = [name for name, process in self._processes.items() if process.poll() is not None]
            if ended or time.monotonic() > end:
                logs = "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"{what} did not start ({', '.join(ended) or 'too slow'}):\n{logs}")
            time.sleep(0.1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="slurm_cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if missing := missing_programs():
        print(f"slurm_cluster: {', '.join(missing)} not found; install slurm-wlm and munge (common/setup.sh --develop)", file=sys.stderr)
        return 2
    with SlurmCluster(options.nodes) as cluster:
        return subprocess.run(options.command, env=cluster.environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
