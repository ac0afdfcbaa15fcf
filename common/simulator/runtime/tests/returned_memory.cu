// Freed memory of every kind is returned to the system: the process stays small.
#include <cstdlib>
#include <cstring>
#include <string>

#include "check.h"

namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;
constexpr long kMost = 64;

__global__ void fill(char* bytes) {
  for (std::size_t i = threadIdx.x; i < 1 << 20; i += blockDim.x) bytes[i] = 1;
}

/// The process's resident memory in MiB.
long resident() {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  char line[256];
  long kib = -1;
  while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr)
    if (std::strncmp(line, "VmRSS:", 6) == 0) kib = std::atol(line + 6);
  if (file != nullptr) std::fclose(file);
  return kib / 1024;
}

/// @p use fills and frees @p kBytes.
template <class Use>
void check_returned(const char* what, Use use) {
  const long before = resident();
  for (int round = 0; round < 2; ++round) use();
  const long after = resident();
  if (after - before > kMost) std::printf("%s: %ld MiB before, %ld MiB after\n", what, before, after);
  CHECK(before > 0);
  CHECK(after - before <= kMost);
}

}  // namespace

int main() {
  char* bytes = nullptr;
  SUCCEEDS(cudaFree(nullptr));
  check_returned("cudaMalloc", [&] {
    SUCCEEDS(cudaMalloc(&bytes, kBytes));
    SUCCEEDS(cudaMemset(bytes, 1, kBytes));
    fill<<<1, 32>>>(bytes);
    SUCCEEDS(cudaDeviceSynchronize());
    SUCCEEDS(cudaFree(bytes));
  });
  check_returned("cudaMallocHost", [&] {
    SUCCEEDS(cudaMallocHost(&bytes, kBytes));
    std::memset(bytes, 1, kBytes);
    SUCCEEDS(cudaFreeHost(bytes));
  });
  check_returned("cudaMallocManaged", [&] {
    SUCCEEDS(cudaMallocManaged(&bytes, kBytes));
    std::memset(bytes, 1, kBytes);
    fill<<<1, 32>>>(bytes);
    SUCCEEDS(cudaDeviceSynchronize());
    SUCCEEDS(cudaFree(bytes));
  });
  check_returned("cudaMallocAsync", [&] {
    SUCCEEDS(cudaMallocAsync(&bytes, kBytes, nullptr));
    SUCCEEDS(cudaMemsetAsync(bytes, 1, kBytes, nullptr));
    SUCCEEDS(cudaFreeAsync(bytes, nullptr));
    SUCCEEDS(cudaDeviceSynchronize());
  });
  check_returned("cudaDeviceReset", [&] {
    SUCCEEDS(cudaMalloc(&bytes, kBytes));
    SUCCEEDS(cudaMemset(bytes, 1, kBytes));
    SUCCEEDS(cudaDeviceReset());
  });
  constexpr std::size_t kModules = 64;
  const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n//" + std::string(kBytes / kModules, ' ') +
                           "\n.visible .entry empty() { ret; }\n";
  check_returned("cudaLibraryLoadData", [&] {
    for (std::size_t i = 0; i < kModules; ++i) {
      cudaLibrary_t library = nullptr;
      SUCCEEDS(cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
      SUCCEEDS(cudaLibraryUnload(library));
    }
  });
  return report();
}
