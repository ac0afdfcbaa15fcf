"""Curves: raising the points of a lab for everybody, before the deduction for lateness.

With p the points earned, m the most, b the best points of anybody in the class for this lab:

    none         p
    add          min(m, p + points)
    scale        min(m, p * m / b)        the best submission gets everything
    square_root  m * sqrt(p / m)          25 % become 50 %, 64 % become 80 %

0 stays 0: an attempt that earned no points gets none from a curve. No curve lowers points or changes the
order.
"""

from __future__ import annotations

from math import sqrt

from grader.course.policy.points import rounded
from grader.course.policy.policy import Curve


def curved(points: float, max_points: float, curve: Curve, best: float) -> float:
    """@p best: the most that anybody in the class earned for the lab, before lateness; only 'scale' needs it."""
    if points <= 0 or max_points <= 0:
        return 0.0
    if curve.kind == "add":
        return rounded(min(max_points, points + curve.points))
    if curve.kind == "scale" and best > 0:
        return rounded(min(max_points, points * max_points / best))
    if curve.kind == "square_root":
        return rounded(max_points * sqrt(min(1.0, points / max_points)))
    return points
