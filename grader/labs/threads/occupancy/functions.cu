// The functions of lab occupancy, and what a call of one cannot say: structures, and kernels that are launched as the
// answer says.
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "occupancy.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

// Keeps kLive values in registers, and has kStatic bytes of shared memory of its own. Without data it ends at once.
template <int kLive, int kStatic>
__global__ void stage(float* data, int n) {
  extern __shared__ float dynamic[];
  __shared__ float own[kStatic / sizeof(float)];
  if (data == nullptr) return;
  float values[kLive];
#pragma unroll
  for (int k = 0; k < kLive; ++k) values[k] = data[k * n + threadIdx.x];
  own[threadIdx.x % (kStatic / sizeof(float))] = dynamic[threadIdx.x] = values[0];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kLive; ++k) data[k * n + threadIdx.x] = values[k] * values[(k * 7 + 3) % kLive];
  data[threadIdx.x] += own[(threadIdx.x + 1) % (kStatic / sizeof(float))] + dynamic[threadIdx.x ^ 1];
}

const void* kernel_of(const Case& given) {
  void (*const kernels[])(float*, int) = {stage<4, 16>, stage<40, 1000>, stage<90, 4096>, stage<200, 40000>};
  return reinterpret_cast<const void*>(kernels[number(given, "kernel")]);
}

// blocks_per_multiprocessor() for a device and kernels that need not exist.
void run_blocks(const Case& given, Reply& reply) {
  cudaDeviceProp device{};
  device.warpSize = 32;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiProcessor = number(given, "resident_threads");
  device.maxBlocksPerMultiProcessor = number(given, "resident_blocks");
  device.regsPerBlock = device.regsPerMultiprocessor = number(given, "device_registers");
  device.sharedMemPerBlock = 48 * 1024;
  device.sharedMemPerBlockOptin = given.integer("device_shared") - 1024;
  device.sharedMemPerMultiprocessor = given.integer("device_shared");
  device.reservedSharedMemPerBlock = 1024;
  const auto registers = given.array<std::int32_t>("registers"), own = given.array<std::int32_t>("static_bytes"),
             allowed = given.array<std::int32_t>("allowed_bytes"), threads = given.array<std::int32_t>("threads"),
             dynamic = given.array<std::int32_t>("dynamic_bytes");
  std::vector<std::int32_t> blocks;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    cudaFuncAttributes kernel{};
    kernel.numRegs = registers[i];
    kernel.sharedSizeBytes = own[i];
    kernel.maxDynamicSharedSizeBytes = allowed[i];
    kernel.maxThreadsPerBlock = 1024;
    blocks.push_back(blocks_per_multiprocessor(device, kernel, threads[i], dynamic[i]));
  }
  reply.set("blocks", blocks);
  send(reply);
}

// The same for a kernel and the device that there is, and what CUDA says of them.
void run_ask(const Case& given, Reply& reply) {
  const void* kernel = kernel_of(given);
  cudaDeviceProp device{};
  cudaFuncAttributes attributes{};
  WB_CHECK(cudaGetDeviceProperties(&device, 0));
  WB_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, number(given, "allowed")));
  WB_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  std::vector<std::int32_t> blocks, answers;
  const auto threads = given.array<std::int32_t>("threads"), dynamic = given.array<std::int32_t>("dynamic_bytes");
  for (std::size_t i = 0; i < threads.size(); ++i) {
    int answer = -1;
    WB_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&answer, kernel, threads[i], dynamic[i]));
    answers.push_back(answer);
    blocks.push_back(blocks_per_multiprocessor(device, attributes, threads[i], dynamic[i]));
  }
  reply.set("registers", attributes.numRegs);
  reply.set("static_bytes", static_cast<std::int64_t>(attributes.sharedSizeBytes));
  reply.set("blocks", blocks);
  reply.set("answers", answers);
  send(reply);
}

// Launches a kernel as the answer says. The profile has its registers and its shared memory.
void run_choose(const Case& given, Reply& reply) {
  const void* kernel = kernel_of(given);
  const Launch launch = choose_launch(kernel, number(given, "bytes_per_block"), number(given, "bytes_per_thread"),
                                      number(given, "most_threads"));
  float* data = nullptr;
  int n = 0;
  void* arguments[] = {&data, &n};
  WB_CHECK(
      cudaLaunchKernel(kernel, dim3(launch.blocks), dim3(launch.threads), arguments, launch.dynamic_bytes, nullptr));
  send(reply);
}

Taps taps_of(const Case& given) {
  const auto weights = given.array<float>("weights");
  Taps taps{};
  std::copy(weights.begin(), weights.end(), taps.weights);
  return taps;
}

void run_smooth(const Case& given, Reply& reply) {
  const int rows = number(given, "rows"), columns = number(given, "columns");
  const Taps taps = taps_of(given);
  const InputBuffer<float> in(given, "in");
  const OutputBuffer<float> out(given, "out", std::size_t{1} * rows * columns);
  measure(reply, [&] {
    if (given.has("threads"))
      return smooth_any_block(in.data(), out.data(), rows, columns, taps, number(given, "threads"));
    smooth(in.data(), out.data(), rows, columns, taps);
  });
  send(reply, in, out);
}

}  // namespace

WB_FUNCTION(most_registers)
WB_FUNCTION(l1_kib)
WB_FUNCTION(predict_loads)
WB_RUNNER("blocks_per_multiprocessor", run_blocks)
WB_RUNNER("ask", run_ask)
WB_RUNNER("choose_launch", run_choose)
WB_RUNNER("smooth", run_smooth)
