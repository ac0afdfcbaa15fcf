"""Similarity of submissions: a signal for a person, never a deduction. docs/instructor.md says how to read it."""

from grader.course.similarity.compare import RESULT_NAME, compare

__all__ = ["RESULT_NAME", "compare"]
