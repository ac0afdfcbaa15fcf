// The values that the book gives for the language's rows: the program prints what the comments "answers:" say.
//
// values_test.py runs it: "answers: L08: 86 0 1" stands for a line that it prints, "answers misaligned: ..." for one
// that it prints with that argument: questions that end a kernel or the program. Beside it, warps.cu is for L21
// to L30, asynchronous.cu for L31 to L37, statements.cu for rows B.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda/atomic>

#include "found.cuh"

namespace {

// The architecture that device code is made for, a tenth of it; that of the device; that of host code, which has none.
// answers: L01: 90 90 0
__host__ __device__ int architecture() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ / 10;
#else
  return 0;
#endif
}
__global__ void tell_architecture(int of_device, int of_host) {
  found[0] = architecture(), found[1] = of_device, found[2] = of_host;
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

// Products of a, 2 and 3, and b, 5: without a promise, with one, and without one if c is a.
// answers: L03: 10 10 30 6 10 5
// answers: L03: 10 10 30 6 10 5
// answers: L03: 10 50 2500 500 50 5
__device__ float a[6], b[1], c[6];
__global__ void begin_products() { a[0] = 2, a[1] = 3, b[0] = 5; }
#define WB_PRODUCTS \
  c[0] = a[0] * b[0], c[1] = a[0] * b[0], c[2] = a[0] * b[0] * a[1], c[3] = a[0] * a[1], c[4] = a[0] * b[0], c[5] = b[0]
__global__ void promise_nothing(const float* a, const float* b, float* c) { WB_PRODUCTS; }
__global__ void promise(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  WB_PRODUCTS;
}
__global__ void end_products(const float* c) {
  for (int i = 0; i < 6; ++i) found[i] = static_cast<int>(c[i]);
}
void multiply(bool promises, bool overlaps) {
  void* places[3] = {};
  cudaGetSymbolAddress(&places[0], a), cudaGetSymbolAddress(&places[1], b), cudaGetSymbolAddress(&places[2], c);
  float *const of_a = static_cast<float*>(places[0]), *const of_c = static_cast<float*>(places[overlaps ? 0 : 2]);
  begin_products<<<1, 1>>>();
  (promises ? promise : promise_nothing)<<<1, 1>>>(of_a, static_cast<float*>(places[1]), of_c);
  end_products<<<1, 1>>>(of_c);
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

// Barriers in code that only some threads of a warp, and of the block, come to.
// finds divergent: L10: divergent barrier
__global__ void diverge() {
  if (threadIdx.x % 2 == 0) __syncthreads();
  if (threadIdx.x < 40) __syncthreads();
}

// Between texels 0 and 256, 3.6 and 3.4 of 256 parts from the first to the second: 8 bits, rounded to the nearest.
// answers: L11: 4 3
__global__ void read_between(cudaTextureObject_t texture) {
  found[0] = tex1D<float>(texture, 0.5f + 3.6f / 256), found[1] = tex1D<float>(texture, 0.5f + 3.4f / 256);
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

// Loaded by __ldg() and __ldca(), __ldcg(), __ldcs() and __ldlu(), __ldcv(); stored by __stwb() to __stwt().
// answers: L13: 3 4 24 32
__managed__ int hinted[] = {1, 2, 4, 8, 16, 32};
__global__ void load_and_store(const int* in) {
  __stwb(&found[0], __ldg(in) + __ldca(in + 1));
  __stcg(&found[1], __ldcg(in + 2));
  __stcs(&found[2], __ldcs(in + 3) + __ldlu(in + 4));
  __stwt(&found[3], __ldcv(in + 5));
}

// Whether time passes while a thread counts.
// answers: L14: 1
__global__ void clocks() {
  const long long before = clock64();
#pragma unroll 1
  for (int i = 0; i < 10; ++i) atomicAdd(&found[1], 1);
  found[0] = clock64() > before;
}

// 1000 threads add 10 each, the host ten times 1.
// answers: L15: 10010
// Atomics of a block are no atomics for two.
// finds of_a_block: L15: race
__managed__ int of_both;
__global__ void add_10() { atomicAdd_system(&of_both, 10); }
void add_together() {
  add_10<<<10, 100>>>();
  for (int i = 0; i < 10; ++i) cuda::atomic_ref<int, cuda::thread_scope_system>(of_both).fetch_add(1);
  cudaDeviceSynchronize();
  found[0] = of_both;
}
__global__ void add_by_block() { atomicAdd_block(&found[0], 10); }

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

// Each type: sums of int, unsigned, 64 bits, float, double, both halves of half2 and bfloat162, a bfloat16 that is too
// large for 1 more; a difference; 16, 32 and 64 bits compared and swapped, 32 in vain; exchanges; 64 bits' Min, Max,
// And, Or and Xor.
// answers: L17: -2 1 4096 3 5 4 6 4 6 256 -2 9 7 9 11 2 -3 5 8 14 6
__device__ int of_int[] = {5, 3, 7};
__device__ unsigned of_unsigned = ~0u;
__device__ unsigned long long of_64[] = {4095ull << 32 | 0xffffffff, 7, 12, 12, 12};
__device__ long long of_signed[] = {4, 4};
__device__ float of_float[] = {1.25f, 2};
__device__ double of_double = 2.5;
__device__ __half2 of_halves;
__device__ __nv_bfloat162 of_bfloats;
__device__ __nv_bfloat16 of_bfloat;
__device__ unsigned short of_16 = 7;
__global__ void typed_atomics() {
  of_halves = __half2(1, 2), of_bfloats = __nv_bfloat162(1, 2), of_bfloat = 256;
  atomicAdd(&of_int[0], -7), atomicAdd(&of_unsigned, 2u), atomicAdd(&of_64[0], 1ull);
  atomicAdd(&of_float[0], 1.75f), atomicAdd(&of_double, 2.5);
  atomicAdd(&of_halves, __half2(3, 4)), atomicAdd(&of_bfloats, __nv_bfloat162(3, 4));
  atomicAdd(&of_bfloat, __nv_bfloat16(1)), atomicSub(&of_int[1], 5);
  atomicCAS(&of_16, static_cast<unsigned short>(7), static_cast<unsigned short>(9));
  atomicCAS(&of_int[2], 8, 9), atomicCAS(&of_64[1], 7ull, 9ull);
  const float old = atomicExch(&of_float[1], 9.0f);
  const unsigned long long old_64 = atomicExch(&of_64[1], 2ull);
  atomicMin(&of_signed[0], -3ll), atomicMax(&of_signed[1], 5ll);
  atomicAnd(&of_64[2], 10ull), atomicOr(&of_64[3], 10ull), atomicXor(&of_64[4], 10ull);
  const int all[] = {of_int[0],
                     static_cast<int>(of_unsigned),
                     static_cast<int>(of_64[0] >> 32),
                     static_cast<int>(of_float[0]),
                     static_cast<int>(of_double),
                     static_cast<int>(of_halves.x),
                     static_cast<int>(of_halves.y),
                     static_cast<int>(of_bfloats.x),
                     static_cast<int>(of_bfloats.y),
                     static_cast<int>(of_bfloat),
                     of_int[1],
                     of_16,
                     of_int[2],
                     static_cast<int>(old_64),
                     static_cast<int>(old + of_float[1]),
                     static_cast<int>(of_64[1]),
                     static_cast<int>(of_signed[0]),
                     static_cast<int>(of_signed[1]),
                     static_cast<int>(of_64[2]),
                     static_cast<int>(of_64[3]),
                     static_cast<int>(of_64[4])};
  for (int i = 0; i < 21; ++i) found[i] = all[i];
}

// Whether pointers to global, shared, local and constant memory are shared, local, constant; whether the first three
// are global; whether each comes back from its space.
// answers: L18: 0 0 0 1 0 0 0 1 0 0 0 1 1 0 0 1 1 1 1
__device__ int of_device;
__constant__ int of_constant;
__global__ void tell_spaces() {
  __shared__ int of_block;
  int of_thread = 0;
  const void* const all[] = {&of_device, &of_block, &of_thread, &of_constant};
  for (int i = 0; i < 4; ++i) {
    found[3 * i] = __isShared(all[i]), found[3 * i + 1] = __isLocal(all[i]), found[3 * i + 2] = __isConstant(all[i]);
    if (i < 3) found[12 + i] = __isGlobal(all[i]);
  }
  found[15] = __cvta_global_to_generic(__cvta_generic_to_global(all[0])) == all[0];
  found[16] = __cvta_shared_to_generic(__cvta_generic_to_shared(all[1])) == all[1];
  found[17] = __cvta_local_to_generic(__cvta_generic_to_local(all[2])) == all[2];
  found[18] = __cvta_constant_to_generic(__cvta_generic_to_constant(all[3])) == all[3];
}

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

// Two blocks of 64 threads increment a number under a lock, each five times.
// answers: L28: 640
// Without a fence before the lock is given back.
// finds lock_without_fence: L28: race
__device__ int lock;
__global__ void count_under_lock(bool fences) {
  for (int i = 0; i < 5; ++i) {
    for (unsigned ns = 8; atomicCAS(&lock, 0, 1) != 0; ns = min(2 * ns, 256)) __nanosleep(ns);
    if (fences) __threadfence();
    const int number = found[0];
    found[0] = number + 1;
    if (fences) __threadfence();
    atomicExch(&lock, 0);
  }
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

// Without a call that waits for the kernel its line is lost.
// answers lost:
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

// Each of 20 blocks of 128 threads has 64 numbers for each thread: how many are the number of their thread.
// answers: L44: 163840
// As the book has it, with bytes for numbers, three of four are beyond the end.
// finds overflow: L44: past the end of 8192 bytes
__global__ void use_of_block(int bytes_of_number) {
  __shared__ int* data;
  const int n = blockDim.x, t = threadIdx.x;
  if (t == 0) data = static_cast<int*>(malloc(64 * n * bytes_of_number));
  __syncthreads();
  if (data == nullptr) return;
  for (int i = 0; i < 64; ++i) data[i * n + t] = t;
  __syncthreads();
  int right = 0;
  for (int i = 0; i < 64; ++i) right += data[i * n + t] == t;
  atomicAdd(&found[0], right);
  __syncthreads();
  if (t == 0) free(data);
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

// All 14 instructions, for 100 pairs of words: how many results are those of the host.
// answers: L50: 1400
__managed__ unsigned made[14][100];
__host__ __device__ unsigned word(int i) { return (i + 1) * 2654435761u ^ i << 13; }
#define WB_VIDEO(name) asm(name " %0, %1, %2, %3;" : "=r"(made[kind++][threadIdx.x]) : "r"(a), "r"(b), "r"(0))
__global__ void all_video() {
  const unsigned a = word(threadIdx.x), b = word(threadIdx.x + 100);
  int kind = 0;
  WB_VIDEO("vadd4.u32.u32.u32");
  WB_VIDEO("vsub4.u32.u32.u32");
  WB_VIDEO("vavrg4.u32.u32.u32");
  WB_VIDEO("vabsdiff4.u32.u32.u32");
  WB_VIDEO("vmin4.u32.u32.u32");
  WB_VIDEO("vmax4.u32.u32.u32");
  WB_VIDEO("vset4.u32.u32.lt");
  WB_VIDEO("vadd2.u32.u32.u32");
  WB_VIDEO("vsub2.u32.u32.u32");
  WB_VIDEO("vavrg2.u32.u32.u32");
  WB_VIDEO("vabsdiff2.u32.u32.u32");
  WB_VIDEO("vmin2.u32.u32.u32");
  WB_VIDEO("vmax2.u32.u32.u32");
  WB_VIDEO("vset2.u32.u32.lt");
}
void check_video() {
  all_video<<<1, 100>>>();
  cudaDeviceSynchronize();
  for (int i = 0; i < 1400; ++i) {
    const int kind = i / 100, bits = kind < 7 ? 8 : 16;
    const unsigned a = word(i % 100), b = word(i % 100 + 100), mask = (1u << bits) - 1;
    unsigned expected = 0;
    for (int at = 0; at < 32; at += bits) {
      const unsigned x = a >> at & mask, y = b >> at & mask, small = x < y ? x : y, large = x < y ? y : x;
      const unsigned all[] = {x + y, x - y, (x + y + 1) / 2, large - small, small, large, x < y};
      expected |= (all[kind % 7] & mask) << at;
    }
    found[0] += made[kind][i % 100] == expected;
  }
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

void read_between_texels() {
  const auto format = cudaCreateChannelDesc<float>();
  const float texels[] = {0, 256};
  cudaResourceDesc line{.resType = cudaResourceTypeArray};
  cudaMallocArray(&line.res.array.array, &format, 2);
  cudaMemcpy2DToArray(line.res.array.array, 0, 0, texels, 8, 8, 1, cudaMemcpyHostToDevice);
  const cudaTextureDesc how{.addressMode = {cudaAddressModeClamp}, .filterMode = cudaFilterModeLinear};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &line, &how, nullptr);
  read_between<<<1, 1>>>(texture);
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
  if (is("trap")) return leave_surface<<<1, 1>>>(make_surface()), print("L12", 1), 0;
  if (is("assert")) return testAssert<<<1, 1>>>(), print("L39", 1), 0;
  if (is("lost")) return late<<<1, 1>>>(), 0;
  if (is("waits")) return late<<<1, 1>>>(), static_cast<int>(cudaDeviceSynchronize());
  if (is("divergent")) return diverge<<<1, 64>>>(), print("L10", 1), 0;
  if (is("of_a_block")) return add_by_block<<<2, 1>>>(), print("L15", 1), 0;
  if (is("lock_without_fence")) return count_under_lock<<<2, 64>>>(false), print("L28", 1), 0;
  if (is("overflow")) return use_of_block<<<1, 128>>>(1), print("L44", 1), 0;
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  tell_architecture<<<1, 1>>>(10 * major + minor, architecture()), print("L01", 3);
  lay_out<<<1, 1, 1536>>>(), print("L02", 4);
  multiply(false, false), print("L03", 6);
  multiply(true, false), print("L03", 6);
  multiply(false, true), print("L03", 6);
  kSizes<<<1, 1>>>(false), print("L04", 16);
  kSizes<<<1, 1>>>(true), print("L04", 16);
  for (int i = 0; i < 100; ++i) begin<<<1, 1>>>(), litmus<<<2, 1>>>();
  print("L06", 1);
  barriers<<<1, 256>>>(), print("L08", 3);
  read_images(), print("L11", 6);
  read_between_texels(), print("L11", 2);
  const cudaSurfaceObject_t surface = make_surface();
  write_surface<<<1, 1>>>(surface), read_surface<<<1, 1>>>(surface), print("L12", 4);
  load_and_store<<<1, 1>>>(hinted), print("L13", 4);
  clocks<<<1, 1>>>(), print("L14", 1);
  add_together(), print("L15", 1);
  atomics<<<1, 1>>>(), print("L17", 25);
  exchange<<<10, 100>>>(), check_exchanged<<<1, 1>>>(), print("L17", 1);
  add_halves<<<30, 100>>>(), read_halves<<<1, 1>>>(), print("L17", 1);
  typed_atomics<<<1, 1>>>(), print("L17", 21);
  tell_spaces<<<1, 1>>>(), print("L18", 19);
  take_stack<<<1, 1>>>(100), print("L19", 2);
  hints<<<1, 1>>>(1), print("L20", 2);
  count_under_lock<<<2, 64>>>(true), print("L28", 1);
  hello<<<1, 5>>>(1.2345f), hello_once<<<1, 5>>>(), cudaDeviceSynchronize();
  print_all<<<1, 1>>>(nullptr), print("L41", 4);
  allocate<<<1, 5>>>(), check_pieces<<<1, 1>>>(), print("L43", 3);
  use_of_block<<<20, 128>>>(sizeof(int)), print("L44", 1);
  keep<<<20, 10>>>();
  for (int i = 0; i < 3; ++i) use<<<20, 10>>>();
  give_back<<<20, 10>>>(), print("L45", 1);
  fill_heap<<<1, 1>>>(), print("L46", 2);
  refuse(), print("L47", 7);
  unroll<<<1, 1>>>(), print("L49", 12);
  video<<<1, 1>>>(), print("L50", 2);
  check_video(), print("L50", 1);
  return 0;
}
