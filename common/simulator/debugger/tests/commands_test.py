"""Each command of the debugger on a real program, and files of commands."""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

from debugger_test import HAS_VARIABLES, HERE, Said, debug

COMMANDS = HERE.parent / "commands.def"


class EveryCommand(Said):
    """What the tests above have no use for: each command of the table is tried."""

    def test_breakpoints_are_switched_off_and_given_conditions(self) -> None:
        said, _ = debug(
            *("break debuggee.cu:32", "break debuggee.cu:28", "disable 2", "run", "info breakpoints", "continue"),
            *("enable 2", "continue"),
            *("disable", "enable 1", "condition 1 threadIdx.x == 3 && blockIdx.x > 0", "continue", "cuda thread"),
            *("condition 1", "info breakpoints"),
        )
        self.check(
            said,
            *("hit Breakpoint 1, sums", "keep  y", "keep  n", "hit Breakpoint 1, sums", "hit Breakpoint 2, sums", "28\t"),
            *("block (1,0,0), thread (3,0,0)", "hit Breakpoint 1, sums", "Breakpoint 1 now unconditional.", "keep  y", "keep  n"),
        )
        self.assertEqual(said.count("hit Breakpoint"), 4)

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_a_condition_has_variables_and_built_ins(self) -> None:
        said, _ = debug("break debuggee.cu:37 if threadIdx.x == 3 && i > 10", "run", "print i", "continue")
        self.check(said, "block (1,0,0), thread (3,0,0)", "$1 = 67", "cudaSuccess")

    def test_breakpoints_are_passed_as_often_as_asked(self) -> None:
        said, _ = debug("break debuggee.cu:32", "run", "continue 3", "info breakpoints", "continue")
        self.check(said, "Will ignore next 2 crossings of breakpoint 1.  Continuing.", "hit Breakpoint 1", "already hit 4 times")
        self.check(said, "cudaSuccess")
        self.assertEqual(said.count("CUDA thread hit"), 2)

    def test_it_stops_once(self) -> None:
        said, _ = debug("tbreak debuggee.cu:28", "run", "info breakpoints", "advance 30", "until", "until 34", "continue")
        self.check(
            said,
            *("hit Temporary breakpoint 1, sums", "28\t", "No breakpoints or watchpoints.", "hit Temporary breakpoint 2", "30\t"),
            *("31\t  __syncthreads();", "hit Temporary breakpoint 3", "34\t", "cudaSuccess"),
        )
        self.assertEqual(said.count("CUDA thread hit"), 3)

    def test_it_stops_at_the_start_of_every_kernel(self) -> None:
        said, code = debug(
            *("set cuda break_on_launch application", "show cuda break_on_launch", "run", "info kernels", "continue"),
            *("set cuda break_on_launch none", "show cuda break_on_launch", "continue"),
            program="names",
            arguments=("wait",),
        )
        self.check(
            said,
            *("is set to 'application'.", "CUDA kernel 0, grid 1", "waits<<<(1,1,1),(1,1,1)>>>", "*  0 "),
            *("CUDA kernel 1, grid 2", "waits<<<", "is set to 'none'.", "saw 9"),
        )
        self.assertNotIn("sets<<<", said)
        self.assertEqual(code, 0)

    def test_instructions_are_executed_over_calls(self) -> None:
        said, _ = debug("break debuggee.cu:30", "run", "delete", "nexti 100", "info line")
        self.assertNotIn("18\t", said)
        self.check(said, "30\t  tile[", "31\t  __syncthreads();")
        said, _ = debug("break debuggee.cu:30", "run", "delete", "stepi 100", "print 1", "reverse-stepi", "reverse-step")
        self.check(said, "30\t  tile[", "18\t  float result")

    def test_it_goes_back_to_the_call(self) -> None:
        said, _ = debug("break scale", "run", "reverse-finish", "cuda thread", "reverse-finish")
        self.check(said, "hit Breakpoint 1, scale", "30\t  tile[", "thread (0,0,0)")
        self.check(said, '"reverse-finish" not meaningful in the outermost frame.')

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_reads_and_writes_are_seen(self) -> None:
        said, _ = debug("break debuggee.cu:24", "run", "delete", "awatch tile[3]", "continue", "continue")
        self.check(
            said,
            *("Hardware access (read/write) watchpoint 2: tile[3]", "New value = 9", "Written by block (0,0,0), thread (3,0,0)"),
            *("Hardware access (read/write) watchpoint 2: tile[3]", "Value = 9", "Read by block (0,0,0), thread (3,0,0)"),
        )

    def test_an_address_is_watched(self) -> None:
        for program in ("debuggee", "with_lines"):  # out[70] and out[71], by another block than that in focus.
            said, _ = debug("break sums", "run", "delete", "watch *(float *) 0x200000001418", "continue", program=program)
            self.check(
                said,
                "Hardware watchpoint 2: *(float *) 0x200000001418",
                "New value = 4010",
                "Written by block (1,0,0), thread (6,0,0)",
                "at debuggee.cu:37 (st.",
            )

    def test_an_address_alone_is_that_of_an_int(self) -> None:
        said, _ = debug("break sums", "run", "delete", "watch *0x200000001418", "continue", program="with_lines")
        self.check(said, "Hardware watchpoint 2: *0x200000001418", "Written by block (1,0,0), thread (6,0,0) at debuggee.cu:37 (st.")

    def test_variables_of_the_device_have_values_without_debug_information(self) -> None:
        said, _ = debug(
            *("break debuggee.cu:37 if blockIdx.x == 1 && threadIdx.x == 6", "run", "print counter", "print weights", "delete"),
            *("watch counter", "continue"),
            program="with_lines",
        )
        self.check(said, "$1 = 5", "$2 = {0 '\\000', 0 '\\000', 128 '\\200', 63 '?'", "Old value = 5", "New value = 7", "at debuggee.cu:39 (st.")

    def test_atomics_are_seen_where_they_are_called(self) -> None:
        for program in ("debuggee", "with_lines"):
            said, _ = debug(
                *("break meets", "run", "delete", "watch arrived", "continue", "info watchpoints"),
                program=program,
                arguments=("meet",),
            )
            self.check(said, "New value = 1", "Written by block (", "thread (0,0,0) at debuggee.cu:67 (", "meets<<<(2,1,1)")
            self.assertEqual(said.count("watchpoint  "), 1)

    def test_steps_stay_out_of_the_toolkits_headers(self) -> None:
        for step in ("step", "next"):
            said, _ = debug("break debuggee.cu:67", "run", step, arguments=("meet",))
            self.check(said, "67\t", "68\t  while (arrived < 2) {")
            said, _ = debug("break meets", "run", "delete", "watch arrived", "continue", "delete", step, arguments=("meet",))
            self.check(said, "(atom.add.u32 in atomicAdd)", "67\t", "68\t  while (arrived < 2) {")

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_arguments_have_values_at_the_first_instruction(self) -> None:
        said, _ = debug("set cuda break_on_launch application", "run", "info args", "print p.v[1]")
        self.check(said, "sums<<<(2,1,1),(64,1,1)>>> (", "22\t", "n = 128", "p = {x = 1.5, id = 7, v = {2, 3}}", "$1 = 3")
        said, _ = debug("break scale", "run", "reverse-stepi", "reverse-stepi", "disassemble", "cuda lane 5", "info args", "print value")
        self.check(said, "=> 0x", "ld.param.f32", "ret;", "scale (value=5, factor=3)", "value = 5", "factor = 3", "$1 = 5")

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_memory_of_each_space_is_examined(self) -> None:
        said, _ = debug(
            *("break debuggee.cu:37 if i == 70", "run", "x/2fw (@shared float*)24", "x/4fw (@local float *)&local"),
            *("x/2fw (@global float*)in", "print *(@shared float*)24 + 1", "print (@shared float*)24 == &tile[6]"),
            *("x/d (@wrong int*)0", "x/d (@shared int)0", "x/d (@shared int*)100000", "x/3dw &counter", "x"),
        )
        self.check(
            said,
            *(":\t210\t213\n", ":\t0\t70\t140\t210\n", ":\t0\t1\n", "$1 = 211\n", "$2 = true\n", "No memory space named @wrong"),
            *("Only a pointer type has a memory space: (@shared int*).", "Cannot access memory at address 0x", ":\t5", "Argument required"),
        )

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_texts_are_examined(self) -> None:
        said, _ = debug("break names.cu:38 if i == 1", "run", "x/s b->name", "x/2s bodies[2].name", "print/s i", program="names")
        self.check(said, ':\t"b1"\n', ':\t"b2"\n', ':\t""\n', 'Undefined output format "s"')

    def test_instructions_are_shown(self) -> None:
        for program in ("debuggee", "with_lines"):
            said, _ = debug(
                *("break sums", "run", "x/2i $pc", "x/i", "disassemble", "disassemble /s sums", "x/i 999999", "disassemble none"),
                program=program,
            )
            self.check(
                said,
                *("=> 0x", " <sums+", ">:\t", "\n   0x", " <sums+", "=> 0x", "Dump of PTX code for function sums:\n", " <sums+"),
                *("%ctaid.x;\n", "ret;\n", "End of PTX dump.\n", "debuggee.cu:\n", "37\t    out[i] = sum", "st.", "End of PTX dump."),
                *("There is no instruction at that address", 'Function "none" not defined'),
            )
            self.assertEqual(said.count("=> 0x"), 4)

    @unittest.skipUnless(HAS_VARIABLES, "built without libdw")
    def test_a_variable_has_no_value_before_it_is_set(self) -> None:
        said, _ = debug("break debuggee.cu:33", "run", "info locals", "print sum")
        self.check(said, "sum = <no value here: not set yet, or optimized out>", "no value here: not set yet")

    def test_breakpoints_are_no_watchpoints(self) -> None:
        said, _ = debug("break sums", "info watchpoints", "info", "watch counter", "run", "print n = 3", "print scale(1, 2)")
        self.check(said, "No watchpoints.", '"info" must be followed by a subject', "Stop in one first (break, run)")
        self.check(said, "Values cannot be changed; a comparison is written ==.", "Functions of the program cannot be called: scale()")

    def test_blocks_that_run_together_are_looked_at(self) -> None:
        said, _ = debug(
            *("break debuggee.cu:70 if blockIdx.x == 1", "run", "info blocks", "cuda block 0", "cuda block thread", "info warps"),
            *("cuda block 1 thread 5", "print blockIdx.x", "print threadIdx.x"),
            arguments=("meet",),
        )
        self.check(
            said,
            *("block (1,0,0), thread (0,0,0)", "70\t  out[blockIdx.x] = arrived;", "   (0,0,0)   running", "*  (1,0,0)   running"),
            *("[Switching focus to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0)", "debuggee.cu:68"),
            *("block (0,0,0), thread (0,0,0)\n", "*  (0,0,0)   0 ", "   (1,0,0)   0 "),
            *("block (1,0,0), thread (5,0,0)", "$1 = 1", "$2 = 5"),
        )

    def test_sources_are_listed(self) -> None:
        said, _ = debug(
            *("break scale", "run", "set listsize 3", "show listsize", "list", "list", "list 34", "list sums", "info sources"),
            *("info source", "info line 33", "info line debuggee.cu:20", "info line scale", "info line wrong"),
            *("frame 1", "frame", "info frame", "list wrong"),
        )
        self.check(
            said,
            *("will list by default is 3.", "17\t__device__ float scale", "19\t  return result;\n20\t}", "22\t__global__"),
            *("33\t    float sum = 0;", "35\t", "23\t  __shared__", "25\t", "debuggee.cu\n", "Current source file is "),
            *("Line 33 of \"debuggee.cu\" has code in sums(", "Line 20 of \"debuggee.cu\"", "of \"debuggee.cu\" has code in scale("),
            *("There is no code at \"wrong\" in a loaded module.", "#1  sums<<<", "30\t", "#1  sums<<<"),
            *("30\t", "sums<<<", 'There is no code at "wrong"'),
        )

    def test_texts_and_values_are_printed_alone(self) -> None:
        said, _ = debug("break sums", "run", "echo [\\n", "output/x blockDim.x", "echo ]\\n", "print/t 5", "print/o 8", "print/c 65")
        self.check(said, "[\n0x40]\n", "$1 = 101\n", "$2 = 010\n", "$3 = 65 'A'\n")

    def test_displays_are_taken_away(self) -> None:
        said, _ = debug("break debuggee.cu:25", "run", "display threadIdx.x", "info display", "next", "undisplay 1", "info display", "next")
        self.check(said, "1: threadIdx.x = 0\n", "1:   threadIdx.x\n", "1: threadIdx.x = 0\n", "There are no auto-display expressions now.")
        self.assertEqual(said.count("threadIdx.x = 0"), 2)

    def test_commands_explain_themselves(self) -> None:
        said, _ = debug("help", "help wa", "help watch")
        names = re.findall(r'^WB_COMMAND\("([a-z-]+)"', COMMANDS.read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(names), 40)
        for name in names:
            self.assertRegex(said, rf"(?m)^{name}\b")
        self.check(said, "watch EXPRESSION\nStop when any thread writes")

    def test_each_command_is_tried(self) -> None:
        tests = "".join((HERE / f"{name}_test.py").read_text(encoding="utf-8") for name in ("commands", "debugger"))
        for name in re.findall(r'^WB_COMMAND\("([a-z-]+)"', COMMANDS.read_text(encoding="utf-8"), re.M):
            self.assertIsNotNone(re.search(rf'["\\]n?{name}[ "/\\]', tests), f"no test has the command {name}")

    def test_the_program_is_ended(self) -> None:
        said, code = debug("break sums", "run", "kill", "print 1")
        self.assertNotIn("cudaSuccess", said)
        self.assertNotIn("$1", said)
        self.assertEqual(code, 0)


class Scripts(Said):
    def test_files_of_commands_are_executed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            inner, outer, wrong = (Path(folder) / name for name in ("inner.gdb", "outer.gdb", "wrong.gdb"))
            inner.write_text("print threadIdx.x\nprint blockDim.x\n")
            outer.write_text(f"# A comment.\nbreak debuggee.cu:32 if threadIdx.x == 5\nrun\nsource {inner}\nprint 3\n")
            wrong.write_text("break sums\nrun\nfrobnicate\nprint 4\n")
            said, code = debug("print 6", options=("-x", str(outer)))
            self.check(said, "hit Breakpoint 1", "$1 = 5", "$2 = 64", "$3 = 3", "$4 = 6")
            self.assertEqual(code, 0)
            said, code = debug(options=("-x", str(wrong)))
            self.check(said, "hit Breakpoint 1", "wrong.gdb:3: Error in sourced command file:", 'Undefined command: "frobnicate".')
            self.assertNotIn("$1", said)
            self.assertEqual(code, 1)
            said, code = debug("run", options=("-x", str(Path(folder) / "none.gdb")))
            self.check(said, "none.gdb' does not exist")
            self.assertEqual(code, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
