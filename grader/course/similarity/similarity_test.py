"""Tests of similarity: copies are found however they are disguised, and answers written independently are not listed."""

import json
import tempfile
import time
import unittest
from itertools import combinations
from pathlib import Path

import numpy as np

from grader.course.errors import BatchError
from grader.course.gradebook import FILE_NAME, Gradebook, Similarity, Submitted
from grader.course.similarity import compare
from grader.course.similarity.compare import PROJECT, RESULT_NAME, compare_lab
from grader.course.similarity.disguise import DISGUISES, everything
from grader.course.similarity.excerpts import excerpts_of
from grader.course.similarity.fingerprints import K, T, hashes_of, winnow
from grader.course.similarity.pairs import (LEAST_EVIDENCE, LEAST_SCORE, SOLUTION_PRINTS, Pair, all_pairs, answer_of,
                                           clusters_of, suspicious)
from grader.course.similarity.reference import make_reference, reference_of, solutions_of
from grader.course.similarity.tokens import MOST_TOKENS, Token, tokens_of
from grader.workbook.places import place_of, places

WRITTEN = Path(__file__).with_name("testdata")
LABS = sorted(path.name for path in WRITTEN.iterdir())


def written(lab: str) -> dict[str, str]:
    """Answers of different authors, and the solution as one more."""
    found = {f"s{i:03}": path.read_text() for i, path in enumerate(sorted((WRITTEN / lab).glob("*.cu")), 1)}
    return {**found, "s099": place_of(lab).solution.read_text()}


def pair_of(lab: str, class_: dict[str, str], a: str, b: str) -> Pair:
    reference = reference_of(PROJECT, lab)
    answers = [answer_of(student, text, reference) for student, text in class_.items()]
    return next(pair for pair in all_pairs(answers, reference) if (pair.a, pair.b) == (a, b))


def texts(source: str, names=()) -> str:
    return " ".join(token.text for token in tokens_of(source, names))


class Tokens(unittest.TestCase):
    def test_names_numbers_comments_and_layout_do_not_count(self):
        self.assertEqual(texts("const int i = blockIdx.x*kThreads; // index\nif(i<count)out[i]=256;"),
                         texts("unsigned   myPos=blockIdx.x * /*!*/ N;\nif (myPos < n) {\n target[myPos] = 128;\n}"))

    def test_what_a_program_does_counts(self):
        for one, other in (("a + b", "a - b"), ("threadIdx.x", "threadIdx.y"), ("x = 0", "x = 1"), ("a[i]", "a(i)"),
                           ("__syncthreads()", "__syncwarp()"), ("float v", "double v"), ("if (a)", "while (a)")):
            self.assertNotEqual(texts(one), texts(other), (one, other))

    def test_names_of_the_contract_are_kept(self):
        self.assertEqual(texts("transpose(a, b)", {"transpose"}), "transpose ( I , I )")

    def test_lines_are_those_of_the_file(self):
        source = "/* one\ntwo */ a\n// three\n#include <x>\n\"text\" \\\n  b"
        self.assertEqual(tokens_of(source), [Token("I", 2), Token("S", 5), Token("I", 6)])

    def test_any_text_has_tokens(self):
        for source in ("", "\0\1\2", "/* open", '"open', "R\"x(open", "'", "#define", "é漢字 \u202e", "\\", "1'2'3e+5f", "::", "{{{"):
            tokens_of(source)
        start = time.monotonic()
        self.assertEqual(len(tokens_of("a " * 1_000_000)), MOST_TOKENS)
        for hostile in ("/*" * 500_000, "R\"(" * 300_000, "'" * 1_000_000, "\\" * 1_000_000, "1'" * 500_000):
            tokens_of(hostile)
        self.assertLess(time.monotonic() - start, 20)


class Winnowing(unittest.TestCase):
    def test_the_example_of_the_paper(self):
        hashes = np.array([77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98], np.uint64)
        self.assertEqual(hashes[winnow(hashes, 4)].tolist(), [17, 17, 8, 39, 17])

    def test_every_match_of_the_guaranteed_length_is_found_wherever_it_is(self):
        random = np.random.default_rng(1)

        def noise(count):
            return [Token(f"t{value}", 1) for value in random.integers(0, 40, count)]

        for _ in range(300):
            match = noise(T)
            files = [[*noise(random.integers(0, 30)), *match, *noise(random.integers(0, 30))] for _ in range(2)]
            prints = [set(hashes_of(file)[winnow(hashes_of(file))].tolist()) for file in files]
            self.assertTrue(prints[0] & prints[1])

    def test_no_match_under_the_noise_threshold_is_seen(self):
        run = [Token(f"t{i}", 1) for i in range(K - 1)]
        one, other = ([Token(f"{name}{i}", 1) for i in range(9)] for name in "ab")
        self.assertFalse(set(hashes_of([*one, *run, *one]).tolist()) & set(hashes_of([*other, *run, *other]).tolist()))

    def test_short_files_have_one_fingerprint_or_none(self):
        self.assertEqual(len(winnow(hashes_of([Token("a", 1)] * (K - 1)))), 0)
        self.assertEqual(len(winnow(hashes_of([Token(str(i), 1) for i in range(K)]))), 1)


