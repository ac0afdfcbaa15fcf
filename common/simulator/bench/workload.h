// What the benchmark computes: inputs, launch shapes and checks, shared by the CUDA program and the OpenCL program.
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace warpbook::bench {

enum class Kernel { matrix_product_16, matrix_product_32, padded_transpose, block_reduction };

/// One kernel at one size.
struct Workload {
  Kernel kernel;
  const char* name;      ///< As in kernels.inc.
  int size;              ///< Edge of the matrices, or number of elements.
  unsigned grid[2];      ///< Blocks.
  unsigned block[2];     ///< Threads of a block.
  std::size_t inputs;    ///< Number of input arrays.
  std::size_t in_count;  ///< Elements of each.
  std::size_t out_count;
};

inline Workload workload(const std::string& name, int size) {
  const auto n = static_cast<unsigned>(size);
  const std::size_t square = static_cast<std::size_t>(n) * n;
  if (name == "matrix_product_16") {
    return {Kernel::matrix_product_16, "matrix_product_16", size, {n / 16, n / 16}, {16, 16}, 2, square, square};
  }
  if (name == "matrix_product_32") {
    return {Kernel::matrix_product_32, "matrix_product_32", size, {n / 32, n / 32}, {32, 32}, 2, square, square};
  }
  if (name == "padded_transpose") {
    return {Kernel::padded_transpose, "padded_transpose", size, {n / 32, n / 32}, {32, 8}, 1, square, square};
  }
  if (name == "block_reduction") {
    return {Kernel::block_reduction, "block_reduction", size, {n / 256, 1}, {256, 1}, 1, n, n / 256};
  }
  std::fprintf(stderr, "no kernel is called '%s' (see kernels.inc)\n", name.c_str());
  std::exit(2);
}

/// Small integers, so that every sum is exact in float and results can be compared for equality.
inline std::vector<float> input(const Workload& work, std::size_t which) {
  std::vector<float> values(work.in_count);
  std::uint32_t state = 12345u + static_cast<std::uint32_t>(which);
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 29);
  }
  return values;
}

/// The number of wrong elements of @p out. The product is checked by multiplying both sides with a vector of ones,
/// which is exact for small integers and finds any single wrong element.
inline std::size_t wrong_elements(const Workload& work, const std::vector<std::vector<float>>& in,
                                  const std::vector<float>& out) {
  const auto n = static_cast<std::size_t>(work.size);
  std::size_t wrong = 0;
  if (work.kernel == Kernel::block_reduction) {
    for (std::size_t block = 0; block < work.out_count; ++block) {
      double sum = 0;
      for (std::size_t i = 0; i < 256; ++i) sum += static_cast<double>(in[0][block * 256 + i]);
      wrong += static_cast<double>(out[block]) == sum ? 0 : 1;
    }
  } else if (work.kernel == Kernel::padded_transpose) {
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t x = 0; x < n; ++x) wrong += out[x * n + y] == in[0][y * n + x] ? 0 : 1;
  } else {
    std::vector<double> row_sums(n, 0.0);
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t x = 0; x < n; ++x) row_sums[y] += static_cast<double>(in[1][y * n + x]);
    for (std::size_t y = 0; y < n; ++y) {
      double found = 0, expected = 0;
      for (std::size_t x = 0; x < n; ++x) {
        found += static_cast<double>(out[y * n + x]);
        expected += static_cast<double>(in[0][y * n + x]) * row_sums[x];
      }
      wrong += found == expected ? 0 : 1;
    }
  }
  return wrong;
}

struct Time {
  double wall_s = 0;
  double cpu_s = std::numeric_limits<double>::infinity();  ///< Of all threads of the process.
};

/// The run of @p launch (which waits until the kernel is done) with the least CPU time. The first run is a warm-up and
/// is dropped.
inline Time fastest(int repetitions, const std::function<void()>& launch) {
  const auto cpu_now = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  launch();
  Time best;
  for (int i = 0; i < repetitions; ++i) {
    const double cpu = cpu_now();
    const auto start = std::chrono::steady_clock::now();
    launch();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    const double cpu_s = cpu_now() - cpu;
    if (cpu_s < best.cpu_s) best = {wall.count(), cpu_s};
  }
  return best;
}

inline void print_result(const Workload& work, const Time& time, std::size_t wrong) {
  std::printf("{\"kernel\": \"%s\", \"size\": %d, \"wall_s\": %.6f, \"cpu_s\": %.6f, \"wrong\": %zu}\n", work.name,
              work.size, time.wall_s, time.cpu_s, wrong);
}

}  // namespace warpbook::bench
