// Runs one kernel of the benchmark through the CUDA runtime: cuda_bench KERNEL SIZE REPETITIONS.
#include <cuda_runtime.h>

#include <cstdint>

#include "common/command_line/command_line.h"
#include "dialects.h"
#include "kernels.inc"
#include "workload.h"

using namespace warpbook::bench;

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

float* upload(const std::vector<float>& values) {
  float* device = nullptr;
  check(cudaMalloc(&device, values.size() * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  return device;
}

}  // namespace

int main(int argc, char** argv) {
  std::string name;
  int size = 0, repetitions = 0;
  warpbook::CommandLine line("Times a kernel by CUDA.");
  line.add("KERNEL", name, "One of workloads.h").required();
  line.add("SIZE", size, "Of the problem").required();
  line.add("REPETITIONS", repetitions, "Of which the fastest counts").required();
  if (const std::optional<int> status = line.parse(argc, argv, 2)) return *status;
  const Workload work = workload(name, size);
  std::vector<std::vector<float>> in;
  std::vector<float*> device_in;
  for (std::size_t i = 0; i < work.inputs; ++i) {
    in.push_back(input(work, i));
    device_in.push_back(upload(in.back()));
  }
  std::vector<float> out(work.out_count, -1.0f);
  float* device_out = upload(out);

  const dim3 grid(work.grid[0], work.grid[1]), block(work.block[0], work.block[1]);
  const Time time = fastest(repetitions, [&] {
    switch (work.kernel) {
      case Kernel::matrix_product_16:
        matrix_product_16<<<grid, block>>>(device_in[0], device_in[1], device_out, work.size);
        break;
      case Kernel::matrix_product_32:
        matrix_product_32<<<grid, block>>>(device_in[0], device_in[1], device_out, work.size);
        break;
      case Kernel::padded_transpose:
        padded_transpose<<<grid, block>>>(device_in[0], device_out, work.size);
        break;
      case Kernel::block_reduction:
        block_reduction<<<grid, block>>>(device_in[0], device_out);
        break;
    }
    check(cudaGetLastError(), work.name);
    check(cudaDeviceSynchronize(), work.name);
  });
  check(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  const std::size_t wrong = wrong_elements(work, in, out);
  print_result(work, time, wrong);
  return wrong == 0 ? 0 : 1;
}
