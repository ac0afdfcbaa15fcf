// Host threads that share the device, and host memory in pieces.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "check.h"

namespace {

__global__ void increment(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) ++values[i];
}

/// The result of a thread; CHECK counts without locks.
bool use_device(int seed) {
  int* device = nullptr;
  std::vector<int> values(1000, seed), back(1000);
  bool good = cudaMalloc(&device, 4000) == cudaSuccess &&
              cudaMemcpyAsync(device, values.data(), 4000, cudaMemcpyHostToDevice, cudaStreamPerThread) == cudaSuccess;
  increment<<<4, 256, 0, cudaStreamPerThread>>>(device, 1000);
  good = good && cudaMemcpyAsync(back.data(), device, 4000, cudaMemcpyDeviceToHost, cudaStreamPerThread) == cudaSuccess;
  good = good && cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess && cudaFree(device) == cudaSuccess;
  for (const int value : back) good = good && value == seed + 1;
  // An error belongs to the thread that caused it.
  return good && cudaFree(&good) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue;
}

void threads_one_after_another() {
  int good = 0;
  for (int i = 0; i < 150; ++i) std::thread([&] { good += use_device(i); }).join();
  CHECK(good == 150);
  CHECK(cudaGetLastError() == cudaSuccess);
}

void threads_at_once() {
  constexpr int kThreads = 16;
  bool good[kThreads] = {};
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; ++i) all.emplace_back([&good, i] { good[i] = use_device(i) && use_device(-i); });
  for (std::thread& one : all) one.join();
  for (const bool each : good) CHECK(each);
}

/// Each thread and its kernels use their own managed memory, while others do the same.
void threads_with_managed_memory() {
  constexpr int kThreads = 4, kInts = 3000, kRounds = 20;
  bool good[kThreads] = {};
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; ++i) {
    all.emplace_back([&good, i] {
      int* own = nullptr;
      bool right = cudaMallocManaged(&own, kInts * sizeof(int)) == cudaSuccess;
      for (int j = 0; j < kInts; ++j) own[j] = 0;
      for (int round = 0; round < kRounds; ++round) {
        increment<<<12, 256, 0, cudaStreamPerThread>>>(own, kInts);
        right = right && cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess;
        for (int j = 0; j < kInts; ++j) right = right && own[j] == 2 * round + 1;
        for (int j = 0; j < kInts; ++j) ++own[j];
      }
      good[i] = right && cudaFree(own) == cudaSuccess;
    });
  }
  for (std::thread& one : all) one.join();
  for (const bool each : good) CHECK(each);
}

/// One thread uses managed memory while the other waits for the device and so may run the first one's work.
void managed_memory_and_a_thread_that_waits() {
  constexpr int kInts = 3000, kRounds = 100;
  std::atomic<bool> over{false};
  std::thread waiting([&over] {
    while (!over) cudaDeviceSynchronize();
  });
  int* own = nullptr;
  SUCCEEDS(cudaMallocManaged(&own, kInts * sizeof(int)));
  for (int j = 0; j < kInts; ++j) own[j] = 0;
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    increment<<<12, 256, 0, cudaStreamPerThread>>>(own, kInts);
    SUCCEEDS(cudaStreamSynchronize(cudaStreamPerThread));
    for (int j = 0; j < kInts; ++j) wrong += own[j] != 2 * round + 1;
    for (int j = 0; j < kInts; ++j) ++own[j];
  }
  over = true;
  waiting.join();
  CHECK(wrong == 0);
  SUCCEEDS(cudaFree(own));
}

/// The host writes a page next to one that was on the device.
void neighbours_in_managed_memory() {
  constexpr int kPage = 4096 / sizeof(int), kPages = 64;
  int* values = nullptr;
  SUCCEEDS(cudaMallocManaged(&values, kPages * 4096));
  for (int i = 0; i < kPages * kPage; ++i) values[i] = i;
  for (int round = 0; round < 3; ++round) {
    increment<<<4, 256>>>(values + kPage, kPage);
    SUCCEEDS(cudaDeviceSynchronize());
    values[0] += 5;
    values[2 * kPage] += 7;
    values[kPage] += 100;
    values[3 * kPage - 1] += 1;
  }
  CHECK(values[0] == 15 && values[2 * kPage] == 2 * kPage + 21);
  CHECK(values[kPage] == kPage + 303 && values[kPage + 1] == kPage + 4);
  CHECK(values[3 * kPage - 1] == 3 * kPage + 2 && values[kPages * kPage - 1] == kPages * kPage - 1);
  SUCCEEDS(cudaFree(values));
}

