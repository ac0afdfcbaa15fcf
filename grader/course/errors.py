"""Errors that a person who runs a batch command can fix; main() prints them and exits with 2."""


class BatchError(Exception):
    """A message that says what is wrong, the value seen, where, and what to do next."""
