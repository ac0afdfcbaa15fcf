"""Compiles a .cu file by nvcc's own steps, independent ones at the same time: a student waits for this.

    nvcc_steps.py NVCC ARGUMENT...

nvcc says with --dryrun what it would run: the C++ preprocessor, cudafe++ and the C++ compiler for the host; the preprocessor,
cicc, ptxas and fatbinary for the device. It runs the two sides one after the other, with --threads too, as cicc reads the module's
name that cudafe++ makes up. Here both are given a name, and run side by side.

What the steps print comes in nvcc's order, up to the first that fails, whose exit status is returned. With flags or steps that this
script does not know, nvcc runs as it is.

The host's compiler includes the device's code as numbers. Here it includes a reference to the file with that code, which only the
assembler reads: so it need not wait for ptxas.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# Flags that nvcc is not asked about: this script writes the dependencies, and needs no threads of nvcc.
OURS = {"-MD", "--threads=2"}
KNOWN = re.compile(r'"?(?:[\w./+-]*\b(?:gcc|g\+\+|c\+\+)(?:-\d+)?|cudafe\+\+|\$CICC_PATH/cicc|ptxas|fatbinary)"? ')


class Unknown(Exception):
    """What nvcc would run is not what this script knows."""


class Step:
    """A command of nvcc. It begins when the earlier ones that name a file of its own have ended."""

    def __init__(self, command: str, folder: str, earlier: list[Step]):
        self.command = command
        # Both sides read the module's name, and only read it.
        self.files = {file for file in re.findall(re.escape(folder) + r'/[^\s"\',]+', command) if not file.endswith(".module_id")}
        self.needs = [step for step in earlier if step.files & self.files]
        self.process: subprocess.Popen[bytes] | None = None
        self.status: int | None = None  # None: not run, as a step before it failed.
        self.output = b""


class Steps:
    """The steps of one compilation, each in a thread of its own."""

    def __init__(self, steps: list[Step], environment: dict[str, str]):
        self.steps = steps
        self.environment = environment
        self.lock = threading.Lock()
        self.stopped = False
        self.threads = {step: threading.Thread(target=self.run_one, args=(step,)) for step in steps}

    def run_one(self, step: Step) -> None:
        for need in step.needs:
            self.threads[need].join()
        if any(need.status != 0 for need in step.needs):
            return
        with self.lock:
            if self.stopped:
                return
            step.process = subprocess.Popen(f"exec {step.command}", shell=True, env=self.environment, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        step.output = step.process.communicate()[0]
        step.status = step.process.returncode

    def run(self) -> int:
        """Returns the exit status of the first step in nvcc's order that fails, or 0; the others are stopped then."""
        for thread in self.threads.values():
            thread.start()
        status = 0
        for step, thread in self.threads.items():
            thread.join()
            sys.stderr.buffer.write(step.output)
            status = step.status or 0
            if status:
                break
        with self.lock:
            self.stopped = True
            for step in self.steps:
                if step.process and step.process.poll() is None:
                    step.process.kill()
        for thread in self.threads.values():
            thread.join()
        return status


def read(listing: str, folder: str, module: str) -> Steps:
    """The steps of nvcc's --dryrun @p listing, which keeps its files in @p folder; each preprocessor also writes a .d file there."""
    steps: list[Step] = []
    environment = dict(os.environ)
    for line in listing.splitlines():
        command = line.removeprefix("#$ ")
        variable = re.match(r"([A-Z]+(?:_[A-Z]+)*)=(\S*)\s*$", command)
        if variable:
            environment[variable[1]] = re.sub(r"\$(\w+)", lambda name: environment.get(name[1], ""), variable[2])
        elif re.match(r"\w+=", command):
            continue  # Lists of flags, which the commands below hold already.
        elif command == line or not KNOWN.match(command):
            raise Unknown(line)
        else:
            for file in re.findall(r'--module_id_file_name "([^"]+)"', command):
                Path(file).write_text(module, encoding="utf-8")
            command = command.replace(" --gen_module_id_file ", " ")
            if " -E " in command:
                command += f" -MD -MT object -MF {folder}/{len(steps)}.d"
            steps.append(Step(command, folder, steps))
    if not steps or " -c " not in steps[-1].command:
        raise Unknown("no step that writes the object")
    steps[-1].needs = steps[:-1]  # The host's compiler includes what the device's side wrote, without naming it.
    assemble_apart(steps, folder, environment)
    return Steps(steps, environment)


