// Tiles in shared memory: transposes, stencils, products, histograms, arrays that overlap, elements smaller than a
// word.
#include "case.h"

namespace {

constexpr int kSide = 16, kThreads = 128;

__global__ void transpose_without_barrier(const int* in, int* out) {
  __shared__ int tile[kSide][kSide + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * kSide + x];   // race: transpose_without_barrier
  out[y * kSide + x] = tile[x][y];  // race: transpose_without_barrier
}
CASE(transpose_without_barrier, race) {
  Device<int> in(numbers(kSide * kSide)), out(kSide * kSide);
  transpose_without_barrier<<<1, dim3(kSide, kSide)>>>(in, out);
  return done();
}

__global__ void transpose_with_barrier(const int* in, int* out) {
  __shared__ int tile[kSide][kSide + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * kSide + x];
  __syncthreads();
  out[y * kSide + x] = tile[x][y];
}
CASE(transpose_with_barrier, clean) {
  Device<int> in(numbers(kSide * kSide)), out(kSide * kSide);
  transpose_with_barrier<<<1, dim3(kSide, kSide)>>>(in, out);
  return done(out.are([](int i) { return i % kSide * kSide + i / kSide; }));
}

/// The halo cells are stored after the barrier that was meant for them.
__global__ void halo_behind_the_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads + 2];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  tile[threadIdx.x + 1] = in[i + 1];
  __syncthreads();
  if (threadIdx.x < 2)
    tile[threadIdx.x * (kThreads + 1)] = in[i + threadIdx.x * kThreads];  // race: halo_behind_the_barrier
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2];                     // race: halo_behind_the_barrier
}
CASE(halo_behind_the_barrier, race) {
  Device<int> in(numbers(2 * kThreads + 2)), out(2 * kThreads);
  halo_behind_the_barrier<<<2, kThreads>>>(in, out);
  return done();
}

__global__ void halo_before_the_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads + 2];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  tile[threadIdx.x + 1] = in[i + 1];
  if (threadIdx.x == 0) tile[0] = in[i];
  if (threadIdx.x == 1) tile[kThreads + 1] = in[i + kThreads];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}
CASE(halo_before_the_barrier, clean) {
  Device<int> in(numbers(2 * kThreads + 2)), out(2 * kThreads);
  halo_before_the_barrier<<<2, kThreads>>>(in, out);
  return done(out.are([](int i) { return 2 * i + 2; }));
}

/// The second array begins where the first one has one more element.
__global__ void dynamic_arrays_that_overlap(const int* in, int* out) {
  extern __shared__ int room[];
  float* second = reinterpret_cast<float*>(room + kThreads / 2 - 1);
  if (threadIdx.x < kThreads / 2)
    room[threadIdx.x] = in[threadIdx.x];  // race: dynamic_arrays_that_overlap
  else
    second[threadIdx.x - kThreads / 2] = 0.5f;  // race: dynamic_arrays_that_overlap
  __syncthreads();
  out[threadIdx.x] = room[threadIdx.x % (kThreads - 1)];
}
CASE(dynamic_arrays_that_overlap, race) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  dynamic_arrays_that_overlap<<<1, kThreads, kThreads * sizeof(int)>>>(in, out);
  return done();
}

