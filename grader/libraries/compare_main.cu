// Times solutions and NVIDIA's libraries alternately in one run on a real GPU: compare_libraries [FILE], which gets the
// table as JSON (docs/formats.md).
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "grader/judge/paired_time.h"
#include "grader/libraries/comparison.h"
#include "grader/runner/cold_timer.h"
#include "grader/runner/worker.h"

namespace warpbook::grader {

/// The time of host calls is hidden: only the work is compared, and a library makes more calls than a solution.
Timing& timing() {
  static Timing queued = Timing::queued;
  return queued;
}

namespace {

constexpr int kWarmUp = 2, kRounds = 21;

/// Rounds as in a lab's test of time; here the library is the reference.
std::vector<Round> rounds_of(const Comparison& comparison) {
  std::vector<Round> rounds;
  for (int i = 0; i < kWarmUp + kRounds; ++i) {
    const bool forth = i % 2 == 0;
    Round round;
    (forth ? round.reference_us : round.control_us) = time_cold(comparison.of_library);
    round.answer_us = time_cold(comparison.solution);
    (forth ? round.control_us : round.reference_us) = time_cold(comparison.of_library);
    if (i >= kWarmUp) rounds.push_back(round);
  }
  return rounds;
}

std::string rounded(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

/// Compares the outputs of both, then their times. @returns its line of the file
std::string line_of(const Comparison& comparison) {
  comparison.solution();
  comparison.of_library();
  WB_CHECK(cudaDeviceSynchronize());
  if (const std::string difference = comparison.difference(); !difference.empty())
    throw std::runtime_error(comparison.lab + ", " + comparison.size + ": " + difference);
  const Judgement judged = judge(rounds_of(comparison), 1);
  const double own = judged.answer_us, other = judged.reference_us;
  std::printf("%-15s %-26s %9.1f %9.1f %7.2f %5.2f-%4.2f %9.2f %9.2f %s%s\n", comparison.lab.c_str(),
              comparison.size.c_str(), own, other, judged.ratio.median, judged.ratio.low, judged.ratio.high,
              comparison.amount / own / 1000, comparison.amount / other / 1000, comparison.unit.c_str(),
              judged.control_strayed ? " (the control strayed)" : "");
  std::fflush(stdout);
  std::ostringstream line;
  line << R"(  {"lab": ")" << comparison.lab << R"(", "library": ")" << comparison.library << R"(", "size": ")"
       << comparison.size << R"(", "solution_us": )" << rounded(own) << R"(, "library_us": )" << rounded(other)
       << R"(, "ratio": )" << rounded(judged.ratio.median) << R"(, "low": )" << rounded(judged.ratio.low)
       << R"(, "high": )" << rounded(judged.ratio.high) << R"(, "strayed": )"
       << (judged.control_strayed ? "true" : "false") << R"(, "unit": ")" << comparison.unit
       << R"(", "solution_rate": )" << rounded(comparison.amount / own / 1000) << R"(, "library_rate": )"
       << rounded(comparison.amount / other / 1000) << "}";
  return line.str();
}

/// GB/s of a copy within the device, read and written bytes together: what memory-bound work can reach.
double copy_rate() {
  constexpr std::size_t kBytes = 256u << 20;
  const DeviceBuffer<char> from(kBytes), to(kBytes);
  WB_CHECK(cudaMemset(from.data(), 1, kBytes));
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i)
    times.push_back(
        time_cold([&] { WB_CHECK(cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice)); }));
  return 2.0 * kBytes / interval_of(times).median / 1000;
}

std::string compared() {
  cudaDeviceProp properties{};
  WB_CHECK(cudaGetDeviceProperties(&properties, 0));
  int runtime = 0;
  WB_CHECK(cudaRuntimeGetVersion(&runtime));
  const double copied = copy_rate();
  std::printf("%s, CUDA %d.%d; a copy of 256 MiB: %.0f GB/s read and written\n\n", properties.name, runtime / 1000,
              runtime % 1000 / 10, copied);
  std::printf("%-15s %-26s %9s %9s %7s %10s %9s %9s\n", "lab", "size", "solution", "library", "ratio", "95 %",
              "solution", "library");
  std::string lines;
  const Compare compare = [&](const Comparison& comparison) {
    lines += (lines.empty() ? "\n" : ",\n") + line_of(comparison);
  };
  for (const auto& part :
       {compare_reduction, compare_scan, compare_compaction, compare_radix_sort, compare_matrix_product})
    part(compare);
  return std::string(R"({"format": "warpbook.libraries", "version": 1, "device": ")") + properties.name +
         R"(", "cuda": ")" + std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10) +
         R"(", "copy_gb_per_s": )" + rounded(copied) + R"(, "comparisons": [)" + lines + "\n]}\n";
}

}  // namespace
}  // namespace warpbook::grader

int main(int count, char** arguments) {
  try {
    const std::string text = warpbook::grader::compared();
    if (count > 1 && !(std::ofstream(arguments[1]) << text).flush())
      throw std::runtime_error(std::string("cannot write ") + arguments[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << "compare_libraries: " << error.what() << '\n';
    return 1;
  }
}
