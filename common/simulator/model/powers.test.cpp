// Powers that do not depend on the machine: close to the C library's, and the same bits everywhere.
#include "common/simulator/model/powers.h"

#include <cmath>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("powers are those of the C library, to 13 digits") {
  for (double x = 1e-4; x < 1e6; x *= 1.37) {
    for (const double exponent : {0.125, 1.0 / 3, 0.5, 1.0, 2.5, 4.0}) {
      const double exact = std::pow(x, exponent);
      CHECK(std::abs(power_everywhere(x, exponent) - exact) <= 1e-13 * exact);
    }
  }
  CHECK(power_everywhere(0, 3) == 0);
  CHECK(power_everywhere(1, 3) == 1);
}

TEST_CASE("exponentials are those of the C library, and end at what a double can hold") {
  for (double x = -40; x < 40; x += 0.37) {
    const double exact = std::exp(x);
    CHECK(std::abs(exp_everywhere(x) - exact) <= 1e-13 * exact);
  }
  CHECK(exp_everywhere(0) == 1);
  CHECK(exp2_everywhere(-2000) == 0);
  CHECK(exp2_everywhere(2000) == 0x1p1023);
  CHECK(exp2_everywhere(-1022) == 0x1p-1022);
}

TEST_CASE("powers have the same bits on every machine") {
  // The results of this code on x86-64 without fused multiply-add.
  CHECK(power_everywhere(3.7, 1.0 / 3) == 0x1.8bf33eb6b7486p+0);
  CHECK(power_everywhere(1234.5, 4) == 0x1.0e6145e737883p+41);
  CHECK(exp_everywhere(-0.7) == 0x1.fc80db9dd5543p-2);
  CHECK(log2_everywhere(10) == 0x1.a934f0979a371p+1);
}
