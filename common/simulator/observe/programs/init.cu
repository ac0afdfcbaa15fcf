// Uninitialised values: using them is a mistake; copying them along without using them is not.
#include "case.h"

namespace {

constexpr int kThreads = 64;

__global__ void add_all(const int* in, int count, int* out) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += in[i];
  *out = sum;
}

__global__ void never_stored(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x] + 1;  // init: never_stored
}
CASE(never_stored, init) {
  Device<int> in(kThreads), out(kThreads);
  never_stored<<<1, kThreads>>>(in, out);
  out.values();  // host init: never_stored
  return done();
}

/// The copy is shorter than the array.
__global__ void copied_in_part(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x] + 1;  // init: copied_in_part
}
CASE(copied_in_part, init) {
  Device<int> in(kThreads), out(kThreads);
  const std::vector<int> host = numbers(kThreads);
  cudaMemcpy(in, host.data(), (kThreads - 3) * sizeof(int), cudaMemcpyHostToDevice);
  copied_in_part<<<1, kThreads>>>(in, out);
  out.values();  // host init: copied_in_part
  return done();
}

CASE(part_that_was_copied, clean) {
  Device<int> in(kThreads), out(1);
  const std::vector<int> host = numbers(kThreads);
  cudaMemcpy(in, host.data(), 10 * sizeof(int), cudaMemcpyHostToDevice);
  add_all<<<1, 1>>>(in, 10, out);
  return done(out.are([](int) { return 45; }));
}

/// cudaMemset counts bytes, not elements.
__global__ void bytes_taken_for_elements(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;  // init: bytes_taken_for_elements
}
CASE(bytes_taken_for_elements, init) {
  Device<int> in(kThreads), out(kThreads);
  cudaMemset(in, 0, kThreads);
  bytes_taken_for_elements<<<1, kThreads>>>(in, out);
  out.values();  // host init: bytes_taken_for_elements
  return done();
}

CASE(set_as_a_whole, clean) {
  Device<int> in(kThreads), out(1);
  cudaMemset(in, 0, kThreads * sizeof(int));
  add_all<<<1, 1>>>(in, kThreads, out);
  return done(out.are([](int) { return 0; }));
}

/// A sum into memory that was never cleared.
__global__ void sum_never_cleared(const int* in, int* sum) {
  atomicAdd(sum, in[threadIdx.x]);  // init: sum_never_cleared
}
CASE(sum_never_cleared, init) {
  Device<int> in(numbers(kThreads)), sum(1);
  sum_never_cleared<<<1, kThreads>>>(in, sum);
  return done();
}

__global__ void shared_filled_in_part(const int* in, int* out) {
  __shared__ int tile[kThreads];
  if (threadIdx.x < kThreads - 8) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = 3 * tile[kThreads - 1 - threadIdx.x];  // init: shared_filled_in_part
}
CASE(shared_filled_in_part, init) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  shared_filled_in_part<<<1, kThreads>>>(in, out);
  out.values();  // host init: shared_filled_in_part
  return done();
}

__global__ void shared_filled(const int* in, int* out) {
  __shared__ int tile[kThreads];
  for (int i = threadIdx.x; i < kThreads; i += 32) tile[i] = in[i];
  __syncwarp();
  for (int i = threadIdx.x; i < kThreads; i += 32) out[i] = 3 * tile[kThreads - 1 - i];
}
CASE(shared_filled, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  shared_filled<<<1, 32>>>(in, out);
  return done(out.are([](int i) { return 3 * (kThreads - 1 - i); }));
}

/// Each block has its own shared memory, which does not keep the contents of the previous block.
__global__ void shared_left_by_the_last_block(const int* in, int* out) {
  __shared__ int tile[kThreads];
  if (blockIdx.x == 0) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = 3 * tile[threadIdx.x ^ 1];  // init: shared_left_by_the_last_block
}
CASE(shared_left_by_the_last_block, init) {
  Device<int> in(numbers(kThreads)), out(2 * kThreads);
  shared_left_by_the_last_block<<<2, kThreads>>>(in, out);
  out.values();  // host init: shared_left_by_the_last_block
  return done();
}

