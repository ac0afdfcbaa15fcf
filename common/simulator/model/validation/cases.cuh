// The list of validation cases and the buffers that they share.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#define CHECK_CUDA(call)                                                                             \
  do {                                                                                               \
    const cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                                  \
    }                                                                                                \
  } while (0)

/// One kernel at one size. The cases of a family do comparable work; the model must get their order by time right.
struct Case {
  std::string family, variant;
  double size = 0;
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  int registers = 0;
  std::function<void()> launch;
  std::function<void()> prepare;  ///< What the kernel needs before each run, before the cache is flushed.
  bool warm = false;              ///< The same kernel has just run: its data is in L2, as far as it fits.
};

constexpr int kMostShared = 227 * 1024;  ///< The most that a block may request by opting in.

/// Collects cases and owns the device memory that they work on.
struct Cases {
  bool reduced = false;   ///< Small sizes only, for the virtual GPU's tests.
  std::size_t bytes = 0;  ///< Of each of the three buffers.
  float *a = nullptr, *b = nullptr, *c = nullptr;
  int* indices = nullptr;  ///< Filled with a permutation without short cycles.
  std::size_t index_count = 0;
  std::vector<Case> list;

  template <typename... Parameters, typename... Arguments>
  Case& add(std::string family, std::string variant, double size, void (*kernel)(Parameters...), dim3 grid, dim3 block,
            std::size_t dynamic_shared, Arguments... arguments) {
    cudaFuncAttributes attributes{};
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
    if (dynamic_shared > 48 * 1024)
      CHECK_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      kMostShared - static_cast<int>(attributes.sharedSizeBytes)));
    list.push_back({std::move(family), std::move(variant), size, grid, block,
                    attributes.sharedSizeBytes + dynamic_shared, attributes.numRegs,
                    [=] { kernel<<<grid, block, dynamic_shared>>>(arguments...); }});
    return list.back();
  }
};

inline unsigned ceil_div(std::size_t a, std::size_t b) { return static_cast<unsigned>((a + b - 1) / b); }

void add_copies(Cases& cases);
void add_transposes(Cases& cases);
void add_reductions(Cases& cases);
void add_products(Cases& cases);
void add_arithmetic(Cases& cases);
void add_shared_memory(Cases& cases);
void add_atomics(Cases& cases);
void add_latencies(Cases& cases);

// The kernels of families/: counted and timed for the table in docs/predictions.md.
void add_constants(Cases& cases);
void add_contention(Cases& cases);
void add_functions(Cases& cases);
void add_grids(Cases& cases);
void add_integers(Cases& cases);
void add_programs(Cases& cases);
void add_scans(Cases& cases);
void add_units(Cases& cases);
void add_waits(Cases& cases);

// One cause of a wrong prediction each.
void add_causes(Cases& cases);
void add_pipelines(Cases& cases);
