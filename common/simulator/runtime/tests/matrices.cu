// Matrix products on tensor cores: nvcuda::wmma with all its types, and mma.sync with ldmatrix and stmatrix, checked
// against sums on the host. The elements are small integers, so that sums are exact in any order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "check.h"

using namespace nvcuda;

namespace {

constexpr int kM = 64, kN = 96, kK = 64;

/// C = A * B + C, row by row. @p A, @p B: their layouts.
template <class In, class Out, int M, int N, int K, class A, class B>
__global__ void wmma_gemm(
    const typename std::conditional<std::is_same_v<In, wmma::precision::tf32>, float, In>::type* a,
    const typename std::conditional<std::is_same_v<In, wmma::precision::tf32>, float, In>::type* b, Out* c) {
  constexpr bool a_rows = std::is_same_v<A, wmma::row_major>, b_rows = std::is_same_v<B, wmma::row_major>;
  const int row = static_cast<int>(blockIdx.y) * M, column = static_cast<int>(blockIdx.x) * N;
  wmma::fragment<wmma::matrix_a, M, N, K, In, A> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, In, B> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
  wmma::load_matrix_sync(fc, c + row * kN + column, kN, wmma::mem_row_major);
  for (int k = 0; k < kK; k += K) {
    wmma::load_matrix_sync(fa, a_rows ? a + row * kK + k : a + k * kM + row, a_rows ? kK : kM);
    wmma::load_matrix_sync(fb, b_rows ? b + k * kN + column : b + column * kK + k, b_rows ? kN : kK);
    if constexpr (std::is_same_v<In, wmma::precision::tf32>) {
      for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
      for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
    }
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(c + row * kN + column, fc, kN, wmma::mem_row_major);
}

/// A value of element i, between -4 and 4 (0 and 8 for unsigned types).
int value(int i, int seed) { return (i * 7 + i / 5 + seed) % 9 - 4; }

template <class T>
T made(int x) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>)
    return T(static_cast<float>(x));
  else if constexpr (std::is_same_v<T, unsigned char>)
    return static_cast<T>(x + 4);
  else
    return static_cast<T>(x);
}
template <class T>
double number(T x) {
  return static_cast<double>(static_cast<float>(x));
}
template <>
double number(int x) {
  return x;
}
template <>
double number(double x) {
  return x;
}

template <class In, class Out, int M, int N, int K, class A, class B>
void check_wmma() {
  using Element = typename std::conditional<std::is_same_v<In, wmma::precision::tf32>, float, In>::type;
  constexpr bool a_rows = std::is_same_v<A, wmma::row_major>, b_rows = std::is_same_v<B, wmma::row_major>;
  Element *a = nullptr, *b = nullptr;
  Out* c = nullptr;
  SUCCEEDS(cudaMallocManaged(&a, kM * kK * sizeof *a));
  SUCCEEDS(cudaMallocManaged(&b, kK * kN * sizeof *b));
  SUCCEEDS(cudaMallocManaged(&c, kM * kN * sizeof *c));
  for (int i = 0; i < kM * kK; ++i) a[i] = made<Element>(value(i, 1));
  for (int i = 0; i < kK * kN; ++i) b[i] = made<Element>(value(i, 3));
  std::vector<double> wanted(kM * kN);
  for (int i = 0; i < kM * kN; ++i) c[i] = made<Out>(value(i, 5));
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      double sum = number(c[i * kN + j]);
      for (int k = 0; k < kK; ++k)
        sum += number(a[a_rows ? i * kK + k : k * kM + i]) * number(b[b_rows ? k * kN + j : j * kK + k]);
      wanted[i * kN + j] = 2 * sum;
    }
  wmma_gemm<In, Out, M, N, K, A, B><<<dim3(kN / N, kM / M), 32>>>(a, b, c);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kM * kN; ++i) wrong += number(c[i]) != wanted[i];
  CHECK(wrong == 0);
  SUCCEEDS(cudaFree(a));
  SUCCEEDS(cudaFree(b));
  SUCCEEDS(cudaFree(c));
}

template <class In, class Out, int M, int N, int K>
void check_layouts() {
  check_wmma<In, Out, M, N, K, wmma::row_major, wmma::row_major>();
  check_wmma<In, Out, M, N, K, wmma::row_major, wmma::col_major>();
  check_wmma<In, Out, M, N, K, wmma::col_major, wmma::row_major>();
  check_wmma<In, Out, M, N, K, wmma::col_major, wmma::col_major>();
}