__global__ void local_filled_in_part(const int* places, int* out) {
  int local[16];
  for (int i = 0; i < 8; ++i) local[places[i]] = i;
  out[threadIdx.x] = 3 * local[places[8 + threadIdx.x]];  // init: local_filled_in_part
}
CASE(local_filled_in_part, init) {
  Device<int> places(numbers(16)), out(8);
  local_filled_in_part<<<1, 8>>>(places, out);
  out.values();  // host init: local_filled_in_part
  return done();
}

__global__ void local_filled(const int* places, int* out) {
  int local[16];
  for (int i = 0; i < 16; ++i) local[places[i]] = i;
  out[threadIdx.x] = 3 * local[places[8 + threadIdx.x]];
}
CASE(local_filled, clean) {
  Device<int> places(numbers(16)), out(8);
  local_filled<<<1, 8>>>(places, out);
  return done(out.are([](int i) { return 3 * (8 + i); }));
}

__global__ void decides_a_branch(const int* in, int* out) {
  if (in[threadIdx.x] > 0)  // init: decides_a_branch
    atomicAdd(out, 1);
  else
    atomicMax(out + 1, 1);
}
CASE(decides_a_branch, init) {
  Device<int> in(kThreads), out(2, 0);
  decides_a_branch<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void makes_an_address(const int* in, int* out) {
  const int place = in[threadIdx.x];  // init: makes_an_address
  out[place & 31] = 1;                // init: makes_an_address
}
CASE(makes_an_address, init) {
  Device<int> in(1), out(32, 0);
  makes_an_address<<<1, 1>>>(in, out);
  return done();
}

struct Padded {
  char tag;
  int value;
};

/// The padding between the members is never written, and is copied along.
__global__ void fill_padded(Padded* all) {
  all[threadIdx.x].tag = 'a';
  all[threadIdx.x].value = threadIdx.x;
}
__global__ void copy_padded(const Padded* from, Padded* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void read_padded(const Padded* all, int* out) {
  out[threadIdx.x] = all[threadIdx.x].value + all[threadIdx.x].tag;
}
CASE(padding_copied, clean) {
  Device<Padded> first(kThreads), second(kThreads);
  Device<int> out(kThreads);
  fill_padded<<<1, kThreads>>>(first);
  copy_padded<<<1, kThreads>>>(first, second);
  read_padded<<<1, kThreads>>>(second, out);
  return done(out.are([](int i) { return i + 'a'; }));
}

/// The host receives the padding, too, and ignores it.
CASE(padding_brought_to_the_host, clean) {
  Device<Padded> all(kThreads);
  fill_padded<<<1, kThreads>>>(all);
  const std::vector<Padded> host = all.values();
  return done(host[7].value == 7 && host[9].tag == 'a');
}

/// Loaded by all lanes, used by those that have a value.
__global__ void loaded_and_not_used(const int* in, int count, int* out) {
  const int value = *static_cast<const volatile int*>(in + threadIdx.x);
  if (static_cast<int>(threadIdx.x) < count) out[threadIdx.x] = value + 1;
}
CASE(loaded_and_not_used, clean) {
  Device<int> in(kThreads), out(20);
  cudaMemset(in, 0, 20 * sizeof(int));
  loaded_and_not_used<<<1, kThreads>>>(in, 20, out);
  return done(out.are([](int) { return 1; }));
}

/// The variable is uninitialised in the lanes that do not use it.
__global__ void lanes_without_a_value(const int* in, int* out) {
  int value;
  if (threadIdx.x < 16) value = in[threadIdx.x];
  value = __shfl_sync(0xffffffff, value, threadIdx.x % 16);
  out[threadIdx.x] = value;
}
CASE(lanes_without_a_value, clean) {
  Device<int> in(numbers(16)), out(32);
  lanes_without_a_value<<<1, 32>>>(in, out);
  return done(out.are([](int i) { return i % 16; }));
}

/// Uninitialised values are copied through shared memory, but overwritten before they are used.
__global__ void copied_and_stored_over(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int other = *static_cast<volatile int*>(&tile[threadIdx.x ^ 1]);
  out[threadIdx.x] = other;
  out[threadIdx.x] = threadIdx.x;
}
CASE(copied_and_stored_over, clean) {
  Device<int> in(kThreads), out(kThreads);
  copied_and_stored_over<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return i; }));
}

