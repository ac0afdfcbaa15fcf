// A kernel accesses another device's memory without peer access: error 700, and then all devices of the process are
// unusable, as with two H200s (2026-11-21). The argument selects the memory: "plain", "disabled" access, or a "pool".
#include <cstring>

#include "common/simulator/runtime/tests/check.h"

__global__ void put(int* p) { *p = 1; }

int main(int count, char** arguments) {
  const char* const which = count > 1 ? arguments[1] : "plain";
  int* p = nullptr;
  SUCCEEDS(cudaSetDevice(1));
  if (std::strcmp(which, "pool") == 0) {
    SUCCEEDS(cudaMallocAsync(&p, 4096, nullptr));
    SUCCEEDS(cudaDeviceSynchronize());
  } else {
    SUCCEEDS(cudaMalloc(&p, 4096));
  }
  SUCCEEDS(cudaSetDevice(0));
  if (std::strcmp(which, "plain") != 0) {
    SUCCEEDS(cudaDeviceEnablePeerAccess(1, 0));
    if (std::strcmp(which, "disabled") == 0) {
      put<<<1, 1>>>(p);
      SUCCEEDS(cudaDeviceSynchronize());
      SUCCEEDS(cudaDeviceDisablePeerAccess(1));
    }
  }
  put<<<1, 1>>>(p);
  SUCCEEDS(cudaGetLastError());
  ANSWERS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  ANSWERS(cudaErrorIllegalAddress, cudaMemset(p, 0, 4));
  SUCCEEDS(cudaSetDevice(1));
  ANSWERS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return report();
}
