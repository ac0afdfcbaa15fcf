"""The Debug Adapter Protocol on a real program: its messages, and an editor that speaks it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from debugger_test import HAS_VARIABLES, HERE, PROGRAMS, WARPBOOK, Said


class Editor:
    """Speaks the Debug Adapter Protocol to `warpbook debug --dap`."""

    def __init__(self, *options: str) -> None:
        line = [WARPBOOK, "debug", "--dap", *options]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.events: list[dict[str, Any]] = []

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        if length == 0:
            raise EOFError("the adapter has ended")
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.sequence += 1
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()
        while True:
            message = self.receive()
            if message["type"] == "response" and message["request_seq"] == self.sequence:
                return message
            self.events.append(message)

    def get(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The body of an answer that is no refusal."""
        answer = self.ask(command, **arguments)
        if not answer["success"]:
            raise AssertionError(answer)
        body: dict[str, Any] = answer["body"]
        return body

    def begin(self, name: str, *arguments: str) -> None:
        """Launches a program, up to where an editor sets its breakpoints."""
        self.get("initialize", adapterID="warpbook")
        self.get("launch", program=str(PROGRAMS / name), args=list(arguments))
        self.wait("initialized")

    def stopped(self) -> dict[str, Any]:
        """Waits for a stop; its reason, thread and breakpoints, and where it is: in what function, at which line."""
        body = self.wait("stopped")
        return {**body, **self.top(body["threadId"])}

    def top(self, thread: int) -> dict[str, Any]:
        frame = self.get("stackTrace", threadId=thread)["stackFrames"][0]
        return {"frame": frame["id"], "name": frame["name"], "line": frame["line"]}

    def value(self, expression: str, frame: int) -> str:
        result: str = self.get("evaluate", expression=expression, frameId=frame)["result"]
        return result

    def variables(self, scope: str, frame: int) -> dict[str, dict[str, Any]]:
        """The variables of a scope, by name."""
        scopes = {s["name"]: s["variablesReference"] for s in self.get("scopes", frameId=frame)["scopes"]}
        shown = self.get("variables", variablesReference=scopes[scope])["variables"]
        return {variable["name"]: variable for variable in shown}

    def end(self) -> None:
        self.ask("disconnect")
        self.process.wait(timeout=60)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def wait(self, event: str) -> dict[str, Any]:
        while True:
            for i, message in enumerate(self.events):
                if message["event"] == event:
                    del self.events[: i + 1]
                    body: dict[str, Any] = message.get("body", {})
                    return body
            self.events.append(self.receive())