/// Two ranges on one page, registered, unregistered and registered again.
void registered_pieces() {
  auto* page = static_cast<int*>(std::aligned_alloc(4096, 8192));
  std::memset(page, 0, 8192);
  int *first = page + 3, *second = page + 500;
  SUCCEEDS(cudaHostRegister(first, 400, 0));
  SUCCEEDS(cudaHostRegister(second, 4096, 0));
  ANSWERS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(second + 1, 4, 0));
  increment<<<1, 128>>>(first, 100);
  increment<<<4, 256>>>(second, 1024);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(page[2] == 0 && first[0] == 1 && first[99] == 1 && first[100] == 0 && second[0] == 1 && second[1023] == 1);
  SUCCEEDS(cudaHostUnregister(first));
  first[0] = 40;
  ANSWERS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(first));
  second[5] = 10;
  increment<<<4, 256>>>(second, 1024);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(second[5] == 11 && second[6] == 2 && first[0] == 40);
  SUCCEEDS(cudaHostRegister(first, 200, cudaHostRegisterMapped));
  increment<<<1, 128>>>(first, 50);
  int copied[50] = {};
  SUCCEEDS(cudaMemcpy(copied, first, 200, cudaMemcpyDefault));
  CHECK(first[0] == 41 && copied[0] == 41 && copied[49] == 2);
  SUCCEEDS(cudaHostUnregister(first));
  SUCCEEDS(cudaHostUnregister(second));
  std::free(page);
}

/// Rows and slices of ordinary memory, with bytes between them that must not change.
void boxes_of_ordinary_memory() {
  constexpr int kWidth = 12, kHeight = 5, kDepth = 3, kPitch = 17, kRows = 7;
  std::vector<unsigned char> from(kPitch * kRows * kDepth), to(from.size(), 0xee);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i);
  cudaPitchedPtr device{};
  SUCCEEDS(cudaMalloc3D(&device, cudaExtent{kWidth, kHeight, kDepth}));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(from.data(), kPitch, kWidth, kRows);
  copy.srcPos = {2, 1, 0};
  copy.dstPtr = device;
  copy.extent = {kWidth, kHeight, kDepth};
  copy.kind = cudaMemcpyHostToDevice;
  SUCCEEDS(cudaMemcpy3D(&copy));
  copy.srcPtr = device;
  copy.srcPos = {0, 0, 0};
  copy.dstPtr = make_cudaPitchedPtr(to.data(), kPitch, kWidth, kRows);
  copy.dstPos = {2, 1, 0};
  copy.kind = cudaMemcpyDeviceToHost;
  SUCCEEDS(cudaMemcpy3D(&copy));
  bool good = true;
  for (int z = 0; z < kDepth; ++z) {
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kPitch; ++x) {
        const bool inside = x >= 2 && x < 2 + kWidth && y >= 1 && y < 1 + kHeight;
        const std::size_t i = static_cast<std::size_t>((z * kRows + y) * kPitch + x);
        good = good && to[i] == (inside ? from[i] : 0xee);
      }
    }
  }
  CHECK(good);
  std::fill(to.begin(), to.end(), 0xee);
  SUCCEEDS(cudaMemcpy2D(to.data(), kPitch, device.ptr, device.pitch, kWidth, kHeight, cudaMemcpyDeviceToHost));
  CHECK(to[kWidth] == 0xee && to[0] == from[kPitch + 2] && to[kPitch] == from[2 * kPitch + 2]);
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy2D(to.data(), ~std::size_t{0} / 2, device.ptr, ~std::size_t{0} / 2, 1, 5,
                                              cudaMemcpyDeviceToDevice));
  // With a fifth row, at the address of the first again, an H200's driver does not see it, and the device faults (700).
  ANSWERS(cudaErrorInvalidValue, cudaMemset2D(device.ptr, std::size_t{1} << 62, 0, 1, 2));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  SUCCEEDS(cudaFree(device.ptr));
}

}  // namespace

int main() {
  threads_one_after_another();
  threads_at_once();
  threads_with_managed_memory();
  managed_memory_and_a_thread_that_waits();
  neighbours_in_managed_memory();
  registered_pieces();
  boxes_of_ordinary_memory();
  return report();
}
