"""Publishing a student edition: the folder that a course hands out (docs/build.md)."""
