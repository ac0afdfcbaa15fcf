// The values that the book gives for the language's rows: the program prints what the comments "answers:" say.
//
// values_test.py runs it: "answers: L08: 86 0 1" stands for a line that it prints, "answers misaligned: ..." for one
// that it prints with that argument: questions that end a kernel or the program.
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes a barrier in shared memory.

namespace {

/// What kernels leave for the host to print.
__managed__ int found[64];

void print(const char* row, int numbers) {
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s:", row);
  for (int i = 0; i < numbers && error == cudaSuccess; ++i) std::printf(" %d", found[i]);
  std::printf(error == cudaSuccess ? "\n" : " %s\n", cudaGetErrorName(error));
  for (int i = 0; i < 64 && error == cudaSuccess; ++i) found[i] = 0;
}

// short[128], float[64] and int[256] in exactly as many bytes: where each begins, and how many there are.
// answers: L02: 0 256 512 1536
__global__ void lay_out() {
  extern __shared__ short shorts[];
  auto* const floats = reinterpret_cast<float*>(shorts + 128);
  auto* const ints = reinterpret_cast<int*>(floats + 64);
  shorts[127] = 1, floats[63] = 2, ints[255] = 3;
  const auto at = [](const void* p) { return static_cast<int>(__cvta_generic_to_shared(p)); };
  found[1] = at(floats) - at(shorts), found[2] = at(ints) - at(shorts), found[3] = at(ints + 256) - at(shorts);
}
// A float behind 127 shorts, without a gap.
// answers misaligned: L02: cudaErrorMisalignedAddress
__global__ void at_254() {
  extern __shared__ char memory[];
  found[0] = *reinterpret_cast<float*>(memory + 2 * 127);
}

// Sizes and alignments of vectors of 1 to 4 numbers of 1, 2, 4 and 8 bytes.
// answers: L04: 1 2 3 4 2 4 6 8 4 8 12 16 8 16 24 32
// answers: L04: 1 2 1 4 2 4 2 8 4 8 4 16 8 16 8 16
template <class... Types>
__global__ void sizes(bool aligned) {
  const int all[][2] = {{sizeof(Types), alignof(Types)}...};
  for (int i = 0; i < 16; ++i) found[i] = all[i][aligned];
}
constexpr auto kSizes = sizes<char1, uchar2, char3, uchar4, short1, ushort2, short3, ushort4, int1, float2, uint3,
                              float4, double1, longlong2, double3, double4_16a>;

// Both fences: x is 1 or 10, y 2 or 20, but never 1 and 20. The number of times that this was seen.
// answers: L06: 0
__device__ volatile int x, y;
__global__ void begin() { x = 1, y = 2; }
__global__ void litmus() {
  if (blockIdx.x == 0) {
    x = 10;
    __threadfence();
    y = 20;
  } else {
    const int b = y;
    __threadfence();
    const int a = x;
    if (a == 1 && b == 20) atomicAdd(&found[0], 1);
  }
}

// How many of 256 threads, whether all, and whether any is a multiple of 3.
// answers: L08: 86 0 1
__global__ void barriers() {
  const int p = threadIdx.x % 3 == 0;
  const int number = __syncthreads_count(p), all = __syncthreads_and(p), any = __syncthreads_or(p);
  if (threadIdx.x == 0) found[0] = number, found[1] = all != 0, found[2] = any != 0;
}

// The components of a gather, from the lower left on; tex1Dfetch() in and outside of 4 elements.
// answers: L11: 2 3 1 0 3 0
__global__ void read_textures(cudaTextureObject_t image, cudaTextureObject_t line) {
  const float4 all = tex2Dgather<float4>(image, 1, 1);
  found[0] = all.x, found[1] = all.y, found[2] = all.z, found[3] = all.w;
  found[4] = tex1Dfetch<float>(line, 3), found[5] = tex1Dfetch<float>(line, 4);
}

// Beyond four elements 100 to 103: read with Zero and Clamp, and 102 after a write with Zero at 20.
// answers: L12: 0 103 100 102
// answers trap: L12: cudaErrorIllegalAddress
__global__ void write_surface(cudaSurfaceObject_t surface) {
  for (int i = 0; i < 4; ++i) surf1Dwrite(100 + i, surface, 4 * i);
  surf1Dwrite(7, surface, 20, cudaBoundaryModeZero);
}
__global__ void read_surface(cudaSurfaceObject_t surface) {
  found[0] = surf1Dread<int>(surface, 16, cudaBoundaryModeZero);
  found[1] = surf1Dread<int>(surface, 16, cudaBoundaryModeClamp);
  found[2] = surf1Dread<int>(surface, -4, cudaBoundaryModeClamp);
  found[3] = surf1Dread<int>(surface, 8);
}
__global__ void leave_surface(cudaSurfaceObject_t surface) { found[0] = surf1Dread<int>(surface, 16); }

// Whether time passes while a thread counts.
// answers: L14: 1
__global__ void clocks() {
  const long long before = clock64();
#pragma unroll 1
  for (int i = 0; i < 10; ++i) atomicAdd(&found[1], 1);
  found[0] = clock64() > before;
}

// Ten times atomicInc() and atomicDec() with 3; what Min, Max, And, Or and Xor of 1 to 10 leave of 12.
// answers: L17: 1 2 3 0 1 2 3 0 1 2 3 2 1 0 3 2 1 0 3 2 1 12 0 15 7
__global__ void atomics() {
  unsigned* const up = reinterpret_cast<unsigned*>(&found[30]);
  for (int i = 0; i < 10; ++i) atomicInc(up, 3), found[i] = found[30];
  for (int i = 10; i < 20; ++i) atomicDec(up + 1, 3), found[i] = found[31];
  for (int i = 20; i < 25; ++i) found[i] = 12;
  for (int i = 1; i <= 10; ++i) {
    atomicMin(&found[20], i), atomicMax(&found[21], i), atomicAnd(&found[22], i), atomicOr(&found[23], i);
    atomicXor(&found[24], i);
  }
}
// 1000 exchanges: how many of 0 to 1000 were neither returned nor left, or more than once.
// answers: L17: 0
__managed__ int exchanged, times[1001];
__global__ void exchange() {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&times[atomicExch(&exchanged, t + 1)], 1);
}
__global__ void check_exchanged() {
  ++times[exchanged];
  for (int i = 0; i <= 1000; ++i) found[0] += times[i] != 1;
}
// 3000 times 1, in half precision.
// answers: L17: 2048
__device__ __half sum_of_halves;
__global__ void add_halves() { atomicAdd(&sum_of_halves, __half(1)); }
__global__ void read_halves() { found[0] = static_cast<int>(__half2float(sum_of_halves)); }