__global__ void heap_never_stored(int* out) {
  int* block = static_cast<int*>(malloc(4 * sizeof(int)));
  block[out[0]] = 5;
  out[1] = 3 * block[out[2]];  // init: heap_never_stored
  free(block);
}
CASE(heap_never_stored, init) {
  Device<int> out(std::vector<int>{0, 0, 1});
  heap_never_stored<<<1, 1>>>(out);
  out.values();  // host init: heap_never_stored
  return done();
}

__global__ void heap_stored(int* out) {
  int* block = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) block[i] = 5 * i;
  out[1] = 3 * block[out[2]];
  free(block);
}
CASE(heap_stored, clean) {
  Device<int> out(std::vector<int>{0, 0, 1});
  heap_stored<<<1, 1>>>(out);
  return done(out.values()[1] == 15);
}

/// Unified memory: neither the host nor the device has stored there.
__global__ void managed_never_stored(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x] + 1;  // init: managed_never_stored
}
CASE(managed_never_stored, init) {
  int* in = nullptr;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  Device<int> out(kThreads);
  managed_never_stored<<<1, kThreads>>>(in, out);
  const bool right = done();
  out.values();  // host init: managed_never_stored
  cudaFree(in);
  return right;
}

__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
CASE(managed_stored_by_the_host, clean) {
  int* in = nullptr;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i;
  Device<int> out(kThreads);
  twice<<<1, kThreads>>>(in, out);
  const bool right = out.are([](int i) { return 2 * i; });
  cudaFree(in);
  return done(right);
}

/// A pool reuses memory; its old contents count as uninitialised for the new owner.
__global__ void pool_never_stored(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x] + 1;  // init: pool_never_stored
}
CASE(pool_never_stored, init) {
  Device<int> out(kThreads);
  for (int round = 0; round < 2; ++round) {
    int* memory = nullptr;
    cudaMallocAsync(&memory, kThreads * sizeof(int), nullptr);
    if (round == 0) cudaMemsetAsync(memory, 0, kThreads * sizeof(int), nullptr);
    pool_never_stored<<<1, kThreads>>>(memory, out);
    cudaFreeAsync(memory, nullptr);
  }
  out.values();  // host init: pool_never_stored
  return done();
}

CASE(pool_stored, clean) {
  Device<int> out(kThreads);
  int* memory = nullptr;
  cudaMallocAsync(&memory, kThreads * sizeof(int), nullptr);
  cudaMemsetAsync(memory, 0, kThreads * sizeof(int), nullptr);
  twice<<<1, kThreads>>>(memory, out);
  cudaFreeAsync(memory, nullptr);
  return done(out.are([](int) { return 0; }));
}

/// A __device__ variable is zero-initialised.
__device__ int counters[4];
__global__ void count_in_variables() { atomicAdd(&counters[threadIdx.x % 4], 1); }
CASE(variables_begin_with_zeros, clean) {
  count_in_variables<<<1, kThreads>>>();
  int host[4] = {};
  cudaMemcpyFromSymbol(host, counters, sizeof host);
  return done(host[0] == kThreads / 4 && host[3] == kThreads / 4);
}

/// Two rows of a matrix are stored, and all eight are loaded.
__global__ void matrix_filled_in_part(unsigned* out, int lanes) {
  __shared__ alignas(16) unsigned short tile[8][8];
  const int lane = threadIdx.x;
  if (lane < 16) tile[lane / 8][lane % 8] = 1;
  __syncwarp();
  unsigned pair;
  const unsigned row = __cvta_generic_to_shared(&tile[lane % 8][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(pair) : "r"(row) : "memory");
  if (lane < lanes) out[lane] = pair;  // init: matrix_filled_in_part
}
CASE(matrix_filled_in_part, init) {
  Device<unsigned> out(32);
  matrix_filled_in_part<<<1, 32>>>(out, 32);
  return done();
}
/// The lanes that hold the other rows do not use them.
CASE(rows_that_were_filled, clean) {
  Device<unsigned> out(32, 0u);
  matrix_filled_in_part<<<1, 32>>>(out, 8);
  return done(out.are([](int i) { return i < 8 ? 0x00010001u : 0u; }));
}

}  // namespace
