// Accesses outside of allocations: by one element, by a whole block, after a free, misaligned, in every state space.
#include "case.h"

namespace {

constexpr int kThreads = 64, kCount = 256;

__global__ void one_past_the_end(const int* in, int* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i <= count) out[i] = in[i % count];  // memory: one_past_the_end
}
CASE(one_past_the_end, memory) {
  Device<int> in(numbers(kCount)), out(kCount);
  one_past_the_end<<<kCount / kThreads + 1, kThreads>>>(in, out, kCount);
  return done();
}

__global__ void bounded_by_the_count(const int* in, int* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = in[count - 1 - i];
}
CASE(bounded_by_the_count, clean) {
  Device<int> in(numbers(kCount - 3)), out(kCount - 3);
  bounded_by_the_count<<<kCount / kThreads + 1, kThreads>>>(in, out, kCount - 3);
  return done(out.are([](int i) { return kCount - 4 - i; }));
}

/// A missing bounds check: the last block is completely out of bounds.
__global__ void one_block_too_many(int* out) {
  out[blockIdx.x * kThreads + threadIdx.x] = 1;  // memory: one_block_too_many
}
CASE(one_block_too_many, memory) {
  Device<int> out(kCount);
  one_block_too_many<<<kCount / kThreads + 1, kThreads>>>(out);
  return done();
}

__global__ void one_before_the_beginning(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = in[i] - in[i - 1];  // memory: one_before_the_beginning
}
CASE(one_before_the_beginning, memory) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  one_before_the_beginning<<<1, kThreads>>>(in, out);
  return done();
}

/// The allocation is one byte too short: the last load begins inside and ends outside.
__global__ void last_word_sticks_out(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // memory: last_word_sticks_out
}
CASE(last_word_sticks_out, memory) {
  Device<char> in(kThreads * 4 - 1, 1);
  Device<int> out(kThreads);
  last_word_sticks_out<<<1, kThreads>>>(reinterpret_cast<const int*>(static_cast<char*>(in)), out);
  return done();
}

/// Between the two allocations: memory that is mapped but not allocated.
__global__ void between_two_allocations(int* first, long long distance) {
  if (threadIdx.x == 0) first[distance / 4 - 16] = 1;  // memory: between_two_allocations
}
CASE(between_two_allocations, memory) {
  Device<int> first(48), second(48);
  const long long distance =
      reinterpret_cast<char*>(static_cast<int*>(second)) - reinterpret_cast<char*>(static_cast<int*>(first));
  between_two_allocations<<<1, 32>>>(first, distance);
  return done();
}

__global__ void both_of_two_neighbours(int* first, int* second) {
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = first[threadIdx.x] + 1;
}
CASE(both_of_two_neighbours, clean) {
  Device<int> first(48), second(48);
  both_of_two_neighbours<<<1, 48>>>(first, second);
  return done(second.are([](int i) { return i + 1; }));
}

__global__ void through_a_null_pointer(int* out) {
  if (threadIdx.x == 3) out[threadIdx.x] = 1;  // memory: through_a_null_pointer
}
CASE(through_a_null_pointer, memory) {
  through_a_null_pointer<<<1, kThreads>>>(nullptr);
  return done();
}

/// A 16-byte load from an address that is a multiple of four.
__global__ void vector_at_an_odd_place(const int* in, int* out) {
  const int4 four = *reinterpret_cast<const int4*>(in + 1);  // memory: vector_at_an_odd_place
  out[threadIdx.x] = four.x + four.w;
}
CASE(vector_at_an_odd_place, memory) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  vector_at_an_odd_place<<<1, 1>>>(in, out);
  return done();
}

__global__ void vectors_in_their_places(const int4* in, int* out) {
  const int4 four = in[threadIdx.x];
  out[threadIdx.x] = four.x + four.w;
}
CASE(vectors_in_their_places, clean) {
  Device<int> in(numbers(4 * kThreads)), out(kThreads);
  vectors_in_their_places<<<1, kThreads>>>(reinterpret_cast<const int4*>(static_cast<int*>(in)), out);
  return done(out.are([](int i) { return 8 * i + 3; }));
}

__global__ void word_at_an_odd_byte(char* bytes) {
  *reinterpret_cast<int*>(bytes + 4 * threadIdx.x + 2) = 1;  // memory: word_at_an_odd_byte
}
CASE(word_at_an_odd_byte, memory) {
  Device<char> bytes(4 * kThreads + 4);
  word_at_an_odd_byte<<<1, kThreads>>>(bytes);
  return done();
}

__global__ void store_each(int* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void store_behind_the_free(int* out) {
  out[threadIdx.x] = 1;  // memory: store_behind_the_free
}
CASE(store_behind_the_free, memory) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));
  store_each<<<1, kThreads>>>(memory);
  cudaFree(memory);
  store_behind_the_free<<<1, kThreads>>>(memory);
  return done();
}

