"""Tests of where in an answer something is."""

import time
import unittest

from grader.course.testing.findings import made_finding
from grader.report.class_places import Places, functions_of, places_in

SOURCE = """#include "sum.h"
// void comment() {
namespace {
struct Pair { int a; int get() const { return a; } };
template <int N>
__global__ void kernel(const float* in,
                       float* out) {
  if (in) { out[0] = helper(in[0]); }
}
}  // namespace

void sum(const float* in, float* out) {
  kernel<4><<<1, 2>>>(in, out);
}
void scale(float* x) noexcept
{
  const char* text = "void not_me() {";
}
"""


class PlacesTest(unittest.TestCase):
    def test_functions_and_their_lines(self):
        found = {one.name: (one.first, one.last) for one in functions_of(SOURCE)}
        self.assertEqual(found["kernel"], (6, 9))
        self.assertEqual(found["sum"], (12, 14))
        self.assertEqual(found["scale"], (15, 18))
        self.assertNotIn("comment", found)
        self.assertNotIn("not_me", found)

    def test_a_line_belongs_to_the_functions_of_the_contract_that_reach_it(self):
        places = Places(SOURCE, {"sum", "scale", "missing"})
        self.assertEqual(places.defined, {"sum", "scale"})
        self.assertEqual((places.at(8), places.at(17), places.at(1)), ({"sum"}, {"scale"}, frozenset()))
        for finding, expected in (
            (made_finding(sites=[("labs/sum/sum.cu", 8)]), {"sum"}),
            (made_finding(sites=[("labs/sum/their_sum.cu", 8)]), frozenset()),
            (made_finding(function="scale"), {"scale"}),
            (made_finding(function="no_such_function"), frozenset()),
            (made_finding(headline="labs/sum/sum.cu:8 and function \"scale\""), frozenset()),
            (None, frozenset()),
        ):
            self.assertEqual(places_in(finding, "sum.cu", places, {"sum", "scale"}), expected)

    def test_no_text_takes_long(self):
        for text in (
            "{" * 300_000,
            "(" * 300_000,
            "}" * 300_000,
            "f(" * 150_000 + "{",
            "a " * 200_000 + "{",
            "f(a) " * 100_000 + "{}",
            "f() {" * 60_000,
            "/*" * 200_000,
            "f(((" * 50_000 + ")" * 50_000 + "{",
        ):
            start = time.process_time()
            Places(text, {"f"})
            self.assertLess(time.process_time() - start, 5, text[:10])


if __name__ == "__main__":
    unittest.main()
