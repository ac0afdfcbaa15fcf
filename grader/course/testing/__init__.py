"""What tests of batch grading share; no part of the product."""