// The sum of 0 to n - 1, from stack memory, and its address modulo 16.
// answers: L19: 4950 0
__global__ void take_stack(int n) {
  int* const numbers = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) numbers[i] = i;
  for (int i = 0; i < n; ++i) found[0] += numbers[i];
  found[1] = reinterpret_cast<std::size_t>(numbers) % 16;
}

// answers: L20: 4 10
__device__ int never_another(int kind) {
  switch (kind) {
    case 1:
      return 4;
    case 2:
      return 10;
    default:
      __builtin_unreachable();
  }
}
__global__ void hints(int kind) { found[0] = never_another(kind), found[1] = never_another(kind + 1); }

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

// A barrier that expects as many threads as come, three times; and one whose second warp leaves after it has dropped.
// With one thread more, or without the drop, the others wait for ever: the virtual GPU notices.
// answers: L32: 1
// answers: L33: 1
// answers hangs_expecting: L32: cudaErrorLaunchFailure
// answers hangs_leaving: L33: cudaErrorLaunchFailure
__global__ void meet(int expected, bool drops) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, expected);
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (drops) barrier.arrive_and_drop();
    return;
  }
  for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
  if (threadIdx.x == 0) found[0] = 1;
}

// answers: L34: 16383
__global__ void most_arrivals() { found[0] = static_cast<int>(__mbarrier_maximum_count()); }