@unittest.skipUnless(HAS_VARIABLES, "built without libdw")
class Protocol(unittest.TestCase):
    def test_an_editor_stops_looks_goes_back_and_ends(self) -> None:
        editor = Editor()
        capabilities = editor.ask("initialize", adapterID="warpbook")["body"]
        for name in ("supportsStepBack", "supportsDisassembleRequest", "supportsReadMemoryRequest"):
            self.assertTrue(capabilities[name])
        source = {"path": str(HERE / "debuggee.cu")}
        self.assertTrue(editor.ask("launch", program=str(PROGRAMS / "debuggee"))["success"])
        editor.wait("initialized")
        wanted = [{"line": 37, "condition": "i == 70"}]
        answer = editor.ask("setBreakpoints", source=source, breakpoints=wanted)["body"]["breakpoints"]
        self.assertEqual(len(answer), 1)
        self.assertFalse(answer[0]["verified"])
        editor.ask("configurationDone")
        known = editor.wait("breakpoint")["breakpoint"]
        self.assertEqual((known["id"], known["verified"], known["line"]), (answer[0]["id"], True, 37))
        stopped = editor.wait("stopped")
        self.assertEqual(stopped["reason"], "breakpoint")
        self.assertEqual(stopped["hitBreakpointIds"], [answer[0]["id"]])
        thread = stopped["threadId"]
        threads = editor.ask("threads")["body"]["threads"]
        self.assertIn({"id": thread, "name": "block (1,0,0) warp 0"}, threads)
        frame = editor.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
        self.assertEqual((frame["name"], frame["line"]), ("sums", 37))
        scopes = {s["name"]: s["variablesReference"] for s in editor.ask("scopes", frameId=frame["id"])["body"]["scopes"]}
        variables = {
            v["name"]: v for v in editor.ask("variables", variablesReference=scopes["Locals"])["body"]["variables"]
        }
        self.assertEqual(variables["i"]["value"], "70")
        parts = editor.ask("variables", variablesReference=variables["q"]["variablesReference"])["body"]["variables"]
        self.assertEqual([(p["name"], p["value"]) for p in parts[:2]], [("x", "7.5"), ("id", "7")])
        found = editor.ask("evaluate", expression="tile[7] + 1", frameId=frame["id"])["body"]
        self.assertEqual(found["result"], "214")
        said = editor.ask("evaluate", expression="cuda thread 9", context="repl", frameId=frame["id"])["body"]["result"]
        self.assertIn("thread (9,0,0)", said)
        self.assertFalse(editor.ask("evaluate", expression="wrong", frameId=frame["id"])["success"])
        editor.ask("stepBack", threadId=thread)
        self.assertEqual(editor.wait("stopped")["reason"], "step")
        editor.ask("setBreakpoints", source=source, breakpoints=[])
        editor.ask("continue", threadId=thread)
        self.assertEqual(editor.wait("output")["output"], "cudaSuccess, out[70] = 4010\n")
        self.assertEqual(editor.wait("exited")["exitCode"], 0)
        editor.wait("terminated")
        self.assertEqual(editor.process.wait(timeout=60), 0)


    def test_an_editor_watches_a_variable_and_follows_a_pointer(self) -> None:
        editor = Editor()
        editor.ask("initialize", adapterID="warpbook")
        self.assertFalse(editor.ask("launch", program=3)["success"])
        self.assertFalse(editor.ask("launch", program=[])["success"])
        self.assertTrue(editor.ask("launch", program=str(PROGRAMS / "debuggee"), args=["overrun"])["success"])
        editor.wait("initialized")
        editor.ask("setFunctionBreakpoints", breakpoints=[{"name": "overrun"}])
        self.assertFalse(editor.ask("setBreakpoints", source=5, breakpoints={})["success"])
        editor.ask("configurationDone")
        thread = editor.wait("stopped")["threadId"]
        frame = editor.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]["id"]
        scopes = {s["name"]: s["variablesReference"] for s in editor.ask("scopes", frameId=frame)["body"]["scopes"]}
        arguments = editor.ask("variables", variablesReference=scopes["Arguments"])["body"]["variables"]
        data = next(v for v in arguments if v["name"] == "data")
        target = editor.ask("variables", variablesReference=data["variablesReference"])["body"]["variables"][0]
        self.assertEqual(target["evaluateName"], "*(data)")
        watched = editor.ask("dataBreakpointInfo", name="data[125]", frameId=frame)["body"]
        self.assertEqual(watched["accessTypes"], ["read", "write", "readWrite"])
        made = editor.ask("setDataBreakpoints", breakpoints=[{"dataId": watched["dataId"], "accessType": "write"}])
        self.assertTrue(made["body"]["breakpoints"][0]["verified"])
        again = editor.ask("setDataBreakpoints", breakpoints=[{"dataId": watched["dataId"], "accessType": "write"}])
        self.assertEqual(made["body"], again["body"])
        editor.ask("setDataBreakpoints", breakpoints=[])
        editor.ask("continue", threadId=thread)
        self.assertEqual(editor.wait("stopped")["reason"], "exception")
        about = editor.ask("exceptionInfo", threadId=thread)["body"]
        self.assertEqual(about["exceptionId"], "CUDA Exception: CUDA_EXCEPTION_14, Warp Illegal Address")
        editor.ask("disconnect")
        editor.process.wait(timeout=60)

    def begin(self, name: str, *arguments: str, options: tuple[str, ...] = ()) -> Editor:
        editor = Editor(*options)
        self.addCleanup(editor.end)
        editor.begin(name, *arguments)
        return editor

    def test_breakpoints_have_conditions_and_hit_counts(self) -> None:
        editor = self.begin("debuggee")
        source = {"path": str(HERE / "debuggee.cu")}
        wanted = [{"line": 35, "condition": "threadIdx.x == 3 && i > 10", "hitCondition": "3"}, {"line": 28, "condition": "i =="}]
        answer = editor.get("setBreakpoints", source=source, breakpoints=wanted)["breakpoints"]
        self.assertEqual(["id" in known for known in answer], [True, False])
        self.assertIn("syntax error", answer[1]["message"])
        editor.get("configurationDone")
        at = editor.stopped()
        self.assertEqual((at["reason"], at["hitBreakpointIds"], at["line"]), ("breakpoint", [answer[0]["id"]], 35))
        self.assertEqual([editor.value(text, at["frame"]) for text in ("i", "k")], ["67", "2"])

    def test_it_steps_over_into_out_and_back(self) -> None:
        editor = self.begin("debuggee")
        editor.get("setFunctionBreakpoints", breakpoints=[{"name": "sums", "condition": "blockIdx.x == 1"}])
        editor.get("configurationDone")
        places = []

        def go(command: str, **arguments: Any) -> dict[str, Any]:
            editor.get(command, threadId=at["threadId"], **arguments)
            found = editor.stopped()
            places.append((command, found["reason"], found["name"], found["line"]))
            return found

        at = editor.stopped()
        self.assertEqual(editor.value("blockIdx.x", at["frame"]), "1")
        editor.get("setFunctionBreakpoints", breakpoints=[])
        source = {"path": str(HERE / "debuggee.cu")}
        editor.get("setBreakpoints", source=source, breakpoints=[{"line": 29}])
        at = go("continue")
        for command in ("next", "stepIn", "stepIn", "stepOut", "next", "stepBack"):
            at = go(command)
        self.assertEqual(
            places,
            [
                ("continue", "breakpoint", "sums", 29),
                ("next", "step", "sums", 30),
                ("stepIn", "step", "scale", 18),
                ("stepIn", "step", "scale", 19),
                ("stepOut", "step", "sums", 30),
                ("next", "step", "sums", 31),
                ("stepBack", "step", "sums", 30),
            ],
        )
        del places[:]
        before = editor.get("evaluate", expression="info line", context="repl", frameId=at["frame"])["result"]
        at = go("next", granularity="instruction")
        at = go("stepBack", granularity="instruction")
        after = editor.get("evaluate", expression="info line", context="repl", frameId=at["frame"])["result"]
        self.assertEqual(before, after)
        del places[:]
        for _ in range(4):
            at = go("reverseContinue")
        # Of its own warp, and of both warps of the block that ran before.
        self.assertEqual(places, 3 * [("reverseContinue", "breakpoint", "sums", 29)] + [("reverseContinue", "entry", "sums", 22)])

    def test_scopes_have_locals_arguments_built_ins_and_registers(self) -> None:
        editor = self.begin("debuggee")
        source = {"path": str(HERE / "debuggee.cu")}
        editor.get("setBreakpoints", source=source, breakpoints=[{"line": 37, "condition": "i == 70"}])
        editor.get("configurationDone")
        at = editor.stopped()
        local = editor.variables("Locals", at["frame"])
        self.assertEqual((local["sum"]["value"], local["sum"]["type"]), ("4008", "float"))
        parts = editor.get("variables", variablesReference=local["local"]["variablesReference"])["variables"]
        self.assertEqual([part["value"] for part in parts], ["0", "70", "140", "210"])
        self.assertEqual(editor.value(parts[3]["evaluateName"], at["frame"]), "210")
        tile = editor.variables("Shared", at["frame"])["tile"]
        parts = editor.get("variables", variablesReference=tile["variablesReference"])["variables"]
        self.assertEqual((tile["type"], parts[6]["name"], parts[6]["value"]), ("float [64]", "[6]", "210"))
        self.assertNotIn("tile", local)
        self.assertEqual(editor.variables("Arguments", at["frame"])["n"]["value"], "128")
        built_in = editor.variables("Built-ins", at["frame"])
        self.assertEqual(built_in["threadIdx"]["value"], "{x = 6, y = 0, z = 0}")
        self.assertEqual(set(built_in), {"threadIdx", "blockIdx", "blockDim", "gridDim"})
        registers = editor.variables("Registers", at["frame"])
        self.assertIn("%r1", registers)
        self.assertEqual(editor.value(registers["%r1"]["evaluateName"], at["frame"]), registers["%r1"]["value"])
        self.assertFalse(editor.ask("setVariable", variablesReference=1, name="sum", value="1")["success"])
        self.assertFalse(editor.ask("variables", variablesReference=10_000)["success"])

    def test_instructions_and_memory_are_read(self) -> None:
        editor = self.begin("debuggee")
        source = {"path": str(HERE / "debuggee.cu")}
        editor.get("setBreakpoints", source=source, breakpoints=[{"line": 37, "condition": "i == 70"}])
        editor.get("configurationDone")
        at = editor.stopped()
        here = editor.get("stackTrace", threadId=at["threadId"])["stackFrames"][0]["instructionPointerReference"]
        found = editor.get("disassemble", memoryReference=here, instructionOffset=-2, instructionCount=5)["instructions"]
        self.assertEqual((len(found), found[2]["address"], found[2]["line"]), (5, here, 37))
        self.assertTrue(found[2]["symbol"].startswith("sums+"))
        self.assertTrue(found[2]["instruction"].endswith(";"))
        found = editor.get("disassemble", memoryReference="0", instructionOffset=-1, instructionCount=2)["instructions"]
        self.assertEqual([one.get("presentationHint") for one in found], ["invalid", None])
        tile = editor.get("evaluate", expression="tile", frameId=at["frame"])["memoryReference"]
        read = editor.get("readMemory", memoryReference=tile, offset=24, count=8)
        self.assertEqual(struct.unpack("<2f", base64.b64decode(read["data"])), (210.0, 213.0))
        self.assertNotIn("unreadableBytes", read)
        read = editor.get("readMemory", memoryReference=tile, count=10_000)
        self.assertEqual(len(base64.b64decode(read["data"])) + read["unreadableBytes"], 10_000)
        self.assertGreater(read["unreadableBytes"], 0)
        pointer = editor.variables("Arguments", at["frame"])["in"]["memoryReference"]
        read = editor.get("readMemory", memoryReference=pointer, offset=8, count=4)
        self.assertEqual(struct.unpack("<f", base64.b64decode(read["data"])), (2.0,))
        self.assertFalse(editor.ask("readMemory", memoryReference="tile", count=4)["success"])

    def test_threads_are_the_warps_of_blocks_that_run(self) -> None:
        editor = self.begin("debuggee", "meet")
        source = {"path": str(HERE / "debuggee.cu")}
        editor.get("setBreakpoints", source=source, breakpoints=[{"line": 70, "condition": "blockIdx.x == 1"}])
        editor.get("configurationDone")
        at = editor.stopped()
        threads = {thread["name"]: thread["id"] for thread in editor.get("threads")["threads"]}
        self.assertEqual(set(threads), {"block (0,0,0) warp 0", "block (1,0,0) warp 0"})
        self.assertEqual(threads["block (1,0,0) warp 0"], at["threadId"])
        other = editor.top(threads["block (0,0,0) warp 0"])
        self.assertEqual((other["name"], other["line"]), ("meets", 68))
        self.assertEqual([editor.value("blockIdx.x", frame) for frame in (other["frame"], at["frame"])], ["0", "1"])
        self.assertFalse(editor.ask("stackTrace", threadId=99)["success"])

    def test_data_breakpoints_stop_at_writes_and_reads(self) -> None:
        editor = self.begin("debuggee")
        editor.get("setFunctionBreakpoints", breakpoints=[{"name": "sums"}])
        editor.get("configurationDone")
        at = editor.stopped()
        editor.get("setFunctionBreakpoints", breakpoints=[])
        made = []
        for name, access in (("tile[3]", "write"), ("tile[35]", "read"), ("out[70]", "write")):
            data = editor.get("dataBreakpointInfo", name=name, frameId=at["frame"])["dataId"]
            made.append({"dataId": data, "accessType": access})
        numbers = [known["id"] for known in editor.get("setDataBreakpoints", breakpoints=made)["breakpoints"]]
        found = []
        for _ in range(3):
            editor.get("continue", threadId=at["threadId"])
            at = editor.stopped()
            found.append((at["reason"], at["hitBreakpointIds"], at["text"].splitlines()[-1]))
            if at["hitBreakpointIds"] == [numbers[1]]:  # Others read it, too.
                editor.get("setDataBreakpoints", breakpoints=[made[0], made[2]])
        self.assertEqual([(reason, hit) for reason, hit, _ in found], [("data breakpoint", [number]) for number in numbers])
        self.assertIn("Written by block (0,0,0), thread (3,0,0) at debuggee.cu:30", found[0][2])
        self.assertIn("Read by block (0,0,0), thread (35,0,0)", found[1][2])
        self.assertIn("Written by block (1,0,0), thread (6,0,0)", found[2][2])
        register = editor.get("dataBreakpointInfo", name="threadIdx.x", frameId=at["frame"])
        self.assertIsNone(register["dataId"])

    def test_it_stops_at_faults_assertions_races_and_deadlocks(self) -> None:
        for arguments, options, name, line in (
            ("overrun", (), "CUDA Exception: CUDA_EXCEPTION_14, Warp Illegal Address", 45),
            ("assert", (), "CUDA Exception: CUDA_EXCEPTION_12, Warp Assert", None),
            ("deadlock", (), "CUDA Exception: SIGTRAP: no thread of the grid can continue", 60),
            ("race", ("--check", "race"), "Check race: ", 55),
        ):
            with self.subTest(arguments):
                editor = self.begin("debuggee", arguments, options=options)
                editor.get("configurationDone")
                at = editor.stopped()
                self.assertEqual(at["reason"], "exception")
                self.assertEqual(at["line"] if line else None, line)
                about = editor.get("exceptionInfo", threadId=at["threadId"])
                self.assertIn(name, about["exceptionId"])
                self.assertNotEqual(editor.value("threadIdx.x", at["frame"]), "")
                self.assertEqual(editor.ask("stepBack", threadId=at["threadId"])["success"], arguments != "race")

    def test_a_kernel_that_runs_is_paused_and_gets_breakpoints(self) -> None:
        editor = self.begin("names", "spin")
        editor.get("configurationDone")
        while editor.wait("output")["output"] != "begins\n":
            pass
        source = {"path": str(HERE / "names.cu")}
        answer = editor.get("setBreakpoints", source=source, breakpoints=[{"line": 45, "condition": "*rounds > 3"}])
        self.assertFalse(answer["breakpoints"][0]["verified"])
        at = editor.stopped()
        self.assertEqual((at["reason"], at["name"], at["line"]), ("breakpoint", "spins", 45))
        editor.get("setBreakpoints", source=source, breakpoints=[])
        editor.get("continue", threadId=at["threadId"])
        self.assertFalse(editor.ask("scopes", frameId=at["frame"])["success"])
        editor.get("pause", threadId=at["threadId"])
        at = editor.stopped()
        self.assertEqual((at["reason"], at["name"]), ("pause", "spins"))


def has_dap_mode() -> bool:
    """Debian's packages emacs-nox and elpa-dap-mode."""
    return shutil.which("emacs") is not None and any(Path("/usr/share/emacs/site-lisp/elpa").glob("dap-mode-*"))


@unittest.skipUnless(HAS_VARIABLES and has_dap_mode(), "built without libdw, or there is no Emacs with dap-mode")
class RealEditor(Said):
    def test_emacs_stops_looks_steps_and_goes_on(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            names = {"HOME": home, "LINE": "37", "SOURCE": str(HERE / "debuggee.cu"), "PROGRAM": str(PROGRAMS / "debuggee")}
            done = subprocess.run(
                ["emacs", "--batch", "-l", str(HERE / "dap_mode.el")],
                env={**os.environ, **names}, capture_output=True, text=True, timeout=180, check=False,
            )
        said = done.stdout + done.stderr
        self.check(said, "stands in sums, line 37", "i is ", "stands in sums, line 39", "out[70] = 4010", "has ended: t")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
