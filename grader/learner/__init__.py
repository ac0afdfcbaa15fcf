"""The learner's commands: list, next, check, watch, hint and submit."""
