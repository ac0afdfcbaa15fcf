"""Errors that a learner can fix; main() prints them and exits with 2."""


class LearnerError(Exception):
    """A message that says what is wrong, the value seen, where, and what to do next."""
