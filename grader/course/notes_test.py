"""Tests of the notes on a submission's text: what is unusual is found, what is usual is not."""

import json
import unittest
from pathlib import Path

from grader.course.notes import NOTE, SUSPICION, notes_on

PROJECT = Path(__file__).resolve().parents[2]


def codes(text: str) -> list[tuple[str, str, int]]:
    return [(note.severity, note.code, note.line) for note in notes_on(text, "vector_add")]


class NotesTest(unittest.TestCase):
    def test_no_solution_and_no_skeleton_is_suspected(self):
        files = [*PROJECT.glob("solutions/*/*/*.c*"), *PROJECT.glob("labs/*/*/*.c*")]
        self.assertGreater(len(files), 20)
        for file in files:
            usual = json.loads((PROJECT / "labs" / file.parent.relative_to(file.parents[2]) / "lab.json").read_text()).get("usual", [])
            notes = notes_on(file.read_text(encoding="utf-8"), file.parent.name, usual)
            self.assertEqual([note for note in notes if note.severity == SUSPICION], [], file)

    def test_what_a_lab_asks_for_is_a_note(self):
        text = 'asm("vadd4.u32.u32.u32 %0, %1, %2, %3;");\nfork();\n'
        self.assertEqual([(note.severity, note.code) for note in notes_on(text, "x", ["assembler"])],
                         [(NOTE, "assembler"), (SUSPICION, "processes")])

    def test_each_kind_is_found_at_its_line(self):
        for code, line in {
            "assembler": 'asm volatile("syscall");', "constructor": "__attribute__((constructor)) void f();",
            "main": "int main() {", "line_directive": '#line 4 "x"', "embedded_file": 'R".incbin y"',
            "grader_names": 'getenv("WARPBOOK_PROFILE")', "processes": "if (fork() == 0)", "signals": "kill(1, 9);",
            "network": "socket(2, 1, 0);", "loader": "dlsym(nullptr, name);", "descriptors": "::write(4, text, size);",
            "interposed": 'extern "C" int x();', "include": '#include "../solutions/x.cu"',
        }.items():
            with self.subTest(code):
                self.assertIn((SUSPICION, code, 3), codes(f'#include "vector_add.h"\n\n{line}\n'))

    def test_texts_made_to_keep_a_search_busy_end(self):
        """Each of them took minutes, or hours, with searches that backtrack."""
        size = 1 << 20
        for piece in ("/*", '"\\', '\\"', "'a", "\n", "\\\n", "asm ", "# ", "R\"(", "__attribute__ ", "[[gnu ", "write(", "::",
                      "#include <a/", '#include "'):
            for text in (piece * (size // len(piece)), piece + " " * size, " " * size + piece):
                with self.subTest(piece=piece):
                    self.assertLess(len(notes_on(text, "vector_add")), 10)

    def test_headers_without_end_are_few_notes_and_short_ones(self):
        notes = notes_on("".join(f"#include <a/{'x' * 1000}{i}>\n#include <b/{i}\x1b\u202e>\n" for i in range(1000)), "vector_add")
        self.assertEqual(len(notes), 20)
        self.assertLess(max(len(note.message) for note in notes), 150)
        self.assertEqual(notes[1].message, "#include of b/0??")

    def test_what_is_usual_is_not_found(self):
        for line in ("#include <algorithm>", "#include <cooperative_groups/reduce.h>", "#include <cub/cub.cuh>",
                     '#include "common/cuda/check.cuh"', "#include <cuda/std/span>", "file.write(text, size);",
                     "stream->close();", "void domain(int x);", "int basm(int); // asm(\"x\")", "std::vector<int> system;",
                     "skill(3);", "/* fork() */"):
            with self.subTest(line):
                self.assertEqual(codes(line + "\n"), [])

    def test_less_unusual_things_are_notes(self):
        self.assertEqual(codes('std::ofstream("x");\nstd::thread t;\nexit(1);\n'),
                         [(NOTE, "files", 1), (NOTE, "threads", 2), (NOTE, "exit", 3)])

    def test_each_header_is_told_once_and_comments_do_not_move_lines(self):
        text = '/* a\n b */\n#include <unistd.h>\n#include <unistd.h>\n#include <sys/mman.h>\n'
        self.assertEqual(codes(text), [(SUSPICION, "include", 3), (SUSPICION, "include", 5)])

    def test_a_name_that_a_macro_hides_is_told_as_that(self):
        self.assertEqual(codes("#define F <x>\n#include F\n"), [(SUSPICION, "include", 2)])

    def test_a_text_without_end_of_comment_or_string_does_no_harm(self):
        for text in ("/*" * 10000, '"' * 10001, "'" * 9999, "\\\n" * 5000, "#include", "\0\0"):
            notes_on(text, "vector_add")


if __name__ == "__main__":
    unittest.main()