def assemble_apart(steps: list[Step], folder: str, environment: dict[str, str]) -> None:
    """Lets the host's compiler begin without the device's machine code; the assembler, a step of its own, puts that in."""
    *_, binary, host = steps
    created, embedded = (re.search(rf'--{flag}="([^"]+)"', binary.command) for flag in ("create", "embedded-fatbin"))
    made = re.search(r'-o "([^"]+)"\s*$', host.command)
    if not (created and embedded and made):
        raise Unknown(binary.command)
    without_code = re.sub(r'"--image3=[^"]*"', "", binary.command.replace(created[0], ""))
    write_reference(created[1], Path(embedded[1]), without_code, folder, environment)
    binary.command = binary.command.replace(embedded[0], "")
    assembly = f'"{folder}/host.s"'
    host.needs = [step for step in host.needs if not re.match(r"ptxas|fatbinary", step.command)]
    host.command = host.command.replace(" -c ", " -S ").replace(made[0], f"-o {assembly}")
    steps.append(Step(f'{host.command.split()[0]} -m64 -c {assembly} {made[0]}', folder, []))
    steps[-1].needs = steps[:-1]


def write_reference(binary: str, embedded: Path, command: str, folder: str, environment: dict[str, str]) -> None:
    """Writes into @p embedded what fatbinary's @p command writes around other device code, with the file @p binary in its place."""
    other = f"{folder}/other"
    Path(f"{other}.ptx").write_text(".version 7.8\n.target sm_90\n.address_size 64\n", encoding="utf-8")
    subprocess.run(f'{command} --create="{other}.fatbin" "--image3=kind=ptx,sm=90,file={other}.ptx"', shell=True, env=environment,
                   capture_output=True, check=False)
    text = embedded.read_text(encoding="utf-8") if embedded.is_file() else ""
    parts = re.split(r'(?:".quad [^"]*"\n)+', text)
    if len(parts) != 2:
        raise Unknown(command)
    embedded.write_text(f'".incbin \\"{binary}\\"\\n"\n'.join(parts), encoding="utf-8")


def dependencies(folder: str) -> list[str]:
    """The files that the preprocessors have read, as they stand in a rule of make."""
    rules = (path.read_text(encoding="utf-8").partition(":")[2] for path in sorted(Path(folder).glob("*.d")))
    return list(dict.fromkeys(word for rule in rules for word in re.findall(r"(?:\\[^\n]|[^\s\\])+", rule)))


def value_of(flag: str, arguments: list[str]) -> str:
    try:
        return arguments[arguments.index(flag) + 1]
    except (ValueError, IndexError):
        raise Unknown(f"no {flag}") from None


def compile_by_steps(nvcc: str, arguments: list[str]) -> int:
    source, made, rules = (value_of(flag, arguments) for flag in ("-c", "-o", "-MF"))
    asked = [flag for flag, before in zip(arguments, ["", *arguments]) if flag not in OURS | {"-MF"} and before != "-MF"]
    # As nvcc writes it; another for each object, since it is part of the names of what is static.
    digest = hashlib.sha256(repr((os.getcwd(), arguments)).encode()).hexdigest()
    letters = re.sub(r"\W", "_", Path(source).name)
    module = f"_{digest[:8]}_{len(letters)}_{letters}_{digest[8:16]}"
    with tempfile.TemporaryDirectory(prefix="nvcc_") as folder:
        listed = subprocess.run([nvcc, "--dryrun", "--keep", f"--keep-dir={folder}", *asked], capture_output=True, text=True)
        if listed.returncode:
            raise Unknown(listed.stderr)
        status = read(listed.stderr, folder, module).run()
        if status < 0:
            raise Unknown(f"killed by signal {-status}")  # nvcc says which of its programs.
        if status == 0:
            Path(rules).write_text(f"{made} : " + " \\\n    ".join(dependencies(folder)) + "\n", encoding="utf-8")
        return status


def main() -> int:
    nvcc, *arguments = sys.argv[1:]
    try:
        return compile_by_steps(nvcc, arguments)
    except Unknown:
        os.execvp(nvcc, [nvcc, *arguments])


if __name__ == "__main__":
    sys.exit(main())
