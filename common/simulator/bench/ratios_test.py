"""A slowed kernel is found, noise is not taken for one, and what is recorded is what is compared."""

from __future__ import annotations

import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

from common.simulator.bench import ratios

RECORDED = {"transpose": 1.2, "reduction": 1.0}


def engine(times: dict[str, Iterator[float] | float]) -> ratios.Measure:
    def measure(kernel: str) -> float:
        time = times[kernel]
        return time if isinstance(time, float) else next(time)

    return measure


def failed(ours: dict[str, Iterator[float] | float]) -> list[str]:
    native = engine({"transpose": 0.010, "reduction": 0.020})
    bound = ratios.Bound(RECORDED, ratios.SLACK)
    return [verdict.kernel for verdict in ratios.check(bound, engine(ours), native) if not verdict.passed]


class RatiosTest(unittest.TestCase):
    def test_kernels_at_their_recorded_ratio_pass(self) -> None:
        self.assertEqual(failed({"transpose": 0.012, "reduction": 0.020}), [])

    def test_a_slowed_kernel_is_found_and_named(self) -> None:
        self.assertEqual(failed({"transpose": 0.0157, "reduction": 0.020}), ["transpose"])
        self.assertEqual(failed({"transpose": 0.012, "reduction": 0.0261}), ["reduction"])

    def test_the_slack_is_three_tenths(self) -> None:
        self.assertEqual(failed({"transpose": 0.0155, "reduction": 0.0259}), [])

    def test_one_quiet_repetition_is_enough(self) -> None:
        noisy = iter([0.050, 0.040, 0.012])
        self.assertEqual(failed({"transpose": noisy, "reduction": 0.020}), [])

    def test_a_kernel_is_measured_again_before_it_fails(self) -> None:
        late = iter([0.050] * (ratios.ROUNDS + 2) + [0.012] + [0.050] * ratios.ROUNDS * ratios.MORE_ROUNDS)
        self.assertEqual(failed({"transpose": late, "reduction": 0.020}), [])

    def test_the_message_names_kernel_ratio_record_and_what_to_do(self) -> None:
        message = str(ratios.Verdict("reduction", 2.0, 1.0))
        for part in ("reduction", "2.00", "1.00", "bench-record"):
            self.assertIn(part, message)

    def test_what_is_recorded_passes(self) -> None:
        ours, native = engine({"transpose": 0.013, "reduction": 0.050}), engine({"transpose": 0.010, "reduction": 0.020})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ratios.json"
            ratios.save(path, {"avx2": {"this one": ratios.measured(list(RECORDED), ours, native)}})
            bound = ratios.bound(ratios.load(path), ratios.Host("avx2", "this one"))
        self.assertEqual(bound, ratios.Bound({"transpose": 1.3, "reduction": 2.5}, ratios.SLACK))
        assert bound is not None
        self.assertTrue(all(verdict.passed for verdict in ratios.check(bound, ours, native)))

    def test_a_processor_is_held_against_its_own_record(self) -> None:
        record = {"avx2": {"one": {"transpose": 1.0}, "other": {"transpose": 2.0}}}
        for name, ratio in (("one", 1.0), ("other", 2.0)):
            self.assertEqual(
                ratios.bound(record, ratios.Host("avx2", name)), ratios.Bound({"transpose": ratio}, ratios.SLACK)
            )

    def test_a_processor_without_a_record_is_held_against_the_highest_of_the_others(self) -> None:
        record = {
            "avx2": {"one": {"transpose": 1.0, "reduction": 3.0}, "other": {"transpose": 2.0}},
            "avx512": {"third": {"transpose": 9.0}},
        }
        bound = ratios.bound(record, ratios.Host("avx2", "new"))
        assert bound is not None
        self.assertEqual(bound.ratios, {"transpose": 2.0, "reduction": 3.0})
        self.assertEqual(bound.slack, ratios.SLACK_ELSEWHERE)
        for part in ("avx2 on new", "bench-record"):
            self.assertIn(part, bound.note)
        slow = engine({"transpose": 0.041, "reduction": 0.050})
        verdicts = ratios.check(bound, slow, engine({"transpose": 0.010, "reduction": 0.010}))
        self.assertEqual([verdict.kernel for verdict in verdicts if not verdict.passed], ["transpose"])

    def test_nothing_is_compared_where_nothing_is_recorded_for_the_instruction_set(self) -> None:
        self.assertIsNone(ratios.bound({"avx2": {"one": {"transpose": 1.0}}}, ratios.Host("baseline", "one")))

    def test_processors_are_told_apart_by_their_numbers(self) -> None:
        text = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: {}\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n\n"
        self.assertEqual(ratios.processor(text.format(26) + text.format(25)), "AuthenticAMD family 26 model 2")
        self.assertNotEqual(ratios.processor(text.format(25)), ratios.processor(text.format(26)))
        arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n"
        self.assertEqual(ratios.processor(arm), "implementer 0x41 part 0xd40")
        self.assertEqual(ratios.processor(""), "unknown")

    def test_the_instruction_set_is_the_one_that_the_virtual_gpu_chooses(self) -> None:
        avx2 = {"avx2", "fma", "bmi1", "bmi2", "popcnt"}
        avx512 = avx2 | {"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"}
        self.assertEqual(ratios.instruction_set({"sse2"}), "baseline")
        self.assertEqual(ratios.instruction_set(avx2), "avx2")
        self.assertEqual(ratios.instruction_set(avx512), "avx512")
        self.assertEqual(ratios.instruction_set(avx512 - {"avx512vl"}), "avx2")
        self.assertEqual(ratios.instruction_set(avx512, "avx2"), "avx2")


if __name__ == "__main__":
    unittest.main()
