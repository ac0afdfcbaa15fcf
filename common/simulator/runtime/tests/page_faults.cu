// One allocation for each way to access managed memory; h200_page_faults.csv has, in the same order, the page faults
// and bytes that CUPTI counted for it on an H200.
#include <cstring>
#include <vector>

#include "check.h"

namespace {

constexpr std::size_t kMiB = 1 << 20, kPage = 4096, kBytes = 8 * kMiB, kPages = kBytes / kPage;
const cudaMemLocation kDevice{cudaMemLocationTypeDevice, 0}, kHost{cudaMemLocationTypeHost, 0};
volatile int sink;

__global__ void touch(char* x, std::size_t stride, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) x[i * stride] += 1;
}

__global__ void touch_list(char* x, const int* pages, int count) {
  if (static_cast<int>(threadIdx.x) < count) x[pages[threadIdx.x] * kPage] += 1;
}

__global__ void read_all(const char* x, std::size_t count, int* never) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count && x[i] == 99) *never = 1;
}

template <class Body>
void with_memory(std::size_t bytes, Body body) {
  char* x = nullptr;
  SUCCEEDS(cudaMallocManaged(&x, bytes));
  body(x);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaFree(x));
}

void device_uses_every(char* x, std::size_t stride, std::size_t bytes) {
  const std::size_t count = bytes / stride;
  touch<<<static_cast<unsigned>((count + 255) / 256), 256>>>(x, stride, count);
  SUCCEEDS(cudaDeviceSynchronize());
}

void device_reads(const char* x, std::size_t bytes) {
  int* never = nullptr;
  SUCCEEDS(cudaMalloc(&never, sizeof(int)));
  read_all<<<static_cast<unsigned>(bytes / 256), 256>>>(x, bytes, never);
  SUCCEEDS(cudaFree(never));
}

void device_uses(char* x, const std::vector<int>& pages) {
  int* list = nullptr;
  SUCCEEDS(cudaMalloc(&list, pages.size() * sizeof(int)));
  SUCCEEDS(cudaMemcpy(list, pages.data(), pages.size() * sizeof(int), cudaMemcpyHostToDevice));
  touch_list<<<1, 1024>>>(x, list, static_cast<int>(pages.size()));
  SUCCEEDS(cudaFree(list));
}

void host_reads(const char* x, std::size_t begin, std::size_t end) {
  for (std::size_t page = begin; page < end; ++page) sink = x[page * kPage];
}

std::vector<int> every(int step, int end) {
  std::vector<int> pages;
  for (int page = 0; page < end; page += step) pages.push_back(page);
  return pages;
}

void patterns() {
  for (const std::size_t kib : {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}) {
    with_memory(kBytes, [&](char* x) {
      std::memset(x, 1, kBytes);
      device_uses_every(x, kib * 1024, kBytes);
    });
  }
  for (const std::vector<int>& pages : {std::vector<int>{5}, std::vector<int>{5, 20}, std::vector<int>{5, 20, 36},
                                        every(1, 256), every(16, 512), every(32, 512)}) {
    with_memory(kBytes, [&](char* x) {
      std::memset(x, 1, kBytes);
      device_uses(x, pages);
    });
  }
  with_memory(kBytes, [](char* x) { device_uses(x, {5}); });
  for (const int page : {5, 600}) {
    with_memory(kBytes, [&](char* x) {
      x[0] = 1;
      device_uses(x, {page});
    });
  }
}

void back_and_forth() {
  with_memory(kBytes, [](char* x) {
    host_reads(x, 5, 6);
    x[700 * kPage] = 1;
    std::memset(x, 1, kBytes);
    SUCCEEDS(cudaMemPrefetchAsync(x, kBytes, kDevice, 0, nullptr));
    SUCCEEDS(cudaDeviceSynchronize());
    for (const std::size_t page : {5, 6, 20, 36}) host_reads(x, page, page + 1);
    device_uses_every(x, kPage, 64 * kPage);
    host_reads(x, 512, 1024);
    for (std::size_t page = 1536; page-- > 1024;) host_reads(x, page, page + 1);
  });
}

void copies() {
  std::vector<char> host(kBytes, 3);
  char* device = nullptr;
  SUCCEEDS(cudaMalloc(&device, kBytes));
  with_memory(kBytes, [&](char* x) { SUCCEEDS(cudaMemcpy(x, host.data(), kBytes, cudaMemcpyHostToDevice)); });
  with_memory(kBytes, [&](char* x) {
    std::memset(x, 1, kBytes);
    SUCCEEDS(cudaMemcpy(x, host.data(), kBytes, cudaMemcpyHostToDevice));
  });
  with_memory(kBytes, [&](char* x) {
    std::memset(x, 1, kBytes);
    SUCCEEDS(cudaMemcpy(device, x, kBytes, cudaMemcpyDeviceToDevice));
    SUCCEEDS(cudaMemcpy(host.data(), x, kBytes, cudaMemcpyDeviceToHost));
  });
  with_memory(kBytes, [](char* x) { SUCCEEDS(cudaMemset(x, 0, kBytes)); });
  with_memory(kBytes, [](char* x) {
    std::memset(x, 1, kBytes);
    SUCCEEDS(cudaMemset(x, 0, kBytes));
  });
  SUCCEEDS(cudaFree(device));
}

void advice() {
  constexpr std::size_t kFew = 4 * kMiB, kFewPages = kFew / kPage;
  with_memory(kFew, [](char* x) {
    std::memset(x, 1, kFew);
    device_uses_every(x, 4, kFew);
    host_reads(x, 0, kFewPages);
  });
  with_memory(kFew, [](char* x) {
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetAccessedBy, kDevice));
    std::memset(x, 1, kFew);
    device_uses_every(x, 4, kFew);
    host_reads(x, 0, kFewPages);
  });
  with_memory(kFew, [](char* x) {
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetPreferredLocation, kHost));
    std::memset(x, 1, kFew);
    device_uses_every(x, 4, kFew);
    host_reads(x, 0, kFewPages);
  });
  with_memory(kFew, [](char* x) {
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetPreferredLocation, kHost));
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetAccessedBy, kDevice));
    std::memset(x, 1, kFew);
    device_uses_every(x, 4, kFew);
    host_reads(x, 0, kFewPages);
  });
  with_memory(kFew, [](char* x) {
    std::memset(x, 1, kFew);
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetReadMostly, kDevice));
    device_reads(x, kFew);
    host_reads(x, 0, kFewPages);
    for (std::size_t page = 0; page < kFewPages; ++page) x[page * kPage] = 2;
    device_reads(x, kFew);
    device_uses_every(x, 4, kFew);
    host_reads(x, 0, kFewPages);
  });
  with_memory(kFew, [](char* x) {
    std::memset(x, 1, kFew);
    SUCCEEDS(cudaMemAdvise(x, kFew, cudaMemAdviseSetReadMostly, kDevice));
    SUCCEEDS(cudaMemPrefetchAsync(x, kFew, kDevice, 0, nullptr));
    device_reads(x, kFew);
    host_reads(x, 0, kFewPages);
  });
}

}  // namespace

int main() {
  patterns();
  back_and_forth();
  copies();
  advice();
  return report();
}