// The last 8 of 16 bytes are filled with zeros.
// answers: L37: 1 2 0 0
__managed__ __align__(16) int source[4] = {1, 2, 3, 4};
__global__ void copy_half() {
  __shared__ __align__(16) int copied[4];
  for (int& number : copied) number = 9;
  __pipeline_memcpy_async(copied, source, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) found[i] = copied[i];
}

// answers: L40: Hello thread 0, f=1.234500
// answers: L40: Hello thread 1, f=1.234500
// answers: L40: Hello thread 2, f=1.234500
// answers: L40: Hello thread 3, f=1.234500
// answers: L40: Hello thread 4, f=1.234500
__global__ void hello(float f) { printf("L40: Hello thread %d, f=%f\n", threadIdx.x, f); }
// answers: L40: Only thread 0
__global__ void hello_once() {
  if (threadIdx.x == 0) printf("L40: Only thread %d\n", threadIdx.x);
}

// What printf() returns without other arguments, with two, for nullptr, and with 34.
// answers: L41: 0 2 -1 32
#define WB_TEN(n) n, n, n, n, n, n, n, n, n, n
#define WB_TEN_FORMATS "%.0d%.0d%.0d%.0d%.0d%.0d%.0d%.0d%.0d%.0d"
__global__ void print_all(const char* nothing) {
  found[0] = printf("");
  found[1] = printf("%.0d%.0d", 0, 0);
  found[2] = printf(nothing);
  found[3] = printf(WB_TEN_FORMATS WB_TEN_FORMATS WB_TEN_FORMATS "%.0d%.0d%.0d%.0d", WB_TEN(0), WB_TEN(0), WB_TEN(0), 0,
                    0, 0, 0);
  printf("\n");
}

// Without a call that waits for the kernel its line is lost: nothing is printed with the argument "lost".
// answers waits: L42: printed
__global__ void late() { printf("L42: printed\n"); }

// Of 5 allocations of 123 bytes: how many are null, not aligned to 16 bytes, or reach into another one.
// answers: L43: 0 0 0
__device__ char* pieces[5];
__global__ void allocate() { pieces[threadIdx.x] = static_cast<char*>(malloc(123)); }
__global__ void check_pieces() {
  for (int i = 0; i < 5; ++i) {
    found[0] += pieces[i] == nullptr;
    found[1] += reinterpret_cast<std::size_t>(pieces[i]) % 16 != 0;
    for (int j = 0; j < 5; ++j) found[2] += i != j && pieces[i] <= pieces[j] && pieces[j] < pieces[i] + 123;
  }
  for (char* const piece : pieces) free(piece);
}

// 20 blocks of 10 threads keep a number over three launches: how many of 200 are 3 t.
// answers: L45: 200
__device__ int* kept[20];
__global__ void keep() {
  if (threadIdx.x == 0) kept[blockIdx.x] = static_cast<int*>(malloc(10 * sizeof(int)));
  __syncthreads();
  kept[blockIdx.x][threadIdx.x] = 0;
}
__global__ void use() { kept[blockIdx.x][threadIdx.x] += threadIdx.x; }
__global__ void give_back() {
  if (kept[blockIdx.x][threadIdx.x] == 3 * static_cast<int>(threadIdx.x)) atomicAdd(&found[0], 1);
  __syncthreads();
  if (threadIdx.x == 0) free(kept[blockIdx.x]);
}

