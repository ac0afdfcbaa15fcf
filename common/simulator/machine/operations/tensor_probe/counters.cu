// For Nsight Compute: what ldmatrix, stmatrix, movmatrix and tensor instructions count. Each kernel runs its
// instruction 16 times in one warp.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
__device__ __forceinline__ uint32_t place(int stride) {
  const int lane = threadIdx.x & 31;
  if (stride == -1) return 0;                                    // every row at one address
  if (stride == -2) return (lane & 1) * 1024;                    // two rows of the same banks
  if (stride == -3) return (lane & 7) * 16;                      // all matrices the same eight rows
  if (stride == -4) return lane * 128 + ((lane & 7) ^ 3) * 16;   // xor swizzle
  if (stride == -5) return (lane & 7) * 128 + (lane >> 3) * 16;  // four matrices side by side in rows of 128 bytes
  return lane * stride;
}
__shared__ __align__(1024) unsigned char memory[8192];
template <int X, bool T, int Stride>
__global__ void ldsm(uint32_t* out) {
  const uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + place(Stride);
  uint32_t x = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    uint32_t r[4] = {};
    if (X == 1 && !T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(p) : "memory");
    if (X == 2 && !T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                   : "=r"(r[0]), "=r"(r[1])
                   : "r"(p)
                   : "memory");
    if (X == 4 && !T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(p)
                   : "memory");
    if (X == 1 && T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(p) : "memory");
    if (X == 2 && T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                   : "=r"(r[0]), "=r"(r[1])
                   : "r"(p)
                   : "memory");
    if (X == 4 && T)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(p)
                   : "memory");
    x += r[0] ^ r[1] ^ r[2] ^ r[3];
  }
  out[threadIdx.x] = x;
}
template <int X, bool T, int Stride>
__global__ void stsm(uint32_t* out) {
  const uint32_t p = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + place(Stride);
  const uint32_t a = out[threadIdx.x], b = out[threadIdx.x + 32], c = out[threadIdx.x + 64], d = out[threadIdx.x + 96];
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    if (X == 1 && !T)
      asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" : : "r"(p), "r"(a) : "memory");
    if (X == 2 && !T)
      asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" : : "r"(p), "r"(a), "r"(b) : "memory");
    if (X == 4 && !T)
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                   :
                   : "r"(p), "r"(a), "r"(b), "r"(c), "r"(d)
                   : "memory");
    if (X == 4 && T)
      asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
                   :
                   : "r"(p), "r"(a), "r"(b), "r"(c), "r"(d)
                   : "memory");
  }
  __syncwarp();
  out[threadIdx.x] = memory[threadIdx.x];
}
__global__ void movm(uint32_t* out) {
  uint32_t x = out[threadIdx.x];
#pragma unroll
  for (int i = 0; i < 16; ++i) asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
  out[threadIdx.x] = x;
}
#define FLOATS(NAME, INSTR)                                                                                    \
  __global__ void NAME(uint32_t* out) {                                                                        \
    float c[4] = {};                                                                                           \
    uint32_t a = out[threadIdx.x];                                                                             \
    _Pragma("unroll") for (int i = 0; i < 16;                                                                  \
                           ++i) asm volatile(INSTR : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a)); \
    out[threadIdx.x] = __float_as_uint(c[0] + c[1] + c[2] + c[3]);                                             \
  }
#define INTS(NAME, INSTR)                                                                                      \
  __global__ void NAME(uint32_t* out) {                                                                        \
    uint32_t c[4] = {};                                                                                        \
    uint32_t a = out[threadIdx.x];                                                                             \
    _Pragma("unroll") for (int i = 0; i < 16;                                                                  \
                           ++i) asm volatile(INSTR : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a)); \
    out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];                                                              \
  }