__device__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// C = A * B in blocks of 32 x 16, two warps, with tiles in shared memory: row strides of 40 and 24 halves put the rows
/// of a matrix in different banks.
__global__ void mma_gemm(const __half* a, const __half* b, float* c) {
  __shared__ __align__(16) __half tile_a[32][40];
  __shared__ __align__(16) __half tile_b[32][24];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(blockIdx.y) * 32, column = static_cast<int>(blockIdx.x) * 16;
  float sum[2][4] = {};
  for (int k = 0; k < kK; k += 32) {
    for (int i = static_cast<int>(threadIdx.x); i < 32 * 32; i += 64)
      tile_a[i / 32][i % 32] = a[(row + i / 32) * kK + k + i % 32];
    for (int i = static_cast<int>(threadIdx.x); i < 32 * 16; i += 64)
      tile_b[i / 16][i % 16] = b[(k + i / 16) * kN + column + i % 16];
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      std::uint32_t fa[4], fb[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                   : "r"(shared_address(&tile_a[warp * 16 + lane % 16][kk + lane / 16 * 8])));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                   : "r"(shared_address(&tile_b[kk + lane % 16][lane / 16 * 8])));
      for (int n = 0; n < 2; ++n)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
            "%2, %3};"
            : "+f"(sum[n][0]), "+f"(sum[n][1]), "+f"(sum[n][2]), "+f"(sum[n][3])
            : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * n]), "r"(fb[2 * n + 1]));
    }
    __syncthreads();
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i)
      c[(row + warp * 16 + lane / 4 + i / 2 * 8) * kN + column + n * 8 + lane % 4 * 2 + i % 2] = sum[n][i];
}

void check_mma() {
  __half *a = nullptr, *b = nullptr;
  float* c = nullptr;
  SUCCEEDS(cudaMallocManaged(&a, kM * kK * sizeof *a));
  SUCCEEDS(cudaMallocManaged(&b, kK * kN * sizeof *b));
  SUCCEEDS(cudaMallocManaged(&c, kM * kN * sizeof *c));
  for (int i = 0; i < kM * kK; ++i) a[i] = made<__half>(value(i, 2));
  for (int i = 0; i < kK * kN; ++i) b[i] = made<__half>(value(i, 4));
  mma_gemm<<<dim3(kN / 16, kM / 32), 64>>>(a, b, c);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += number(a[i * kK + k]) * number(b[k * kN + j]);
      wrong += c[i * kN + j] != sum;
    }
  CHECK(wrong == 0);
  SUCCEEDS(cudaFree(a));
  SUCCEEDS(cudaFree(b));
  SUCCEEDS(cudaFree(c));
}

/// fp8: a row of ones and twos times a column of twos and ones; all elements of the product are the same.
__global__ void mma_fp8(float* out) {
  const std::uint32_t one = 0x38383838, two = 0x40404040;  // e4m3
  float d[4] = {0.5F, 0.5F, 0.5F, 0.5F};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%5, %4}, {%0, %1, %2, "
      "%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(one), "r"(two));
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}

void check_fp8() {
  float* out = nullptr;
  SUCCEEDS(cudaMallocManaged(&out, 128 * sizeof *out));
  mma_fp8<<<1, 32>>>(out);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += out[i] != 16 * 2 + 16 * 2 + 0.5F;
  CHECK(wrong == 0);
  SUCCEEDS(cudaFree(out));
}

/// Matrices in registers: transposed in three ways.
__global__ void transpose(const __half* in, __half* out) {
  __shared__ __align__(16) __half tile[3][64];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 64; i += 32) tile[0][i] = in[i];
  __syncwarp();
  std::uint32_t matrix = 0, moved = 0;
  const std::uint32_t row = shared_address(&tile[0][lane % 8 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(matrix) : "r"(row) : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(matrix));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
               :
               : "r"(shared_address(&tile[1][lane % 8 * 8])), "r"(moved)
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};"
               :
               : "r"(shared_address(&tile[2][lane % 8 * 8])), "r"(matrix)
               : "memory");
  __syncwarp();
  for (int i = lane; i < 128; i += 32) out[i] = tile[1 + i / 64][i % 64];
}

void check_moves() {
  __half *in = nullptr, *out = nullptr;
  SUCCEEDS(cudaMallocManaged(&in, 64 * sizeof *in));
  SUCCEEDS(cudaMallocManaged(&out, 128 * sizeof *out));
  for (int i = 0; i < 64; ++i) in[i] = made<__half>(i);
  transpose<<<1, 32>>>(in, out);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += number(out[i]) != i % 8 * 8 + i % 64 / 8;
  CHECK(wrong == 0);
  SUCCEEDS(cudaFree(in));
  SUCCEEDS(cudaFree(out));
}

}  // namespace

int main() {
  check_layouts<__half, float, 16, 16, 16>();
  check_layouts<__half, __half, 16, 16, 16>();
  check_layouts<__half, float, 32, 8, 16>();
  check_layouts<__half, float, 8, 16 * 2, 16>();
  check_layouts<__nv_bfloat16, float, 16, 16, 16>();
  check_layouts<wmma::precision::tf32, float, 16, 16, 8>();
  check_layouts<signed char, int, 16, 16, 16>();
  check_layouts<unsigned char, int, 32, 8, 16>();
  check_layouts<double, double, 8, 8, 4>();
  check_mma();
  check_fp8();
  check_moves();
  return report();
}