// 16 x 1 MiB of a heap of 8 MiB: whether some are null; how many fewer there are when all were freed.
// answers: L46: 1 0
__global__ void fill_heap() {
  int got[2] = {};
  for (int& number : got) {
    void* all[16];
    for (void*& piece : all) piece = malloc(1 << 20), number += piece != nullptr;
    for (void* const piece : all) free(piece);
  }
  found[0] = got[0] < 16, found[1] = got[0] - got[1];
}

// Too many threads, z, y, shared memory, no block, and more than its bounds: the errors, and how many kernels ran.
// answers: L47: 1 1 1 1 1 1 0
__managed__ int count;
__global__ void __launch_bounds__(1024) counts() { atomicAdd(&count, 1); }
__global__ void __launch_bounds__(256) bounded() { atomicAdd(&count, 1); }
void refuse() {
  auto error = [i = 0]() mutable { found[i++] = cudaGetLastError(); };
  counts<<<1, 1025>>>(), error();
  counts<<<1, dim3(1, 1, 65)>>>(), error();
  counts<<<dim3(1, 65536), 1>>>(), error();
  counts<<<1, 1, 49153>>>(), error();
  counts<<<0, 1>>>(), error();
  bounded<<<1, 257>>>(), error();
  cudaDeviceSynchronize();
  found[6] = count;
}

// The book's loops add p2[i] times 2, 4, 8 and 16.
// answers: L49: 30 60 90 120 150 180 210 240 270 300 330 360
struct Four {
  static constexpr int value = 4;
};
template <int X, class T>
__device__ void loops(int* p1, const int* p2) {
#pragma unroll
  for (int i = 0; i < 12; ++i) p1[i] += p2[i] * 2;
#pragma unroll(X + 1)
  for (int i = 0; i < 12; ++i) p1[i] += p2[i] * 4;
#pragma unroll 1
  for (int i = 0; i < 12; ++i) p1[i] += p2[i] * 8;
#pragma unroll(T::value)
  for (int i = 0; i < 12; ++i) p1[i] += p2[i] * 16;
}
__global__ void unroll() {
  int p2[12];
  for (int i = 0; i < 12; ++i) p2[i] = i + 1;
  loops<7, Four>(found, p2);
}

// answers: L50: 18 1020
__device__ unsigned differences(unsigned a, unsigned b, unsigned c) {
  unsigned d = 0;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__global__ void video() {
  found[0] = differences(0x01020304, 0x04030201, 10), found[1] = differences(0xff00ff00, 0x00ff00ff, 0);
}

cudaSurfaceObject_t make_surface() {
  const auto format = cudaCreateChannelDesc<int>();
  cudaResourceDesc resource{.resType = cudaResourceTypeArray};
  cudaSurfaceObject_t surface = 0;
  cudaMallocArray(&resource.res.array.array, &format, 4, 0, cudaArraySurfaceLoadStore);
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}

void read_images() {
  const auto format = cudaCreateChannelDesc<float>();
  const float texels[] = {0, 1, 2, 3};
  float* line = nullptr;
  cudaResourceDesc image{.resType = cudaResourceTypeArray}, linear{.resType = cudaResourceTypeLinear};
  cudaMallocArray(&image.res.array.array, &format, 2, 2, cudaArrayTextureGather);
  cudaMemcpy2DToArray(image.res.array.array, 0, 0, texels, 8, 8, 2, cudaMemcpyHostToDevice);
  cudaMalloc(&line, sizeof texels);
  cudaMemcpy(line, texels, sizeof texels, cudaMemcpyHostToDevice);
  linear.res.linear = {line, format, sizeof texels};
  const cudaTextureDesc how{.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp}};
  cudaTextureObject_t of_image = 0, of_line = 0;
  cudaCreateTextureObject(&of_image, &image, &how, nullptr);
  cudaCreateTextureObject(&of_line, &linear, &how, nullptr);
  read_textures<<<1, 1>>>(of_image, of_line);
}

}  // namespace

