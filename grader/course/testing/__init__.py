"""Code that tests of batch grading share; not part of the product."""
