"""Intake: submissions as a course platform hands them out, turned into records of student, lab and file."""