CASE(free_behind_the_last_use, clean) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));
  store_each<<<1, kThreads>>>(memory);
  return cudaFree(memory) == cudaSuccess && done();
}

CASE(freed_twice, memory) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));
  cudaFree(memory);
  cudaFree(memory);  // host memory: freed_twice
  done();
  return true;
}

CASE(freed_in_the_middle, memory) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));
  cudaFree(memory + 16);  // host memory: freed_in_the_middle
  cudaGetLastError();
  cudaFree(memory);
  return done();
}

CASE(null_is_freed, clean) { return cudaFree(nullptr) == cudaSuccess && done(); }

CASE(copy_of_too_much, memory) {
  Device<int> memory(kThreads);
  std::vector<int> host(kThreads + 200, 1);
  cudaMemcpy(memory, host.data(), (kThreads + 200) * sizeof(int),
             cudaMemcpyHostToDevice);  // host memory: copy_of_too_much
  done();
  return true;
}

CASE(copy_of_all, clean) {
  Device<int> memory(kThreads);
  std::vector<int> host(kThreads, 3);
  cudaMemcpy(memory, host.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice);
  return done(memory.are([](int) { return 3; }));
}

CASE(memset_of_too_much, memory) {
  Device<int> memory(kThreads);
  cudaMemset(memory, 0, 4 * kThreads + 700);  // host memory: memset_of_too_much
  done();
  return true;
}

/// The direction says that the source is device memory, but it is host memory.
CASE(copy_in_the_wrong_direction, memory) {
  Device<int> memory(kThreads, 1);
  std::vector<int> host(kThreads);
  cudaMemcpy(memory, host.data(), kThreads * sizeof(int),
             cudaMemcpyDeviceToHost);  // host memory: copy_in_the_wrong_direction
  done();
  return true;
}

CASE(copy_that_finds_its_direction, clean) {
  Device<int> memory(kThreads, 1);
  std::vector<int> host(kThreads);
  cudaMemcpy(host.data(), memory, kThreads * sizeof(int), cudaMemcpyDefault);
  return done(host[5] == 1);
}

/// Host memory that has not been registered with the device.
__global__ void pointer_of_the_host(int* values) {
  values[threadIdx.x] += 1;  // memory: pointer_of_the_host
}
CASE(pointer_of_the_host, memory) {
  static int values[kThreads];
  pointer_of_the_host<<<1, kThreads>>>(values);
  return done();
}

__global__ void past_a_shared_array(int* out, int shift) {
  extern __shared__ int tile[];
  tile[threadIdx.x + shift] = threadIdx.x;  // memory: past_a_shared_array
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
CASE(past_a_shared_array, memory) {
  Device<int> out(kThreads);
  past_a_shared_array<<<1, kThreads, kThreads * sizeof(int)>>>(out, 100000);
  return done();
}

__global__ void within_a_shared_array(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
CASE(within_a_shared_array, clean) {
  Device<int> out(kThreads);
  within_a_shared_array<<<1, kThreads, kThreads * sizeof(int)>>>(out);
  return done(out.are([](int i) { return kThreads - 1 - i; }));
}

/// One element past the end of the block's shared memory.
__global__ void one_past_shared_memory(int* out, int shift) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + shift];  // memory: one_past_shared_memory
}
CASE(one_past_shared_memory, memory) {
  Device<int> out(kThreads);
  one_past_shared_memory<<<1, kThreads, kThreads * sizeof(int)>>>(out, 1);
  return done();
}

__global__ void past_a_local_array(const int* places, int* out) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i;
  local[places[threadIdx.x]] = 5;  // memory: past_a_local_array
  out[threadIdx.x] = local[(places[threadIdx.x] + 1) % 8];
}
CASE(past_a_local_array, memory) {
  Device<int> places(1, 1 << 24), out(1);
  past_a_local_array<<<1, 1>>>(places, out);
  return done();
}

__global__ void within_a_local_array(const int* places, int* out) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i;
  local[places[threadIdx.x] % 8] += 100;
  out[threadIdx.x] = local[threadIdx.x % 8];
}
CASE(within_a_local_array, clean) {
  Device<int> places(numbers(kThreads)), out(kThreads);
  within_a_local_array<<<1, kThreads>>>(places, out);
  return done(out.are([](int i) { return 100 + i % 8; }));
}

__device__ int variable[16];

__global__ void past_a_variable(int shift) {
  variable[threadIdx.x + shift] = 1;  // memory: past_a_variable
}
CASE(past_a_variable, memory) {
  past_a_variable<<<1, 16>>>(1 << 26);
  return done();
}