__global__ void dynamic_arrays_side_by_side(const int* in, int* out) {
  extern __shared__ int room[];
  float* second = reinterpret_cast<float*>(room + kThreads / 2);
  if (threadIdx.x < kThreads / 2)
    room[threadIdx.x] = in[threadIdx.x];
  else
    second[threadIdx.x - kThreads / 2] = 0.5f * static_cast<float>(in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = room[threadIdx.x / 2] + static_cast<int>(second[threadIdx.x / 2]);
}
CASE(dynamic_arrays_side_by_side, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  dynamic_arrays_side_by_side<<<1, kThreads, kThreads * sizeof(int)>>>(in, out);
  return done(out.are([](int i) { return i / 2 + (kThreads / 2 + i / 2) / 2; }));
}

/// Four threads store to one word, each to its own byte.
__global__ void bytes_side_by_side(const int* in, int* out) {
  __shared__ unsigned char bytes[kThreads];
  __shared__ short shorts[kThreads];
  bytes[threadIdx.x] = static_cast<unsigned char>(in[threadIdx.x]);
  shorts[threadIdx.x] = static_cast<short>(in[threadIdx.x] * 3);
  ++bytes[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x ^ 1] + shorts[threadIdx.x ^ 2];
}
CASE(bytes_side_by_side, clean) {
  Device<int> in(numbers(kThreads)), out(kThreads);
  bytes_side_by_side<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return (i ^ 1) + 1 + 3 * (i ^ 2); }));
}

/// One warp stores whole words, the other one bytes within them.
__global__ void bytes_under_a_word(int* out) {
  __shared__ int words[32];
  if (threadIdx.x < 32)
    words[threadIdx.x] = threadIdx.x;  // race: bytes_under_a_word
  else
    reinterpret_cast<unsigned char*>(words)[threadIdx.x] = threadIdx.x;  // race: bytes_under_a_word
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = words[threadIdx.x];
}
CASE(bytes_under_a_word, race) {
  Device<int> out(32);
  bytes_under_a_word<<<1, 64>>>(out);
  return done();
}

struct Nibbles {
  unsigned char low : 4, high : 4;
};

__noinline__ __device__ void set_low(Nibbles& pair, int value) {
  pair.low = value;  // race: fields_in_one_byte
}
__noinline__ __device__ void set_high(Nibbles& pair, int value) {
  pair.high = value;  // race: fields_in_one_byte
}

