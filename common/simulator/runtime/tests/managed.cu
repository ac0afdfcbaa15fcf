// Managed memory: results, and what the calls return, as on an H200.
#include <unistd.h>

#include <vector>

#include "check.h"

namespace {

constexpr std::size_t kMiB = 1 << 20;
const cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0}, kHost{cudaMemLocationTypeHost, 0};

__managed__ int counter = 5;
__managed__ int table[3000];

__global__ void add_one(int* x, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) x[i] += 1;
}

__global__ void use_variables() {
  table[threadIdx.x] = counter + static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) counter = 77;
}

void launch(int* x, std::size_t count) {
  add_one<<<static_cast<unsigned>((count + 255) / 256), 256>>>(x, count);
  ANSWERS(cudaSuccess, cudaDeviceSynchronize());
}

bool all_are(const int* x, std::size_t count, int value) {
  for (std::size_t i = 0; i < count; ++i)
    if (x[i] != value) return false;
  return true;
}

int attribute(const void* x, std::size_t bytes, cudaMemRangeAttribute which) {
  int value = -99;
  ANSWERS(cudaSuccess, cudaMemRangeGetAttribute(&value, sizeof value, which, x, bytes));
  return value;
}

void values_go_back_and_forth() {
  constexpr std::size_t kCount = 3 * kMiB / 4 + 7;  // ints; the last page is cut
  int* x = nullptr;
  ANSWERS(cudaSuccess, cudaMallocManaged(&x, kCount * sizeof(int)));
  CHECK(all_are(x, kCount, 0));
  for (std::size_t i = 0; i < kCount; ++i) x[i] = 3;
  launch(x, kCount);
  CHECK(all_are(x, kCount, 4));
  x[kCount / 2] = 10;
  launch(x, kCount);
  CHECK(x[kCount / 2] == 11);
  CHECK(x[0] == 5);
  ANSWERS(cudaSuccess, cudaMemPrefetchAsync(x, kCount * sizeof(int), kDevice, 0, nullptr));
  launch(x, kCount);
  ANSWERS(cudaSuccess, cudaMemPrefetchAsync(x, kCount * sizeof(int), kHost, 0, nullptr));
  ANSWERS(cudaSuccess, cudaDeviceSynchronize());
  CHECK(x[kCount - 1] == 6);
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kCount * sizeof(int), cudaMemAdviseSetReadMostly, kDevice));
  launch(x, kCount);
  CHECK(x[1] == 7);
  x[1] = 20;
  launch(x, kCount);
  CHECK(x[1] == 21);
  ANSWERS(cudaSuccess, cudaFree(x));
}

void copies_and_fills_reach_it() {
  constexpr std::size_t kCount = kMiB / 4;
  std::vector<int> host(kCount, 8);
  int *x = nullptr, *device = nullptr;
  ANSWERS(cudaSuccess, cudaMallocManaged(&x, kMiB));
  ANSWERS(cudaSuccess, cudaMalloc(&device, kMiB));
  ANSWERS(cudaSuccess, cudaMemcpy(x, host.data(), kMiB, cudaMemcpyDefault));
  launch(x, kCount);
  ANSWERS(cudaSuccess, cudaMemcpy(device, x, kMiB, cudaMemcpyDefault));
  launch(device, kCount);
  ANSWERS(cudaSuccess, cudaMemcpy(host.data(), device, kMiB, cudaMemcpyDefault));
  CHECK(all_are(host.data(), kCount, 10));
  ANSWERS(cudaSuccess, cudaMemset(x, 0, kMiB / 2));
  ANSWERS(cudaSuccess, cudaDeviceSynchronize());
  CHECK(x[0] == 0);
  CHECK(x[kCount - 1] == 9);
  ANSWERS(cudaSuccess, cudaFree(device));
  ANSWERS(cudaSuccess, cudaFree(x));
}

void variables_are_shared() {
  counter += 1;
  use_variables<<<1, 1024>>>();
  ANSWERS(cudaSuccess, cudaDeviceSynchronize());
  CHECK(counter == 77);
  CHECK(table[1023] == 6 + 1023);
  CHECK(table[1024] == 0);
}

/// The system reads and writes pages that are on the device.
void the_system_reaches_it() {
  constexpr std::size_t kCount = kMiB / 4;
  int *x = nullptr, *y = nullptr;
  ANSWERS(cudaSuccess, cudaMallocManaged(&x, kMiB));
  ANSWERS(cudaSuccess, cudaMallocManaged(&y, kMiB));
  launch(x, kCount);
  FILE* file = std::tmpfile();
  CHECK(file != nullptr);
  CHECK(std::fwrite(x, 1, kMiB, file) == kMiB);
  std::rewind(file);
  CHECK(std::fread(y, 1, kMiB, file) == kMiB);
  CHECK(all_are(y, kCount, 1));
  launch(x, kCount);
  std::fflush(file);
  CHECK(pwrite(fileno(file), x, kMiB, 0) == static_cast<ssize_t>(kMiB));
  launch(y, kCount);
  CHECK(pread(fileno(file), y, kMiB, 0) == static_cast<ssize_t>(kMiB));
  CHECK(all_are(y, kCount, 2));
  std::fclose(file);
  ANSWERS(cudaSuccess, cudaFree(x));
  ANSWERS(cudaSuccess, cudaFree(y));
}

