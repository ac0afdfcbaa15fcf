"""The debugger on a real program: commands and their answers, a person at a terminal, and the page's session."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[3] / "docs" / "debugger.md"
WARPBOOK = os.environ["WARPBOOK_COMMAND"]
PROGRAMS = Path(os.environ["WARPBOOK_PROGRAMS"])
HAS_VARIABLES = os.environ.get("WARPBOOK_HAS_LIBDW", "1") == "1"


def debug(
    *commands: str, program: str = "debuggee", arguments: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> tuple[str, int]:
    """What the debugger and the program print, and the exit code."""
    line = [WARPBOOK, "debug", "--batch", *options]
    for command in commands:
        line += ["-ex", command]
    line += ["--", str(PROGRAMS / program), *arguments]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr, done.returncode


def script(text: str, **options: Any) -> tuple[str, int]:
    """The same for commands on standard input, which are shown behind their prompts."""
    line = [WARPBOOK, "debug", "--", str(PROGRAMS / options.get("program", "debuggee"))]
    done = subprocess.run(line, input=text, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout, done.returncode


class Said(unittest.TestCase):
    def check(self, said: str, *expected: str) -> None:
        """The texts are there, in this order."""
        at = 0
        for text in expected:
            found = said.find(text, at)
            self.assertGreaterEqual(found, 0, f"{text!r} is missing in\n{said}")
            at = found + len(text)


class Commands(Said):
    def test_a_program_without_breakpoints_runs_as_ever(self) -> None:
        said, code = debug("run")
        self.check(said, "cudaSuccess, out[70] = 4010\n", "[The program exited normally]")
        self.assertEqual(code, 0)

    def test_it_stops_at_lines_in_kernels_and_in_functions(self) -> None:
        said, code = debug("break debuggee.cu:28", "break scale", "break sums", "run", "continue", "continue", "bt")
        self.check(said, "Breakpoint 1 (debuggee.cu:28) pending.", "Breakpoint 2 (scale) pending.")
        self.check(
            said,
            "[Switching focus to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 0, warp 0, lane 0]",
            "CUDA thread hit Breakpoint 3, sums<<<(2,1,1),(64,1,1)>>> (",
            "at debuggee.cu:24\n24\t  int i = blockIdx.x",
            "hit Breakpoint 1, ",
            "28\t  q.x += threadIdx.x;",
            "hit Breakpoint 2, scale (",
            "18\t  float result = value * factor;",
            "#0  scale (",
            "#1  sums<<<(2,1,1),(64,1,1)>>> (",
            "at debuggee.cu:30",
        )
        self.assertEqual(code, 0)

    def test_a_line_without_code_means_the_next_one(self) -> None:
        said, _ = debug("break sums", "run", "break 21", "info breakpoints")
        self.check(said, "Breakpoint 2: file debuggee.cu, line 22.", "hit 1 time", "debuggee.cu:22")

    def test_a_condition_chooses_the_thread(self) -> None:
        said, _ = debug(
            "break debuggee.cu:32 if blockIdx.x == 1 && threadIdx.x == 6",
            "run",
            "print threadIdx",
            "cuda block thread",
            "info breakpoints",
        )
        self.check(
            said,
            "block (1,0,0), thread (6,0,0)",
            "$1 = {x = 6, y = 0, z = 0}",
            "block (1,0,0), thread (6,0,0)\n",
            "if blockIdx.x == 1 && threadIdx.x == 6, already hit 1 time",
        )

    def test_hits_are_ignored_as_often_as_asked(self) -> None:
        said, _ = debug("break debuggee.cu:32", "ignore 1 3", "run", "info breakpoints")
        self.check(said, "Will ignore next 3 crossings", "block (1,0,0), thread (", "already hit 4 times")

    def test_it_steps_over_and_into_functions_and_out(self) -> None:
        said, _ = debug("break debuggee.cu:29", "run", "delete", "next", "step", "step", "finish", "next", "next", "stepi")
        self.check(
            said,
            "29\t  Colour colour",
            "30\t  tile[threadIdx.x] = scale(in[i], 3);",
            "scale (",
            "18\t  float result",
            "19\t  return result;",
            "Run till exit from #0  scale (",
            "30\t  tile[",
            "31\t  __syncthreads();",
            "32\t  if (i < n) {",
            "32\t  if (i < n) {",
        )
        said, _ = debug("break debuggee.cu:29", "run", "delete", "next", "next")
        self.check(said, "30\t", "31\t  __syncthreads();")
        self.assertNotIn("18\t", said)

    def test_the_focus_goes_to_any_thread(self) -> None:
        said, _ = debug(
            "break debuggee.cu:32",
            "run",
            "cuda thread 33",
            "print threadIdx.x",
            "cuda warp 0 lane 4",
            "print threadIdx.x",
            "cuda thread (99,0,0)",
        )
        self.check(
            said,
            "thread (33,0,0), device 0, sm 0, warp 1, lane 1]",
            "$1 = 33",
            "thread (4,0,0)",
            "$2 = 4",
            "the block has no thread (99,0,0)",
        )
        said, _ = debug("break debuggee.cu:32", "run", "cuda block 1")
        self.check(said, "block (1,0,0) does not run now")

    def test_tables_show_who_is_where(self) -> None:
        said, _ = debug(
            "break debuggee.cu:31 if threadIdx.x == 40",
            "run",
            "info cuda threads",
            "info warps",
            "info blocks",
            "info kernels",
            "info barriers",
            "info lanes",
        )
        self.check(
            said,
            "(0,0,0)",
            "(31,0,0)",
            "32     debuggee.cu:31  at barrier",
            "(32,0,0)",
            "debuggee.cu:31  active",
            "0xffffffff",
            "running",
            "sums<<<(2,1,1),(64,1,1)>>>",
            "Waiting threads",
            "32",
            "debuggee.cu:31",
        )

    def test_registers_and_memory_are_shown(self) -> None:
        said, _ = debug("break debuggee.cu:32", "run", "info registers", "print $r1", "x/2fw in", "x/2xb &tile[1]")
        self.check(said, "Register", "%r1")
        if HAS_VARIABLES:
            self.check(said, ":\t0\t1\n", ":\t0x00\t0x00\n")

    def test_errors_say_what_is_wrong(self) -> None:
        said, code = debug("frobnicate", "break sums", "run", "print wrong", "print 1 +", "s x", "info wrong", "finish")
        self.check(
            said,
            'Undefined command: "frobnicate".',
            'No symbol "wrong" in current context.',
            "A syntax error in expression",
            "Bad number: 'x'.",
            'Undefined info command: "wrong".',
            '"finish" not meaningful in the outermost frame.',
        )
        self.assertEqual(code, 0)

    def test_lines_alone_are_enough_to_stop(self) -> None:
        said, _ = debug("break debuggee.cu:32 if threadIdx.x == 5", "run", "print blockDim.x", "print i", program="with_lines")
        self.check(said, "hit Breakpoint 1, sums<<<", "$1 = 64", 'No symbol "i" in current context. (Compile with nvcc -G')

    def test_run_starts_the_program_again_with_its_breakpoints(self) -> None:
        said, code = script("break sums\nrun\nrun\ninfo breakpoints\nquit 4\n")
        self.assertEqual(said.count("hit Breakpoint 1"), 2)
        self.assertEqual(code, 4)


@unittest.skipUnless(HAS_VARIABLES, "built without libdw")
class Variables(Said):
    def test_variables_have_the_names_of_the_source(self) -> None:
        said, _ = debug(
            "break debuggee.cu:37 if i == 70",
            "run",
            "info locals",
            "info args",
            "print q.v[1]",
            "print tile[7]@2",
            "print &tile[7]",
            "print *in@3",
            "print/x n",
            "print local",
            "print weights",
            "print counter",
            "ptype q",
            "whatis in",
            "print colour == red",
            "print sum > 1000 ? i : n",
        )
        self.check(
            said,
            "sum = 4008",
            "q = {x = 7.5, id = 7, v = {2, 3}}",
            "i = 70",
            "colour = red",
            "n = 128",
            "p = {x = 1.5, id = 7, v = {2, 3}}",
            "$1 = 3",
            "$2 = {213, 216}",
            "$3 = (float *) 0x",
            "$4 = {0, 1, 2}",
            "$5 = 0x80",
            "$6 = {0, 70, 140, 210}",
            "$7 = {1, 2, 3, 4}",
            "$8 = 5",
            "float x;\n    int id;\n    double v[2];",
            "type = const float *",
            "$9 = true",
            "$10 = 70",
        )

    def test_each_thread_has_its_own(self) -> None:
        said, _ = debug("break debuggee.cu:31", "run", "print i", "cuda lane 9", "print i", "print local[2]", "display i", "next")
        self.check(said, "$1 = 0", "$2 = 9", "$3 = 18", "1: i = 9", "1: i = 32")

    def test_callers_are_looked_at(self) -> None:
        said, _ = debug("break scale if value == 3", "run", "print factor", "up", "print i", "down", "print value")
        self.check(said, "scale (value=3, factor=3)", "$1 = 3", "#1  sums<<<", "$2 = 3", "#0  scale", "$3 = 3")

    def test_writes_are_seen(self) -> None:
        said, _ = debug("break debuggee.cu:24", "run", "delete", "watch tile[3]", "continue", "print tile[3]", "continue")
        self.check(
            said,
            "Hardware watchpoint 2: tile[3]",
            "Old value = nan",
            "New value = 9",
            "Written by block (0,0,0), thread (3,0,0) at debuggee.cu:30 (st.",
            "$1 = 9",
            "Watchpoint 2 deleted because its kernel has ended",
        )

    def test_reads_are_seen(self) -> None:
        said, _ = debug("break debuggee.cu:31 if threadIdx.x == 40", "run", "delete", "rwatch tile[35]", "continue")
        self.check(said, "Hardware read watchpoint 2: tile[35]", "Value = 105", "Read by block (0,0,0), thread (35,0,0)")
        self.assertIn("debuggee.cu:35 (ld.f32)", said)

    def test_a_register_is_watched(self) -> None:
        said, _ = debug("break debuggee.cu:35 if i == 5", "run", "delete", "watch sum", "continue")
        self.check(said, "Hardware watchpoint 2: sum", "Old value = 0", "New value = 15", "thread (5,0,0) at debuggee.cu:34")

    def test_a_variable_of_the_device_is_watched(self) -> None:
        said, _ = debug("break debuggee.cu:34 if i == 2", "run", "delete", "watch counter", "continue")
        self.check(said, "Hardware watchpoint 2: counter", "Old value = 5", "New value = 7", "thread (6,0,0) at debuggee.cu:39")

    def test_it_goes_back(self) -> None:
        said, _ = debug(
            "break debuggee.cu:37 if i == 5",
            "run",
            "print sum",
            "reverse-next",
            "reverse-next",
            "break 30 if i == 5",
            "reverse-continue",
            "print q.x",
            "reverse-continue",
            "next",
        )
        self.check(
            said,
            "37\t    out[i] = sum",
            "34\t    for (int k",
            "35\t      sum +=",
            "30\t  tile[threadIdx.x]",
            "= 6.5",
            "No more reverse-execution history",
        )

    def test_it_goes_back_to_who_wrote(self) -> None:
        said, _ = debug("break debuggee.cu:37 if i == 5", "run", "watch tile[3]", "reverse-continue", "print threadIdx.x")
        self.check(said, "Hardware watchpoint 2: tile[3]", "Old value = nan", "New value = 9", "thread (3,0,0) at debuggee.cu:30", "$1 = 3")

    def test_going_back_and_on_again_gives_the_same(self) -> None:
        said, code = debug(
            "break debuggee.cu:39 if i == 70", "run", "rs", "rs", "rsi", "delete", "continue", "print 1"
        )
        self.check(said, "cudaSuccess, out[70] = 4010\n")
        self.assertEqual(code, 0)


@unittest.skipUnless(HAS_VARIABLES, "built without libdw")
class Book(Said):
    def test_the_books_session_shows_its_number(self) -> None:
        said, _ = debug(
            *("break simple_sgemm.cu:5", "break sgemm_kernel", "break sgemm_kernel if blockIdx.y == 2", "delete 1 2"),
            *("condition 3 blockIdx.x == 1 && blockIdx.y == 2", "run", "info cuda kernels", "delete", "print col"),
            *("cuda kernel 0 block 1,2,0 thread 3,4,0", "step 2", "print col", "cuda device kernel block thread", "continue"),
            program="simple_sgemm",
        )
        self.check(
            said,
            *("hit Breakpoint 3, sgemm_kernel<<<(3,3,1),(16,16,1)>>> (A=0x", "N=48, M=48, K=48, alpha=2, beta=1"),
            *("*  0 ", "(3,3,1)", "(16,16,1)", "no value here: not set", "thread (3,4,0)", "6\t", "$1 = 19\n"),  # 1 x 16 + 3
            *("device 0, kernel 0, block (1,2,0), thread (3,4,0)", "cudaSuccess"),
        )


class Faults(Said):
    def test_it_stops_at_faults_with_all_threads_alive(self) -> None:
        said, code = debug("run", "print threadIdx.x", "info threads", "reverse-step", "continue", arguments=("overrun",))
        self.check(
            said,
            "CUDA Exception: CUDA_EXCEPTION_14, Warp Illegal Address",
            "overrun<<<(1,1,1),(32,1,1)>>> (",
            "45\t  data[i + n] = previous + i;",
            "$1 = 3",
        )
        self.assertEqual(code, 0)
        said, code = debug("run", "continue", arguments=("overrun",))
        self.check(said, "CUDA_EXCEPTION_14", "cudaErrorIllegalAddress", "[The program exited with code 3]")
        self.assertEqual(code, 3)

    def test_it_goes_back_to_a_breakpoint_from_a_fault(self) -> None:
        said, _ = debug("run", "break 44", "reverse-continue", "next", arguments=("overrun",))
        self.check(said, "CUDA_EXCEPTION_14", "hit Breakpoint 1, overrun<<<", "44\t  int previous", "45\t")

    def test_it_stops_at_assertions(self) -> None:
        said, _ = debug("run", "print threadIdx.x", "continue", arguments=("assert",))
        self.check(said, "CUDA_EXCEPTION_12, Warp Assert", "50\t  assert(i < limit);", "$1 = 30", "cudaErrorAssert")

    def test_it_stops_where_nothing_can_go_on(self) -> None:
        said, _ = debug("run", "info barriers", arguments=("deadlock",))
        self.check(said, "no thread of the grid can continue", "60\t", "32", "96", "debuggee.cu:60", "96", "debuggee.cu:61")

    def test_it_stops_at_races(self) -> None:
        said, _ = debug("run", "info threads", "reverse-step", arguments=("race",), options=("--check", "race"))
        self.check(said, "Check race: ", "thread (31,0,0) at debuggee.cu:56", "55\t  cell[threadIdx.x]", "(32,0,0)", "Cannot go back: ")


@unittest.skipUnless(HAS_VARIABLES, "built without libdw")
class Names(Said):
    def test_templates_namespaces_and_methods_have_their_names(self) -> None:
        said, _ = debug(
            *("break physics::step", "break step<float, 4>", "break Body::dot", "break operator()"),
            *("run", "info breakpoints", "delete 1 2", "continue", "backtrace", "finish", "continue", "print value"),
            program="names",
        )
        self.check(
            said,
            "hit Breakpoint 1, step<<<(1,1,1),(16,1,1)>>> (bodies=0x",
            "mode=physics::Mode::fast) at names.cu:29",
            *("names.cu:29, already hit", "step<float, 4> at names.cu:29", "names.cu:19", "operator() at names.cu:34"),
            "hit Breakpoint 3, dot (this=0x",
            "other=...) at names.cu:19",
            "#1  step<<<",
            "hit Breakpoint 4, operator() (this=0x",
            "$1 = 4",
        )

    def test_values_are_shown_as_the_source_means_them(self) -> None:
        said, _ = debug(
            *("break names.cu:38 if i == 1", "run", "print *b", "print b->id", "print b->next->name", "print h"),
            *("print scratch[0]@3", "print total", "print physics::total", "print mode == fast", "print/d mode"),
            *("ptype Body", "print b->kind"),
            program="names",
        )
        self.check(
            said,
            '$1 = {<Base> = {id = 101}, x = 1, y = 2, next = (Body *) 0x',
            'flags = 5, kind = 17, name = "b1\\000\\000\\000\\000\\000"}',
            *("$2 = 101", '$3 = "b2', "$4 = 1.5", "$5 = {4, 5, 8}", "$6 = 40", "$7 = 40", "$8 = true", "$9 = 7"),
            "struct Body : Base {\n    float x;",
            "$10 = 17",
        )

    def test_kernels_that_wait_can_be_looked_at(self) -> None:
        said, code = debug(
            *("break sets", "run", "info kernels", "cuda kernel 0", "print flag[2]", "cuda kernel 1", "next", "delete"),
            *("cuda kernel 7", "continue"),
            program="names",
            arguments=("wait",),
        )
        self.check(
            said,
            "hit Breakpoint 1, sets<<<",
            *("   0       0    1 ", "waits\n", "   1       0    2 ", "waits\n", "*  2       0    3 "),
            *("[Switching focus to CUDA kernel 0, grid 1", "names.cu:50", "$1 = 0"),
            *("[Switching focus to CUDA kernel 1, grid 2", "57\t  *flag = stored;", "kernel 7 does not run now"),
            "cudaSuccess, saw 9",
        )
        self.assertEqual(code, 0)


class Mistakes(Said):
    def test_what_was_never_reached_is_told(self) -> None:
        said, code = debug("break sumz", "break debuggee.cu:900", "run", "print 1", "frobnicate")
        self.check(
            said,
            "[The program exited normally]",
            "Breakpoint 1 (sumz) was never reached: no kernel that was launched, nor what it calls, has code there.",
            "Breakpoint 2 (debuggee.cu:900) was never reached",
            *("No CUDA kernel is stopped.", 'Undefined command: "frobnicate".'),
        )
        self.assertEqual(code, 0)

    def test_without_variables_it_says_how_to_have_them(self) -> None:
        said, _ = debug("break sums", "run", "info locals", "info args", program="with_lines")
        self.check(said, "No variables are known: compile with nvcc -G.", "No variables are known")


class Terminal(Said):
    """A person at a terminal: Ctrl-C, editing and the tab key."""

    def setUp(self) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm"
            os.execv(WARPBOOK, [WARPBOOK, "debug", "--", str(PROGRAMS / "names"), "spin"])
        self.said = ""

    def tearDown(self) -> None:
        os.close(self.terminal)
        os.waitpid(self.process, 0)

    def wait(self, text: str, keys: str = "") -> None:
        """Until @p text has come behind what came before; presses @p keys now and then, until it does."""
        self.type(keys)
        silent = 0
        while text not in self.said and silent < 60:
            ready, _, _ = select.select([self.terminal], [], [], 1)
            if not ready:  # Who was about to read has not seen the keys.
                silent += 1
                self.type(keys)
                continue
            self.said += os.read(self.terminal, 65536).decode(errors="replace")
        self.assertIn(text, self.said)
        self.said = self.said.split(text, 1)[1]

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def test_an_endless_loop_is_interrupted(self) -> None:
        self.wait("(warpbook) ")
        self.type("nonsense")
        self.wait("Quit", keys="\x03")
        self.type("\nrun\n")
        self.wait("begins")
        self.type("\x03")
        self.wait("Program received signal SIGINT, Interrupt.")
        self.wait("spins<<<(1,1,1),(32,1,1)>>> (")
        self.wait("(warpbook) ")
        self.type("next\n")
        self.wait("names.cu" if not HAS_VARIABLES else "(warpbook) ")
        self.type("info threads\n")
        self.wait("names.cu:4")
        self.type("kill\n")


class Page(unittest.TestCase):
    def test_the_tests_that_the_table_of_features_names_are_there(self) -> None:
        table = (HERE.parent / "README.md").read_text(encoding="utf-8")
        named = set(re.findall(r"`(test_\w+)`", table))
        known = {name for path in HERE.glob("*_test.py") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
        self.assertGreater(len(named), 30)
        self.assertEqual(named - known, set())

    def test_the_session_on_the_page_is_what_the_debugger_says(self) -> None:
        text = PAGE.read_text(encoding="utf-8")
        shown = text.split("<!-- session -->\n")[1].split("<!-- end of session -->")[0]
        lines = shown.strip().removeprefix("```text\n").removesuffix("\n```")
        commands = [line.removeprefix("(warpbook) ") for line in lines.split("\n") if line.startswith("(warpbook) ")]
        self.assertGreater(len(commands), 5)
        said, _ = script("\n".join(commands) + "\n")
        self.assertEqual(said.rstrip("\n"), lines)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
