"""Intake: turns submissions, as a course platform exports them, into records of student, lab and file."""