#define D4 "{%0, %1, %2, %3}, "
#define A4B2 "{%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
#define A2B1 "{%4, %4}, {%4}, {%0, %1, %2, %3};"
FLOATS(mma_f16_k16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4 A4B2)
FLOATS(mma_f16_k8, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " D4 A2B1)
FLOATS(mma_bf16_k16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " D4 A4B2)
FLOATS(mma_tf32_k8, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " D4 A4B2)
FLOATS(mma_tf32_k4, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 " D4 A2B1)
FLOATS(mma_e4m3_k32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 " D4 A4B2)
FLOATS(mma_e5m2_k16, "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32 " D4 A2B1)
FLOATS(mma_sp_f16_k32, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " D4
                       "{%4, %4, %4, %4}, {%4, %4, %4, %4}, {%0, %1, %2, %3}, %4, 0x0;")
INTS(mma_s8_k32, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " D4 A4B2)
INTS(mma_s8_k16, "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 " D4 A2B1)
INTS(mma_s4_k64, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 " D4 A4B2)
INTS(mma_b1_k256, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc " D4 A4B2)
__global__ void mma_f64_k4(uint32_t* out) {
  double a = out[threadIdx.x], c[2] = {};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a));
  out[threadIdx.x] = c[0] + c[1];
}
__global__ void mma_f64_k16(uint32_t* out) {
  double a = out[threadIdx.x], c[4] = {};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, %4, %4, %4, %4, %4, %4}, {%4, "
        "%4, %4, %4}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a));
  out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
}
__global__ void mma_f16_m8n8k4(uint32_t* out) {
  uint32_t a = out[threadIdx.x], c[4] = {};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    asm volatile(
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %4}, {%4, %4}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a));
  out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
}
using namespace nvcuda;
template <class T, class C, class LA, class LB>
__global__ void wmma_all(T* shared_from, C* out) {
  __shared__ __align__(128) T tile[2 * 256];
  for (int i = threadIdx.x; i < 512; i += 32) tile[i] = shared_from[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, LA> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, LB> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> c;
  wmma::load_matrix_sync(a, tile, 16);
  wmma::load_matrix_sync(b, tile + 256, 16);
  wmma::fill_fragment(c, C(0));
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}
template <class T, class C, class LA, class LB>
__global__ void wmma_global(T* from, C* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, LA> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, LB> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> c;
  wmma::load_matrix_sync(a, from, 16);
  wmma::load_matrix_sync(b, from + 256, 64);
  wmma::load_matrix_sync(c, out, 16, wmma::mem_row_major);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}
template <int X, bool T>
void loads(uint32_t* p) {
  ldsm<X, T, 16><<<1, 32>>>(p);
  ldsm<X, T, 32><<<1, 32>>>(p);
  ldsm<X, T, 64><<<1, 32>>>(p);
  ldsm<X, T, 128><<<1, 32>>>(p);
  ldsm<X, T, 144><<<1, 32>>>(p);
  ldsm<X, T, 80><<<1, 32>>>(p);
  ldsm<X, T, -1><<<1, 32>>>(p);
  ldsm<X, T, -2><<<1, 32>>>(p);
  ldsm<X, T, -3><<<1, 32>>>(p);
  ldsm<X, T, -4><<<1, 32>>>(p);
  ldsm<X, T, -5><<<1, 32>>>(p);
}
template <int X, bool T>
void stores(uint32_t* p) {
  stsm<X, T, 16><<<1, 32>>>(p);
  stsm<X, T, 32><<<1, 32>>>(p);
  stsm<X, T, 128><<<1, 32>>>(p);
  stsm<X, T, 144><<<1, 32>>>(p);
  stsm<X, T, -1><<<1, 32>>>(p);
  stsm<X, T, -4><<<1, 32>>>(p);
  stsm<X, T, -5><<<1, 32>>>(p);
}
int main() {
  uint32_t* p;
  cudaMalloc(&p, 1 << 20);
  cudaMemset(p, 0, 1 << 20);
  loads<1, false>(p);
  loads<2, false>(p);
  loads<4, false>(p);
  loads<4, true>(p);
  stores<1, false>(p);
  stores<2, false>(p);
  stores<4, false>(p);
  stores<4, true>(p);
  movm<<<1, 32>>>(p);
  mma_f16_k16<<<1, 32>>>(p);
  mma_f16_k8<<<1, 32>>>(p);
  mma_bf16_k16<<<1, 32>>>(p);
  mma_tf32_k8<<<1, 32>>>(p);
  mma_tf32_k4<<<1, 32>>>(p);
  mma_e4m3_k32<<<1, 32>>>(p);
  mma_e5m2_k16<<<1, 32>>>(p);
  mma_sp_f16_k32<<<1, 32>>>(p);
  mma_s8_k32<<<1, 32>>>(p);
  mma_s8_k16<<<1, 32>>>(p);
  mma_s4_k64<<<1, 32>>>(p);
  mma_b1_k256<<<1, 32>>>(p);
  mma_f64_k4<<<1, 32>>>(p);
  mma_f64_k16<<<1, 32>>>(p);
  mma_f16_m8n8k4<<<1, 32>>>(p);
  using R = wmma::row_major;
  using C = wmma::col_major;
  half* h = (half*)p;
  float* f = (float*)(p + 4096);
  half* g = (half*)f;
  signed char* s = (signed char*)p;
  int* o = (int*)f;
  wmma_all<half, float, R, R><<<1, 32>>>(h, f);
  wmma_all<half, float, R, C><<<1, 32>>>(h, f);
  wmma_all<half, float, C, R><<<1, 32>>>(h, f);
  wmma_all<half, half, R, R><<<1, 32>>>(h, g);
  wmma_all<signed char, int, R, C><<<1, 32>>>(s, o);
  wmma_all<signed char, int, R, R><<<1, 32>>>(s, o);
  wmma_global<half, float, R, R><<<1, 32>>>(h, f);
  wmma_global<half, float, R, C><<<1, 32>>>(h, f);
  wmma_global<half, float, C, R><<<1, 32>>>(h, f);
  wmma_global<half, half, C, C><<<1, 32>>>(h, g);
  wmma_global<signed char, int, R, C><<<1, 32>>>(s, o);
  wmma_global<signed char, int, R, R><<<1, 32>>>(s, o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