// The book's example: the second assertion fails, and prints one line.
// answers assert: L39: void testAssert(): block: [0,0,0], thread: [0,0,0] Assertion `should_be_one` failed.
// answers assert: L39: cudaErrorAssert
__global__ void testAssert() {
  const int is_one = 1, should_be_one = 0;
  assert(is_one);
  assert(should_be_one);
}

int main(int arguments, char** words) {
  const auto is = [&](const char* name) { return arguments > 1 && std::strcmp(words[1], name) == 0; };
  if (is("misaligned")) return at_254<<<1, 1, 1024>>>(), print("L02", 1), 0;
  if (is("hangs_expecting")) return meet<<<1, 32>>>(33, true), print("L32", 1), 0;
  if (is("hangs_leaving")) return meet<<<1, 64>>>(64, false), print("L33", 1), 0;
  if (is("trap")) return leave_surface<<<1, 1>>>(make_surface()), print("L12", 1), 0;
  if (is("assert")) return testAssert<<<1, 1>>>(), print("L39", 1), 0;
  if (is("lost")) return late<<<1, 1>>>(), 0;
  if (is("waits")) return late<<<1, 1>>>(), static_cast<int>(cudaDeviceSynchronize());
  lay_out<<<1, 1, 1536>>>(), print("L02", 4);
  kSizes<<<1, 1>>>(false), print("L04", 16);
  kSizes<<<1, 1>>>(true), print("L04", 16);
  for (int i = 0; i < 100; ++i) begin<<<1, 1>>>(), litmus<<<2, 1>>>();
  print("L06", 1);
  barriers<<<1, 256>>>(), print("L08", 3);
  read_images(), print("L11", 6);
  const cudaSurfaceObject_t surface = make_surface();
  write_surface<<<1, 1>>>(surface), read_surface<<<1, 1>>>(surface), print("L12", 4);
  clocks<<<1, 1>>>(), print("L14", 1);
  atomics<<<1, 1>>>(), print("L17", 25);
  exchange<<<10, 100>>>(), check_exchanged<<<1, 1>>>(), print("L17", 1);
  add_halves<<<30, 100>>>(), read_halves<<<1, 1>>>(), print("L17", 1);
  take_stack<<<1, 1>>>(100), print("L19", 2);
  hints<<<1, 1>>>(1), print("L20", 2);
  votes<<<1, 32>>>(), print("L21", 4);
  matches<<<1, 32>>>(), print("L22", 8);
  reductions<<<1, 32>>>(), print("L23", 6);
  broadcast<<<1, 32>>>(1234), print("L24", 1);
  scan<<<1, 32>>>(), print("L25", 32);
  butterfly<<<1, 32>>>(), print("L26", 2);
  for (int kind = 0; kind < 5; ++kind) shuffle<<<1, 32>>>(kind), print("L27", 32);
  tensor_cores<<<1, 32>>>(), print("L29", 2);
  fragments<<<1, 1>>>(), print("L30", 13);
  meet<<<1, 32>>>(32, true), print("L32", 1);
  meet<<<1, 64>>>(64, true), print("L33", 1);
  most_arrivals<<<1, 1>>>(), print("L34", 1);
  copy_half<<<1, 1>>>(), print("L37", 4);
  hello<<<1, 5>>>(1.2345f), hello_once<<<1, 5>>>(), cudaDeviceSynchronize();
  print_all<<<1, 1>>>(nullptr), print("L41", 4);
  allocate<<<1, 5>>>(), check_pieces<<<1, 1>>>(), print("L43", 3);
  keep<<<20, 10>>>();
  for (int i = 0; i < 3; ++i) use<<<20, 10>>>();
  give_back<<<20, 10>>>(), print("L45", 1);
  fill_heap<<<1, 1>>>(), print("L46", 2);
  refuse(), print("L47", 7);
  unroll<<<1, 1>>>(), print("L49", 12);
  video<<<1, 1>>>(), print("L50", 2);
  return 0;
}
