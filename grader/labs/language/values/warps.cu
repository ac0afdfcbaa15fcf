// The values that the book gives for rows on warps and tensor cores, L21 to L30. See values.cu.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "found.cuh"

namespace {

// The ballot of the multiples of 3, 0x49249249, and its bits; whether all and any are.
// answers: L21: 1227133513 11 0 1
__global__ void votes() {
  const int p = threadIdx.x % 3 == 0;
  const unsigned ballot = __ballot_sync(~0u, p);
  const int all = __all_sync(~0u, p), any = __any_sync(~0u, p);
  if (threadIdx.x == 0) found[0] = ballot, found[1] = __popc(ballot), found[2] = all != 0, found[3] = any != 0;
}

// Lanes equal to lanes 0 to 3 modulo 4: 0x11111111 << lane. Then of equal values, and of others, with the predicate.
// answers: L22: 286331153 572662306 1145324612 -2004318072 -1 1 0 0
__global__ void matches() {
  const int lane = threadIdx.x;
  const unsigned any = __match_any_sync(~0u, lane % 4);
  int equal = 0, other = 0;
  const unsigned all = __match_all_sync(~0u, 5, &equal), none = __match_all_sync(~0u, lane, &other);
  if (lane < 4) found[lane] = any;
  if (lane == 0) found[4] = all, found[5] = equal != 0, found[6] = none, found[7] = other != 0;
}

// answers: L23: 496 0 31 0 31 0
__global__ void reductions() {
  const unsigned lane = threadIdx.x;
  const unsigned all[] = {__reduce_add_sync(~0u, lane), __reduce_min_sync(~0u, lane), __reduce_max_sync(~0u, lane),
                          __reduce_and_sync(~0u, lane), __reduce_or_sync(~0u, lane),  __reduce_xor_sync(~0u, lane)};
  if (lane == 0)
    for (int i = 0; i < 6; ++i) found[i] = all[i];
}

// How many lanes did not get the number of lane 0.
// answers: L24: 0
__global__ void broadcast(int number) {
  int value = 0;
  if (threadIdx.x == 0) value = number;
  value = __shfl_sync(~0u, value, 0);
  if (value != number) atomicAdd(&found[0], 1);
}

// answers: L25: 31 61 90 118 145 171 196 220 23 45 66 86 105 123 140 156 15 29 42 54 65 75 84 92 7 13 18 22 25 27 28 28
__global__ void scan() {
  const int lane = threadIdx.x;
  int value = 31 - lane;
  for (int i = 1; i <= 4; i *= 2) {
    const int other = __shfl_up_sync(~0u, value, i, 8);
    if (lane % 8 >= i) value += other;
  }
  found[lane] = value;
}

// The sum, and how many lanes have it.
// answers: L26: 496 32
__global__ void butterfly() {
  int value = 31 - static_cast<int>(threadIdx.x);
  for (int i = 16; i >= 1; i /= 2) value += __shfl_xor_sync(~0u, value, i);
  if (threadIdx.x == 0) found[0] = value;
  atomicAdd(&found[1], value == 496);
}

// Where lanes 0 to 31 get their value from: by idx 33; idx 11, up 2 and down 2 in groups of 8; xor 9 in groups of 8.
// answers: L27: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// answers: L27: 3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27
// answers: L27: 0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29
// answers: L27: 2 3 4 5 6 7 6 7 10 11 12 13 14 15 14 15 18 19 20 21 22 23 22 23 26 27 28 29 30 31 30 31
// answers: L27: 0 1 2 3 4 5 6 7 1 0 3 2 5 4 7 6 16 17 18 19 20 21 22 23 17 16 19 18 21 20 23 22
__global__ void shuffle(int kind) {
  const int lane = threadIdx.x;
  found[lane] = kind == 0   ? __shfl_sync(~0u, lane, 33)
                : kind == 1 ? __shfl_sync(~0u, lane, 11, 8)
                : kind == 2 ? __shfl_up_sync(~0u, lane, 2, 8)
                : kind == 3 ? __shfl_down_sync(~0u, lane, 2, 8)
                            : __shfl_xor_sync(~0u, lane, 9, 8);
}

// 16 x 255 x 255 + 0x7fffff00, saturated and not.
// answers: L29: 2147483647 -2146443504
__managed__ int products[2][256];
__global__ void tensor_cores() {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, unsigned char, col_major> a;
  fragment<matrix_b, 16, 16, 16, unsigned char, row_major> b;
  fragment<accumulator, 16, 16, 16, int> c, d;
  fill_fragment(a, static_cast<unsigned char>(255));
  fill_fragment(b, static_cast<unsigned char>(255));
  fill_fragment(c, 0x7fffff00);
  mma_sync(d, a, b, c, true);
  store_matrix_sync(products[0], d, 16, mem_row_major);
  mma_sync(d, a, b, c);
  store_matrix_sync(products[1], d, 16, mem_row_major);
  __syncwarp();
  if (threadIdx.x == 0) found[0] = products[0][0], found[1] = products[1][0];
}

// Elements of a lane, in the book's order: half a, float and half accumulators, tf32 a, double a and accumulator, u4 a,
// b1 a, u8 a; 32 x 8 x 16: half a; bf16 a; 32 x 8 x 16: u8 a and b.
// answers: L30: 16 8 8 4 1 2 8 32 8 16 8 16 4
__global__ void fragments() {
  using namespace nvcuda::wmma;
  using A = matrix_a;
  using R = row_major;
  using C = accumulator;
  const int all[] = {
      fragment<A, 16, 16, 16, half, R>::num_elements,
      fragment<C, 16, 16, 16, float>::num_elements,
      fragment<C, 16, 16, 16, half>::num_elements,
      fragment<A, 16, 16, 8, precision::tf32, R>::num_elements,
      fragment<A, 8, 8, 4, double, R>::num_elements,
      fragment<C, 8, 8, 4, double>::num_elements,
      fragment<A, 8, 8, 32, experimental::precision::u4, R>::num_elements,
      fragment<A, 8, 8, 128, experimental::precision::b1, R>::num_elements,
      fragment<A, 16, 16, 16, unsigned char, R>::num_elements,
      fragment<A, 32, 8, 16, half, R>::num_elements,
      fragment<A, 16, 16, 16, __nv_bfloat16, R>::num_elements,
      fragment<A, 32, 8, 16, unsigned char, R>::num_elements,
      fragment<matrix_b, 32, 8, 16, unsigned char, R>::num_elements,
  };
  for (int i = 0; i < 13; ++i) found[i] = all[i];
}

// Storage elements of u4 and b1; 1 + 2^-11 and 1 + 2^-12 rounded to tf32, in units of 2^-11 above 1.
// answers: L30: 1 1 2 0
__global__ void details(float x, float y) {
  using namespace nvcuda::wmma;
  found[0] = fragment<matrix_a, 8, 8, 32, experimental::precision::u4, row_major>::num_storage_elements;
  found[1] = fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>::num_storage_elements;
  found[2] = (__float_to_tf32(x) - 1) * 2048, found[3] = (__float_to_tf32(y) - 1) * 2048;
}
// How many elements are right: products of bfloat16, 16 x 16 x 16, and of 4-bit numbers, 8 x 8 x 32; bits that differ,
// 8 x 8 x 128.
// answers: L30: 256 64 64
__managed__ __align__(32) __nv_bfloat16 bfloats[2][256];
__managed__ __align__(32) float sums_of_floats[256];
__managed__ __align__(32) unsigned packed[2][32];
__managed__ __align__(32) int sums[2][64];
__global__ void fill_tiles() {
  for (int i = threadIdx.x; i < 512; i += 32) bfloats[i / 256][i % 256] = __nv_bfloat16(i * 7 % 31 - 15);
  for (int i = threadIdx.x; i < 64; i += 32) packed[i / 32][i % 32] = (i + 1) * 2654435761u;
}
__global__ void multiply_tiles() {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> a;
  fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  load_matrix_sync(a, bfloats[0], 16), load_matrix_sync(b, bfloats[1], 16);
  fill_fragment(c, 0), mma_sync(c, a, b, c), store_matrix_sync(sums_of_floats, c, 16, mem_row_major);
  fragment<matrix_a, 8, 8, 32, experimental::precision::s4, row_major> a4;
  fragment<matrix_b, 8, 8, 32, experimental::precision::s4, col_major> b4;
  fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> a1;
  fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> b1;
  fragment<accumulator, 8, 8, 32, int> c4;
  fragment<accumulator, 8, 8, 128, int> c1;
  load_matrix_sync(a4, packed[0], 32), load_matrix_sync(b4, packed[1], 32);
  fill_fragment(c4, 0), mma_sync(c4, a4, b4, c4), store_matrix_sync(sums[0], c4, 8, mem_row_major);
  load_matrix_sync(a1, packed[0], 128), load_matrix_sync(b1, packed[1], 128);
  fill_fragment(c1, 0), bmma_sync(c1, a1, b1, c1, experimental::bmmaBitOpXOR);
  store_matrix_sync(sums[1], c1, 8, mem_row_major);
}
__global__ void check_tiles() {
  for (int i = 0; i < 256; ++i) {
    float sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += static_cast<float>(bfloats[0][i / 16 * 16 + k]) * static_cast<float>(bfloats[1][i % 16 * 16 + k]);
    found[0] += sum == sums_of_floats[i];
  }
  for (int i = 0; i < 64; ++i) {
    int of_numbers = 0, of_bits = 0;
    for (int word = 0; word < 4; ++word) {
      const unsigned a = packed[0][i / 8 * 4 + word], b = packed[1][i % 8 * 4 + word];
      of_bits += __popc(a ^ b);
      for (int k = 0; k < 32; k += 4)
        of_numbers += (static_cast<int>(a << (28 - k)) >> 28) * (static_cast<int>(b << (28 - k)) >> 28);
    }
    found[1] += of_numbers == sums[0][i], found[2] += of_bits == sums[1][i];
  }
}

}  // namespace

int main() {
  votes<<<1, 32>>>(), print("L21", 4);
  matches<<<1, 32>>>(), print("L22", 8);
  reductions<<<1, 32>>>(), print("L23", 6);
  broadcast<<<1, 32>>>(1234), print("L24", 1);
  scan<<<1, 32>>>(), print("L25", 32);
  butterfly<<<1, 32>>>(), print("L26", 2);
  for (int kind = 0; kind < 5; ++kind) shuffle<<<1, 32>>>(kind), print("L27", 32);
  tensor_cores<<<1, 32>>>(), print("L29", 2);
  fragments<<<1, 1>>>(), print("L30", 13);
  details<<<1, 1>>>(1 + 1 / 2048.0f, 1 + 1 / 4096.0f), print("L30", 4);
  fill_tiles<<<1, 32>>>(), multiply_tiles<<<1, 32>>>(), check_tiles<<<1, 1>>>(), print("L30", 3);
  return 0;
}
