// Errors with matrices in shared memory, one for each argument; without an argument there is none.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

__device__ std::uint32_t place(const void* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

/// Two warps fill a tile, and each multiplies half of it by ones.
__global__ void multiply(float* out, bool waits) {
  __shared__ __align__(16) __half tile[32][40];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int i = static_cast<int>(threadIdx.x); i < 32 * 40; i += 64) tile[i / 40][i % 40] = __float2half(1);  // filled
  if (waits) __syncthreads();
  std::uint32_t a[4], one = 0x3c003c00;
  float d[4] = {};
  const std::uint32_t row = place(&tile[warp * 16 + lane % 16][lane / 16 * 8]);
  // clang-format off
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row) : "memory");  // loaded
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(one));
  // clang-format on
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}

/// Branches on row @p row of a product whose first row of A is uninitialised.
__global__ void decide(const std::uint32_t* in, int* out, int row) {
  std::uint32_t a[2] = {in[threadIdx.x], in[threadIdx.x + 32]}, one = 0x3c003c00;
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(one));
  if (static_cast<int>(threadIdx.x) / 4 == row && d[0] > 1) out[threadIdx.x] = 1;  // decided
}

}  // namespace

int main(int argc, char** argv) {
  const auto is = [&](const char* mistake) { return argc > 1 && std::strcmp(argv[1], mistake) == 0; };
  float* out = nullptr;
  cudaMalloc(&out, 1024);
  std::uint32_t* in = nullptr;
  cudaMalloc(&in, 256);
  cudaMemset(in + 4, 0, 256 - 16);  // Four lanes hold a row.
  if (is("undefined_row"))
    decide<<<1, 32>>>(in, reinterpret_cast<int*>(out), 0);
  else if (is("other_row"))
    decide<<<1, 32>>>(in, reinterpret_cast<int*>(out), 1);
  else
    multiply<<<1, 64>>>(out, !is("missing_barrier"));
  std::printf("%d\n", cudaDeviceSynchronize());
  cudaFree(in);
  cudaFree(out);
  return 0;
}
