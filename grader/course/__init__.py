"""Instructors grade a class: submissions in, a gradebook out."""
