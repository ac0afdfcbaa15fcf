"""The autograder for Gradescope: a zip with warpbook in it, and what runs there."""