class Evidence(unittest.TestCase):
    """The choice of the threshold: independent answers stay well under it, disguised copies well over it."""

    def test_independent_answers_are_far_below_a_threshold(self):
        for lab in LABS:
            class_ = written(lab)
            for size in (2, len(class_)):  # Alone, nothing in the class shows what is common.
                for students in combinations(class_, size):
                    reference = reference_of(PROJECT, lab)
                    answers = [answer_of(student, class_[student], reference) for student in students]
                    for pair in all_pairs(answers, reference):
                        far = pair.score < LEAST_SCORE - 0.1 or pair.evidence < LEAST_EVIDENCE / 2
                        self.assertTrue(far, (lab, pair))

    def test_disguised_copies_are_above_both_thresholds(self):
        for lab in LABS:
            class_ = written(lab)
            names = reference_of(PROJECT, lab).names
            for student in [student for student in class_ if student != "s099"]:
                for name, disguise in DISGUISES.items():
                    for seed in (1, 2):
                        copy = disguise(class_[student], names, seed)
                        self.assertNotEqual(copy, class_[student], name)
                        pair = pair_of(lab, {**class_, "z": copy}, student, "z")
                        self.assertEqual(suspicious([pair]), [pair], (lab, name, seed))
                        if name in ("renamed", "commented", "retyped"):
                            self.assertGreater(pair.score, 0.95, (lab, name, seed, pair))

    def test_the_solution_and_what_the_project_tells_apart_by_rungs_accuse_nobody(self):
        rungs = {path.stem: path.read_text() for path in (PROJECT / "grader/labs/threads/reduction/rungs").glob("*.cu")}
        self.assertGreaterEqual(len(rungs), 6)
        for pair in compare_lab(PROJECT, "reduction", {**rungs, **written("reduction")}).pairs:
            self.assertNotIn(True, [student.startswith("s0") for student in (pair.a, pair.b)], pair)

    def test_copies_of_the_solution_are_told_from_answers_of_ones_own(self):
        told = 0
        for lab in places():
            (path,) = solutions_of(PROJECT, lab)
            reference, text = reference_of(PROJECT, lab), path.read_text(encoding="utf-8")
            if len(answer_of("", text, reference).prints) < SOLUTION_PRINTS:
                continue
            copies = {name: disguise(text, reference.names, 1) for name, disguise in DISGUISES.items()}
            own = written(lab) if lab in LABS else {}
            own.pop("s099", None)
            found = compare_lab(PROJECT, lab, {**copies, **own}).like_solution
            self.assertEqual(set(found), set(copies), lab)
            told += len(found)
        self.assertGreaterEqual(told, 50)
        given = solutions_of(PROJECT, "vector_add")[0].read_text(encoding="utf-8")  # Handed out as it is.
        self.assertEqual(compare_lab(PROJECT, "vector_add", {"s001": given}).like_solution, {})

    def test_skeletons_and_worked_examples_have_nothing_to_compare(self):
        for lab in ("vector_add", "coalescing", "quadtree"):
            text = place_of(lab).student.read_text()
            if lab != "vector_add" and "not_started" not in text:
                self.skipTest(f"labs/{lab} holds an answer")
            reference = reference_of(PROJECT, lab)
            self.assertEqual(len(answer_of("s001", text, reference).prints), 0, lab)

    def test_what_most_of_the_class_writes_accuses_nobody(self):
        class_ = {f"s{i:03}": written("reduction")["s003"] for i in range(60)}
        self.assertEqual(compare_lab(PROJECT, "reduction", class_).pairs, [])
        class_ |= {f"t{i:03}": written("reduction")["s001"] for i in range(3)}
        found = compare_lab(PROJECT, "reduction", class_)
        self.assertEqual(set(found.clusters), {"t000", "t001", "t002"})