__constant__ int table[16];

__global__ void past_a_constant(int* out, int shift) {
  out[threadIdx.x] = table[threadIdx.x + shift];  // memory: past_a_constant
}
CASE(past_a_constant, memory) {
  Device<int> out(16);
  past_a_constant<<<1, 16>>>(out, 1 << 20);
  return done();
}

__global__ void within_a_constant(int* out) { out[threadIdx.x] = table[15 - threadIdx.x]; }
CASE(within_a_constant, clean) {
  Device<int> out(16);
  const std::vector<int> values = numbers(16);
  cudaMemcpyToSymbol(table, values.data(), sizeof table);
  within_a_constant<<<1, 16>>>(out);
  return done(out.are([](int i) { return 15 - i; }));
}

/// Device-side malloc: exactly the requested bytes, and no more.
__global__ void past_a_block_of_the_heap(int* out) {
  int* block = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) block[i] = i;
  block[8 + out[0]] = 7;  // memory: past_a_block_of_the_heap
  *out = block[3];
  free(block);
}
CASE(past_a_block_of_the_heap, memory) {
  Device<int> out(1, 0);
  past_a_block_of_the_heap<<<1, 1>>>(out);
  return done();
}

__global__ void heap_behind_the_free(int* out) {
  int* volatile block = static_cast<int*>(malloc(8 * sizeof(int)));
  block[3] = 5;
  free(block);
  *out = block[3];  // memory: heap_behind_the_free
}
CASE(heap_behind_the_free, memory) {
  Device<int> out(1);
  heap_behind_the_free<<<1, 1>>>(out);
  return done();
}

__global__ void heap_freed_twice() {
  int* volatile block = static_cast<int*>(malloc(8 * sizeof(int)));
  block[3] = 5;
  free(block);
  free(block);  // memory: heap_freed_twice
}
CASE(heap_freed_twice, memory) {
  heap_freed_twice<<<1, 1>>>();
  return done();
}

/// Memory before a piece is read, not written.
__global__ void heap_before_its_block(int* out) {
  int* block = static_cast<int*>(malloc(8 * sizeof(int)));
  block[0] = 3;
  *out = block[out[0] - 1];  // memory: heap_before_its_block
  free(block);
}
CASE(heap_before_its_block, memory) {
  Device<int> out(1, 0);
  heap_before_its_block<<<1, 1>>>(out);
  return done();
}

/// A list that one kernel builds, another one reads and frees, and a third one still uses.
struct Link {
  Link* next;
  int value;
};
__device__ Link* links;
__global__ void make_links(int count) {
  for (int i = 0; i < count; ++i) links = new Link{i == 0 ? nullptr : links, i};
}
__global__ void sum_links(int* out) {
  for (const Link* at = links; at != nullptr; at = at->next) *out += at->value;  // memory: links_after_their_end
}
__global__ void free_links() {
  while (links != nullptr) {
    Link* const first = links;
    links = first->next;
    delete first;
  }
}
__global__ void free_links_and_keep_the_first() {
  Link* at = links;
  while (at != nullptr) {
    Link* const next = at->next;
    delete at;
    at = next;
  }
}
CASE(links_after_their_end, memory) {
  Device<int> out(1, 0);
  make_links<<<1, 1>>>(5);
  free_links_and_keep_the_first<<<1, 1>>>();
  sum_links<<<1, 1>>>(out);
  return done();
}
CASE(links_until_their_end, clean) {
  Device<int> out(1, 0);
  for (int round = 0; round < 3; ++round) {
    make_links<<<1, 1>>>(5);
    sum_links<<<1, 1>>>(out);
    free_links<<<1, 1>>>();
  }
  return done(out.are([](int) { return 30; }));
}

__global__ void heap_within_its_blocks(int* out) {
  int* block = static_cast<int*>(malloc(4 * sizeof(int)));
  if (block == nullptr) return;
  for (int i = 0; i < 4; ++i) block[i] = threadIdx.x + i;
  out[threadIdx.x] = block[threadIdx.x % 4];
  free(block);
}
CASE(heap_within_its_blocks, clean) {
  Device<int> out(kThreads, -1);
  heap_within_its_blocks<<<1, kThreads>>>(out);
  return done(out.are([](int i) { return i + i % 4; }));
}

/// An atomic is an access, too.
__global__ void atomic_past_the_end(const int* in, int* bins) {
  atomicAdd(&bins[in[threadIdx.x]], 1);  // memory: atomic_past_the_end
}
CASE(atomic_past_the_end, memory) {
  Device<int> in(numbers(kThreads)), bins(kThreads - 1, 0);
  atomic_past_the_end<<<1, kThreads>>>(in, bins);
  return done();
}

}  // namespace
