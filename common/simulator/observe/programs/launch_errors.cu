// Launches that fail: a program that never checks for errors continues as if they had run.
#include "case.h"

namespace {

constexpr int kThreads = 64;

__global__ void store_each(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void store_with_room(int* out) {
  extern __shared__ int room[];
  room[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = room[threadIdx.x];
}

CASE(too_many_threads_never_asked, sync) {
  Device<int> out(kThreads, 0);
  store_each<<<1, 2048>>>(out);  // host sync: too_many_threads_never_asked
  return true;
}

CASE(too_much_shared_memory_never_asked, sync) {
  Device<int> out(kThreads, 0);
  store_with_room<<<1, kThreads, 1 << 20>>>(out);  // host sync: too_much_shared_memory_never_asked
  return true;
}

CASE(no_blocks_never_asked, sync) {
  Device<int> out(kThreads, 0);
  const int count = 0;
  store_each<<<count / kThreads, kThreads>>>(out);  // host sync: no_blocks_never_asked
  return true;
}

CASE(too_many_threads_and_asked, clean) {
  Device<int> out(kThreads, 0);
  store_each<<<1, 2048>>>(out);
  return cudaGetLastError() != cudaSuccess && done();
}

CASE(as_many_threads_as_there_may_be, clean) {
  Device<int> out(1024, 0);
  store_each<<<1, 1024>>>(out);
  return done(out.are([](int i) { return i; }));
}

CASE(much_shared_memory_asked_for, clean) {
  Device<int> out(kThreads, 0);
  const bool right =
      cudaFuncSetAttribute(store_with_room, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10) == cudaSuccess;
  store_with_room<<<1, kThreads, 100 << 10>>>(out);
  return done(right && out.are([](int i) { return i; }));
}

}  // namespace
