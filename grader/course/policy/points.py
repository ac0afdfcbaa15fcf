"""Points of one graded attempt under the rules of its lab, before curve and lateness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fnmatch import fnmatchcase
from typing import Any

from grader.course.policy.policy import LabPolicy


@dataclass(frozen=True)
class Points:
    """points: earned, of `max_points`, rounded to hundredths. by_kind: kind of test: (earned, most)."""

    points: float
    max_points: float
    by_kind: Mapping[str, tuple[float, float]]


def rounded(value: float) -> float:
    """To hundredths, a half upwards: 0.125 becomes 0.13, on every machine."""
    return float(Decimal(repr(value)).quantize(Decimal("0.01"), ROUND_HALF_UP))


def number(value: float) -> str:
    """A number with at most two digits after the point, and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def is_hidden(test: str, policy: LabPolicy) -> bool:
    """Whether the test `<lab>.<kind>.<sentence>` is one of the hidden ones, released or not."""
    return any(fnmatchcase(test, pattern) for pattern in policy.hidden.tests)


def points_of(result: Mapping[str, Any], policy: LabPolicy) -> Points:
    """Points of a job's result (warpbook.job_result). Hidden tests count, released or not.

    worth is the policy's `points`, or the sum of the tests' points. Without `kinds`: worth * earned / most, over all
    tests. With them, W = sum of the weights of the kinds that the lab has tests of: worth * sum over these kinds of
    (weight / W) * (earned / most). A result without tests (if its build failed, for example) has earned 0 of its max_points.
    """
    tests = result["tests"]
    most = sum(float(test["max_points"]) for test in tests) or float(result.get("max_points", 0))
    worth = policy.points if policy.points is not None else most
    shares = _shares(tests, policy, worth)
    counted = _sum(tests, shares)
    return Points(min(counted.points, rounded(worth)), rounded(worth), counted.by_kind)


def _shares(tests: Iterable[Mapping[str, Any]], policy: LabPolicy, worth: float) -> dict[str, float]:
    """What one point of a test is worth, by the test's kind."""
    most: dict[str, float] = {}
    for test in tests:
        most[test["kind"]] = most.get(test["kind"], 0.0) + float(test["max_points"])
    if policy.kinds:
        weights = {kind: policy.kinds.get(kind, 0.0) for kind in most if most[kind] > 0}
        whole = sum(weights.values())
        if whole > 0:
            return {kind: worth * weight / whole / most[kind] for kind, weight in weights.items()}
    whole = sum(most.values())
    return dict.fromkeys(most, worth / whole if whole > 0 else 0.0)


def _sum(tests: Iterable[Mapping[str, Any]], shares: Mapping[str, float]) -> Points:
    earned: dict[str, float] = {}
    most: dict[str, float] = {}
    for test in tests:
        kind, share = test["kind"], shares.get(test["kind"], 0.0)
        points = max(0.0, min(float(test["points"]), float(test["max_points"])))
        earned[kind] = earned.get(kind, 0.0) + points * share
        most[kind] = most.get(kind, 0.0) + float(test["max_points"]) * share
    by_kind = {kind: (rounded(earned[kind]), rounded(most[kind])) for kind in sorted(most)}
    return Points(rounded(sum(earned.values())), rounded(sum(most.values())), by_kind)
