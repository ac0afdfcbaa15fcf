"""The Debug Adapter Protocol on a real program: its messages, and an editor that speaks it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from debugger_test import HAS_VARIABLES, HERE, PROGRAMS, WARPBOOK, Said


class Editor:
    """Speaks the Debug Adapter Protocol to `warpbook debug --dap`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([WARPBOOK, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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
        self.assertTrue(capabilities["supportsStepBack"])
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