/// Bit fields share a byte: a store to one also rewrites the other.
__global__ void fields_in_one_byte(const int* in, int* out) {
  __shared__ Nibbles pairs[32];
  if (threadIdx.x < 32) pairs[threadIdx.x] = {0, 0};
  __syncthreads();
  Nibbles& mine = pairs[threadIdx.x % 32];
  threadIdx.x < 32 ? set_low(mine, in[threadIdx.x]) : set_high(mine, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < 32 ? mine.low : mine.high;
}
CASE(fields_in_one_byte, race) {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = 1 + i % 13;
  Device<int> in(values), out(64);
  fields_in_one_byte<<<1, 64>>>(in, out);
  return done();
}

/// The next tile is stored while other threads still use the old one.
__global__ void product_without_the_last_barrier(const int* a, const int* b, int* c) {
  __shared__ int tile[kSide][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    tile[y][x] = b[(k * kSide + y) * kSide + x];  // race: product_without_the_last_barrier
    __syncthreads();
    for (int i = 0; i < kSide; ++i) {
      sum += a[y * 2 * kSide + k * kSide + i] * tile[i][x];  // race: product_without_the_last_barrier
    }
  }
  c[y * kSide + x] = sum;
}
CASE(product_without_the_last_barrier, race) {
  Device<int> a(2 * kSide * kSide, 1), b(numbers(2 * kSide * kSide)), c(kSide * kSide);
  product_without_the_last_barrier<<<1, dim3(kSide, kSide)>>>(a, b, c);
  return done();
}

__global__ void product_with_both_barriers(const int* a, const int* b, int* c) {
  __shared__ int tile[kSide][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    tile[y][x] = b[(k * kSide + y) * kSide + x];
    __syncthreads();
    for (int i = 0; i < kSide; ++i) sum += a[y * 2 * kSide + k * kSide + i] * tile[i][x];
    __syncthreads();
  }
  c[y * kSide + x] = sum;
}
CASE(product_with_both_barriers, clean) {
  Device<int> a(2 * kSide * kSide, 1), b(numbers(2 * kSide * kSide)), c(kSide * kSide);
  product_with_both_barriers<<<1, dim3(kSide, kSide)>>>(a, b, c);
  return done(c.are([](int i) { return kSide * (2 * kSide - 1) * kSide + 2 * kSide * (i % kSide); }));
}

__global__ void histogram_with_plain_sums(const int* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[in[threadIdx.x] % 8] += 1 + threadIdx.x;  // race: histogram_with_plain_sums
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
CASE(histogram_with_plain_sums, race) {
  Device<int> in(numbers(kThreads)), out(8);
  histogram_with_plain_sums<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void histogram_with_atomics(const int* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
CASE(histogram_with_atomics, clean) {
  Device<int> in(numbers(kThreads)), out(8, 0);
  histogram_with_atomics<<<2, kThreads>>>(in, out);
  return done(out.are([](int) { return 2 * kThreads / 8; }));
}

/// Some threads count before the bins are cleared.
__global__ void histogram_cleared_without_barrier(const int* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x >= kThreads - 8) bins[threadIdx.x % 8] = 0;  // race: histogram_cleared_without_barrier
  atomicAdd(&bins[in[threadIdx.x] % 8], 1);                    // race: histogram_cleared_without_barrier
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
CASE(histogram_cleared_without_barrier, race) {
  Device<int> in(numbers(kThreads)), out(8);
  histogram_cleared_without_barrier<<<1, kThreads>>>(in, out);
  return done();
}

union Room {
  int counts[kThreads];
  float values[kThreads];
};

/// The memory is reused while some threads still read its old contents.
__global__ void room_used_again_at_once(const int* in, float* out) {
  __shared__ Room room;
  room.counts[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int count = room.counts[(threadIdx.x + 32) % kThreads];     // race: room_used_again_at_once
  room.values[threadIdx.x] = 0.5f * static_cast<float>(count) + 1;  // race: room_used_again_at_once
  __syncthreads();
  out[threadIdx.x] = room.values[kThreads - 1 - threadIdx.x];
}
CASE(room_used_again_at_once, race) {
  Device<int> in(numbers(kThreads));
  Device<float> out(kThreads);
  room_used_again_at_once<<<1, kThreads>>>(in, out);
  return done();
}

__global__ void room_used_again_behind_a_barrier(const int* in, float* out) {
  __shared__ Room room;
  room.counts[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int count = room.counts[(threadIdx.x + 32) % kThreads];
  __syncthreads();
  room.values[threadIdx.x] = 0.5f * static_cast<float>(count);
  __syncthreads();
  out[threadIdx.x] = room.values[kThreads - 1 - threadIdx.x];
}
CASE(room_used_again_behind_a_barrier, clean) {
  Device<int> in(numbers(kThreads));
  Device<float> out(kThreads);
  room_used_again_behind_a_barrier<<<1, kThreads>>>(in, out);
  return done(out.are([](int i) { return 0.5f * static_cast<float>((kThreads - 1 - i + 32) % kThreads); }));
}

/// Two blocks use the same shared memory offsets, each in its own memory.
__global__ void same_addresses_in_two_blocks(int* out) {
  __shared__ int slot;
  if (threadIdx.x == blockIdx.x) slot = 10 + blockIdx.x;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = slot;
}
CASE(same_addresses_in_two_blocks, clean) {
  Device<int> out(4 * 32);
  same_addresses_in_two_blocks<<<4, 32>>>(out);
  return done(out.are([](int i) { return 10 + i / 32; }));
}

/// All threads store the same value: the result does not depend on the order.
__global__ void all_store_the_same(int value, int* out) {
  __shared__ int flag;
  if (threadIdx.x % 2 == 0) flag = value;  // race: all_store_the_same
  __syncthreads();
  out[threadIdx.x] = flag;
}
CASE(all_store_the_same, race_same_value) {
  Device<int> out(kThreads);
  all_store_the_same<<<1, kThreads>>>(5, out);
  return done();
}

}  // namespace