void ranges_tell_what_was_said() {
  int* x = nullptr;
  ANSWERS(cudaSuccess, cudaMallocManaged(&x, kMiB));
  CHECK(attribute(x, kMiB, cudaMemRangeAttributeLastPrefetchLocation) == cudaInvalidDeviceId);
  CHECK(attribute(x, kMiB, cudaMemRangeAttributeLastPrefetchLocationType) == cudaMemLocationTypeInvalid);
  ANSWERS(cudaSuccess, cudaMemPrefetchAsync(x, kMiB, kDevice, 0, nullptr));
  CHECK(attribute(x, kMiB, cudaMemRangeAttributeLastPrefetchLocation) == 0);
  ANSWERS(cudaSuccess, cudaMemPrefetchAsync(x, kMiB / 2, kHost, 0, nullptr));
  CHECK(attribute(x, kMiB, cudaMemRangeAttributeLastPrefetchLocation) == cudaInvalidDeviceId);
  CHECK(attribute(x, kMiB / 2, cudaMemRangeAttributeLastPrefetchLocation) == cudaCpuDeviceId);
  CHECK(attribute(x, kMiB / 2, cudaMemRangeAttributeLastPrefetchLocationId) == -1);
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB, cudaMemAdviseSetPreferredLocation, kDevice));
  CHECK(attribute(x, kMiB, cudaMemRangeAttributePreferredLocation) == 0);
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB / 2, cudaMemAdviseSetPreferredLocation, kHost));
  CHECK(attribute(x, kMiB, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB, cudaMemAdviseSetAccessedBy, kDevice));
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB, cudaMemAdviseSetAccessedBy, kHost));
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB, cudaMemAdviseSetReadMostly, kDevice));
  int both[3] = {}, one = 0;
  ANSWERS(cudaSuccess, cudaMemRangeGetAttribute(both, sizeof both, cudaMemRangeAttributeAccessedBy, x, kMiB));
  CHECK((both[0] == 0 && both[1] == cudaCpuDeviceId && both[2] == cudaInvalidDeviceId));
  void* data[2] = {&one, both};
  std::size_t sizes[2] = {sizeof one, sizeof(int)};
  cudaMemRangeAttribute which[2] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeLastPrefetchLocation};
  ANSWERS(cudaSuccess, cudaMemRangeGetAttributes(data, sizes, which, 2, x, kMiB));
  CHECK(one == 1);
  ANSWERS(cudaSuccess, cudaFree(x));
}

void wrong_calls_are_refused() {
  int *x = nullptr, *device = nullptr, value = 0;
  ANSWERS(cudaSuccess, cudaMallocManaged(&x, kMiB));
  ANSWERS(cudaSuccess, cudaMalloc(&device, kMiB));
  const cudaMemLocation other{cudaMemLocationTypeDevice, 7}, none{cudaMemLocationTypeInvalid, 0},
      node{cudaMemLocationTypeHostNuma, 99};
  ANSWERS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(x, kMiB, other, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(x, kMiB, none, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(x, kMiB, node, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(x, kMiB, kDevice, 1, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(x, kMiB + 1, kDevice, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(x, 0, kDevice, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, kMiB, kDevice, 0, nullptr));
  ANSWERS(cudaErrorInvalidValue, cudaMemAdvise(x, kMiB, cudaMemAdviseSetPreferredLocation, other));
  ANSWERS(cudaSuccess, cudaMemAdvise(x, kMiB, cudaMemAdviseUnsetReadMostly, other));
  ANSWERS(cudaErrorInvalidValue, cudaMemAdvise(x, kMiB, static_cast<cudaMemoryAdvise>(0), kDevice));
  ANSWERS(cudaErrorInvalidValue, cudaMemAdvise(device, kMiB, cudaMemAdviseSetReadMostly, kDevice));
  ANSWERS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 2, cudaMemRangeAttributeReadMostly, x, kMiB));
  ANSWERS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 8, cudaMemRangeAttributeReadMostly, x, kMiB));
  ANSWERS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, device, kMiB));
  ANSWERS(cudaErrorInvalidValue, cudaMemRangeGetAttributes(nullptr, nullptr, nullptr, 0, x, kMiB));
  ANSWERS(cudaSuccess, cudaFree(device));
  ANSWERS(cudaSuccess, cudaFree(x));
}

}  // namespace

int main() {
  values_go_back_and_forth();
  copies_and_fills_reach_it();
  variables_are_shared();
  the_system_reaches_it();
  ranges_tell_what_was_said();
  wrong_calls_are_refused();
  return report();
}