class Pairs(unittest.TestCase):
    def test_clusters_connect_over_others_and_the_largest_is_first(self):
        pairs = [Pair("d", "e", 1, 9, 9), Pair("a", "c", 1, 9, 9), Pair("b", "c", 1, 9, 9)]
        self.assertEqual(clusters_of(pairs), {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2})

    def test_short_common_text_is_never_enough(self):
        reference = make_reference([], [], [])
        answers = [answer_of(name, "if (i < n) out[i] = in[i] + in[i + 1];", reference) for name in "ab"]
        pair, = all_pairs(answers, reference)
        self.assertEqual(pair.score, 1)
        self.assertEqual(suspicious([pair]), [])

    def test_excerpts_name_the_lines_of_what_was_moved(self):
        reference = make_reference([], [], [])
        one = "".join(f"void f{i}() {{\n  {'x' + '[a]' * i} = y * {i} + z;\n  call(a, b);\n}}\n" for i in range(3, 9))
        moved = "int other = 0;\n" + "".join(reversed(one.split("}\n"))).replace("call", "ruf")
        found = excerpts_of(answer_of("a", one, reference), answer_of("b", moved, reference))
        self.assertTrue(found)
        for excerpt in found:
            first, second = (text.split("\n") for text in (one, moved))
            self.assertEqual(first[excerpt.a_first - 1][:4], second[excerpt.b_first - 1][:4])
        lines = [line for excerpt in found for line in range(excerpt.a_first, excerpt.a_last + 1)]
        self.assertGreater(len(set(lines)), 12)

    def test_a_file_of_one_repeated_statement_holds_up_nobody(self):
        reference = make_reference([], [], [])
        answers = [answer_of(name, "a[i] = b[i] + c[i];\n" * 50_000, reference) for name in "ab"]
        start = time.monotonic()
        all_pairs(answers, reference)
        excerpts_of(*answers)
        self.assertLess(time.monotonic() - start, 10)


class Whole(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        (self.out / "files").mkdir()

    def hand_in(self, answers: dict[tuple[str, str], str]) -> None:
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            for i, ((student, lab), text) in enumerate(answers.items()):
                (self.out / "files" / f"{i:064x}.cu").write_text(text)
                book.write([Submitted(student, lab, f"{i:064x}", "", None, 1, "", True)])

    def test_the_gradebook_and_the_file_get_pairs_clusters_and_places(self):
        class_ = written("coalescing")
        copy = everything(class_["s002"], reference_of(PROJECT, "coalescing").names, 3)
        self.hand_in({(student, "coalescing"): text for student, text in {**class_, "s050": copy}.items()}
                     | {(student, "vector_add"): "\0 not C++ at all '" for student in ("s001", "s002")})
        compare(self.out)
        with Gradebook.open(self.out / FILE_NAME) as book:
            row, = book.read(Similarity)
        self.assertEqual((row.lab, row.a, row.b, row.cluster), ("coalescing", "s002", "s050", 1))
        first = (self.out / RESULT_NAME).read_bytes()
        found = json.loads(first)
        self.assertEqual((found["format"], found["version"]), ("warpbook.similarity", 1))
        lab = found["labs"][0]
        self.assertEqual((lab["lab"], lab["compared"], lab["clusters"]),
                         ("coalescing", 6, [{"cluster": 1, "students": ["s002", "s050"]}]))
        excerpt = max(lab["pairs"][0]["excerpts"], key=lambda excerpt: excerpt["tokens"])
        self.assertEqual(excerpt["a_text"], class_["s002"].split("\n")[excerpt["a_first"] - 1:excerpt["a_last"]])
        self.assertGreater(excerpt["tokens"], 2 * K)
        compare(self.out)  # Again: the same rows and bytes, and none twice.
        self.assertEqual((self.out / RESULT_NAME).read_bytes(), first)
        with Gradebook.open(self.out / FILE_NAME) as book:
            self.assertEqual(book.read(Similarity), [row])

    def test_a_lost_file_is_named(self):
        self.hand_in({("s001", "coalescing"): "x"})
        next((self.out / "files").iterdir()).unlink()
        with self.assertRaisesRegex(BatchError, "it is gone; grade again with --resume"):
            compare(self.out)

    def test_a_class_of_300_with_12_labs_takes_seconds(self):
        names = reference_of(PROJECT, "reduction").names
        texts = list(written("reduction").values())
        class_ = {f"s{i:03}": everything(texts[i % len(texts)], names, i) for i in range(100)}
        start = time.process_time()
        compare_lab(PROJECT, "reduction", class_)
        self.assertLess((time.process_time() - start) * 36, 120)  # A bound for slow machines: 10 s are usual.


if __name__ == "__main__":
    unittest.main()
