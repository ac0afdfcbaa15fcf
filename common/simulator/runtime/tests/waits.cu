// Each argument waits for something that never happens; the test reads where threads are reported to wait.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace cg = cooperative_groups;

__global__ void barrier_in_branch(int* data, int count) {
  if (static_cast<int>(threadIdx.x) < count) {
    data[threadIdx.x] = 1;
    __syncthreads();  // not for all
  }
  data[threadIdx.x] += 1;
}

__global__ void group_in_branch(int* data, int count) {
  const cg::thread_block block = cg::this_thread_block();
  if (static_cast<int>(block.thread_rank()) < count) {
    data[threadIdx.x] = 1;
    block.sync();  // the group has more threads
  }
  data[threadIdx.x] += 1;
}

__global__ void skips_grid_sync(int* data, unsigned skipped) {
  if (blockIdx.x == skipped) return;
  data[blockIdx.x] = 1;
  cg::this_grid().sync();  // waits for the block that left
  data[blockIdx.x] += 1;
}

__global__ void returns_some_threads(int* data, int) {
  data[threadIdx.x] = 1;
  if (threadIdx.x >= 40) return;
  __syncthreads();  // threads that have ended are not waited for
  data[threadIdx.x] += 1;
}

__global__ void waits_for_flag(volatile int* flag, int) {
  while (*flag == 0) {
  }
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(mistake, name) == 0; };
  int* data = nullptr;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  if (is("barrier_in_branch")) barrier_in_branch<<<2, 64>>>(data, 20);
  if (is("barrier_for_warps")) barrier_in_branch<<<2, 64>>>(data, 32);
  if (is("group_in_branch")) group_in_branch<<<2, 64>>>(data, 20);
  if (is("returns_some_threads")) returns_some_threads<<<2, 64>>>(data, 0);
  if (is("waits_for_flag")) waits_for_flag<<<2, 64>>>(data, 0);
  if (is("two_streams") || is("thread_that_sleeps")) {
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) {
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      waits_for_flag<<<1, 32, 0, stream>>>(data + (&stream - streams), 0);
    }
  }
  if (is("thread_that_sleeps")) std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  if (is("ends_at_once")) {
    waits_for_flag<<<1, 32>>>(data, 0);
    return 0;
  }
  if (is("skips_grid_sync")) {
    unsigned skipped = 5;
    void* arguments[] = {&data, &skipped};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(skips_grid_sync), 7, 64, arguments, 0, nullptr);
  }
  if (is("plain_launch")) skips_grid_sync<<<7, 64>>>(data, 100);
  std::printf("synchronise %d\n", cudaDeviceSynchronize());
  return 0;
}
