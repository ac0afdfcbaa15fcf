// Approximate functions stay within the errors that the PTX manual documents, for inputs of all magnitudes.
#include <cmath>
#include <functional>

#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

float single(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// f(x) for each x as the virtual GPU computes it by @p instruction.
std::vector<float> compute(const std::string& instruction, const std::vector<float>& inputs) {
  testing::Bench bench(testing::kernel(
      "mad.lo.s32 %r3, %r2, 256, %r1; mul.wide.s32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
      "ld.global.f32 %f1, [%rd4]; " +
      instruction + " %f2, %f1; st.global.f32 [%rd5], %f2;"));
  const std::uint64_t in = bench.array(inputs), out = bench.array(std::vector<float>(inputs.size()));
  const LaunchResult result = bench.launch("k", {static_cast<std::uint32_t>(inputs.size() / 256)}, {256}, {in, out});
  REQUIRE_FALSE(result.fault);
  return bench.read<float>(out, inputs.size());
}

/// 16384 numbers in [low, high], evenly distributed over exponents if both have the same sign.
std::vector<float> spread(float low, float high) {
  std::vector<float> values;
  const bool logarithmic = low * high > 0;
  for (unsigned k = 0; k < 16384; ++k) {
    const double t = (k + 0.37) / 16384;
    values.push_back(
        static_cast<float>(logarithmic ? low * std::pow(double{high} / low, t) : low + t * (double{high} - low)));
  }
  return values;
}

struct Bound {
  double relative, absolute;
};

void check(const std::string& instruction, const std::vector<float>& inputs, const std::function<double(double)>& exact,
           Bound bound) {
  const std::vector<float> results = compute(instruction, inputs);
  std::size_t outside = 0;
  float worst = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const double want = exact(inputs[k]), error = std::fabs(results[k] - want);
    if (error <= bound.relative * std::fabs(want) || error <= bound.absolute) continue;
    ++outside;
    worst = inputs[k];
  }
  INFO(instruction << " at " << worst << " and " << outside << " values in all");
  CHECK(outside == 0);
}

}  // namespace

TEST_CASE("ex2.approx has a relative error of at most 2^-22.5") {
  check("ex2.approx.f32", spread(-126, 128), [](double x) { return std::exp2(x); }, {std::exp2(-22.5), 0});
  check("ex2.approx.ftz.f32", spread(-1, 1), [](double x) { return std::exp2(x); }, {std::exp2(-22.5), 0});
}

TEST_CASE("lg2.approx has an error of at most 2^-22 that is absolute between one half and two") {
  const auto log2 = [](double x) { return std::log2(x); };
  check("lg2.approx.f32", spread(0.5f, 2), log2, {0, std::exp2(-22)});
  check("lg2.approx.f32", spread(2, 3e38f), log2, {std::exp2(-22), 0});
  check("lg2.approx.f32", spread(single(1), 0.5f), log2, {std::exp2(-22), 0});
}

TEST_CASE("sin.approx and cos.approx have an absolute error of at most 2^-20.5 within a turn") {
  check("sin.approx.f32", spread(-6.2831855f, 6.2831855f), [](double x) { return std::sin(x); }, {0, std::exp2(-20.5)});
  check("cos.approx.f32", spread(-6.2831855f, 6.2831855f), [](double x) { return std::cos(x); }, {0, std::exp2(-20.5)});
}

TEST_CASE("tanh.approx has a relative error of at most 2^-11") {
  check("tanh.approx.f32", spread(-12, 12), [](double x) { return std::tanh(x); }, {std::exp2(-11), 0});
  check("tanh.approx.f32", spread(1e-30f, 1), [](double x) { return std::tanh(x); }, {std::exp2(-11), 0});
}

TEST_CASE("rcp.approx and sqrt.approx and rsqrt.approx have a relative error of at most 2^-22.9") {
  check("rcp.approx.f32", spread(1e-37f, 1e37f), [](double x) { return 1 / x; }, {std::exp2(-23), 0});
  check("sqrt.approx.f32", spread(1e-37f, 3e38f), [](double x) { return std::sqrt(x); }, {std::exp2(-23), 0});
  check("rsqrt.approx.f32", spread(1e-37f, 3e38f), [](double x) { return 1 / std::sqrt(x); }, {std::exp2(-22.9), 0});
}
