// Times every validation case and prints CSV: measured on a GPU, predicted on the virtual GPU.
//
// Usage: validation [--cases parts|families|causes] [--reduced] [--repetitions N] [--flush-mib N] [--only SUBSTRING]
//
// `parts` (the default) are the kernels that the first constants were derived from, `families` those of families/,
// `causes` those of causes.cu and pipelines.cu.
//
// Before each timed kernel the L2 is flushed by reading N MiB (256 by default; 0: no flush, for
// profilers). That also keeps the device busy while the host enqueues, so that the events measure the kernel alone.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/simulator/model/validation/cases.cuh"

namespace {

/// Reads a buffer larger than the L2, one word of each 64 bytes, which come from memory together, so that the next
/// kernel finds none of its data there, and no dirty data that would have to be written back.
__global__ void read_all(const float4* data, std::size_t count, float* sink) {
  float sum = 0;
  for (std::size_t i = 4 * (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x); i < count;
       i += 4 * std::size_t{gridDim.x} * blockDim.x)
    sum += data[i].x;
  if (sum == 12345.0f) *sink = sum;
}

float median(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Cases cases;
  int repetitions = 11;
  std::size_t flush_mib = 256;
  std::string only, set = "parts";
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--reduced"))
      cases.reduced = true;
    else if (!std::strcmp(argv[i], "--flush-mib") && i + 1 < argc)
      flush_mib = static_cast<std::size_t>(std::max(0, std::atoi(argv[++i])));
    else if (!std::strcmp(argv[i], "--repetitions") && i + 1 < argc)
      repetitions = std::max(1, std::atoi(argv[++i]));
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!std::strcmp(argv[i], "--cases") && i + 1 < argc)
      set = argv[++i];
    else {
      std::fprintf(stderr, "validation: unknown argument '%s'\n", argv[i]);
      return 2;
    }
  }
  const bool causes = set == "causes", families = set == "families" || causes;
  if (!families && set != "parts") {
    std::fprintf(stderr, "validation: --cases is 'parts', 'families' or 'causes', not '%s'\n", set.c_str());
    return 2;
  }
  cases.bytes = cases.reduced ? std::size_t{64} << 20 : std::size_t{512} << 20;
  cases.index_count = cases.reduced ? std::size_t{1} << 20 : std::size_t{1} << 26;
  if (families) {
    cases.bytes = std::size_t{128} << 20;
    cases.index_count = std::size_t{1} << 22;
  }
  for (float** buffer : {&cases.a, &cases.b, &cases.c}) {
    // Gathers read far beyond the part that is filled.
    CHECK_CUDA(cudaMalloc(buffer, families && buffer == &cases.a ? std::size_t{1} << 30 : cases.bytes));
    CHECK_CUDA(cudaMemset(*buffer, 0x3f, cases.bytes));  // 0.747 in every float
  }
  CHECK_CUDA(cudaMalloc(&cases.indices, cases.index_count * sizeof(int)));
  {
    // i -> i * odd + odd modulo a power of two, with multiplier % 4 == 1, is one cycle through all indices.
    std::vector<int> next(cases.index_count);
    const std::size_t mask = cases.index_count - 1;
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = static_cast<int>((i * 1664525 + 1013904223) & mask);
    CHECK_CUDA(cudaMemcpy(cases.indices, next.data(), next.size() * sizeof(int), cudaMemcpyHostToDevice));
  }
  float* flush_buffer = nullptr;
  const std::size_t flush_bytes = flush_mib << 20;
  const bool flush = flush_bytes > 0;
  if (flush) {
    CHECK_CUDA(cudaMalloc(&flush_buffer, flush_bytes));
    CHECK_CUDA(cudaMemset(flush_buffer, 0, flush_bytes));
  }

  if (causes) {
    add_causes(cases);
    add_pipelines(cases);
  } else if (families) {
    add_contention(cases);
    add_integers(cases);
    add_scans(cases);
    add_grids(cases);
    add_functions(cases);
    add_programs(cases);
    add_units(cases);
    add_constants(cases);
    add_waits(cases);
  } else {
    add_copies(cases);
    add_transposes(cases);
    add_reductions(cases);
    add_products(cases);
    add_arithmetic(cases);
    add_shared_memory(cases);
    add_atomics(cases);
    add_latencies(cases);
  }

  cudaEvent_t start, stop;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  std::printf("family,variant,size,blocks,threads,shared_bytes,registers,median_us,min_us,max_us\n");
  for (const Case& one : cases.list) {
    const std::string name = one.family + "/" + one.variant;
    if (!only.empty() && name.find(only) == std::string::npos) continue;
    std::vector<float> times;
    for (int repetition = repetitions > 1 ? -1 : 0; repetition < repetitions; ++repetition) {
      if (one.prepare) one.prepare();
      if (flush) read_all<<<1056, 256>>>(reinterpret_cast<const float4*>(flush_buffer), flush_bytes / 16, flush_buffer);
      if (flush && one.warm) one.launch();
      CHECK_CUDA(cudaEventRecord(start));
      one.launch();
      CHECK_CUDA(cudaEventRecord(stop));
      CHECK_CUDA(cudaEventSynchronize(stop));
      CHECK_CUDA(cudaGetLastError());
      float ms = 0;
      CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
      if (repetition >= 0) times.push_back(ms * 1000.0f);
    }
    std::printf("%s,%s,%.0f,%llu,%u,%zu,%d,%.3f,%.3f,%.3f\n", one.family.c_str(), one.variant.c_str(), one.size,
                static_cast<unsigned long long>(one.grid.x) * one.grid.y * one.grid.z,
                one.block.x * one.block.y * one.block.z, one.shared_bytes, one.registers, median(times),
                *std::min_element(times.begin(), times.end()), *std::max_element(times.begin(), times.end()));
    std::fflush(stdout);
  }
  return 0;
}
