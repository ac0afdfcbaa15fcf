"""The autograder for Gradescope: a zip with warpbook in it, and the programs that run there."""
