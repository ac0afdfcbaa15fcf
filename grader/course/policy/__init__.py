"""The policy of a course: what points a lab gives, what being late costs, what is hidden, which attempt counts."""
