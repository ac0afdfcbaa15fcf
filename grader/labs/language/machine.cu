// What the machine itself answers to predictions of this chapter's exercises: require_machine_agrees() asks it.
//
// A question has the name of the exercise and of its function, and that function's parameters. It writes its answer to
// answers[turn], which is 0 before. Nothing is copied to the host. Questions that end their kernel or the program are
// asked by machine_fails() and machine_prints().
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "common/cuda/check.cuh"
#include "grader/runner/functions.h"

#define WB_MACHINE(exercise, function) \
  static const ::warpbook::grader::Registered function##_of_machine("", "machine." #exercise "." #function, &function);

namespace {

namespace address_spaces {

__device__ int of_device = 5;
__constant__ int of_constant = 5;
__managed__ int of_managed = 5;

__device__ int space_of(const void* p) { return __isConstant(p) ? 3 : __isShared(p) ? 2 : __isLocal(p) ? 4 : 1; }

__global__ void tell_space(const int* parameter, int pointer, int* answer) {
  static int of_kernel = 5;
  __shared__ int of_block;
  int of_thread = 5;
  void* const allocated = malloc(4);
  const void* const pointers[] = {parameter,  &of_device, &of_block, &of_constant, &of_managed,
                                  &of_thread, &of_kernel, allocated, "a text"};
  *answer = space_of(pointers[pointer - 1]);
  free(allocated);
}
__global__ void count_up(int question, int* answer) {
  static int of_kernel = 5;
  int of_thread = 5;
  int* const counted[] = {&of_device, &of_managed, &of_thread, &of_kernel};
  *answer = ++*counted[question - 10];
}
__global__ void tell_distance(int* answer) {
  extern __shared__ short shorts[];
  extern __shared__ double doubles[];
  *answer = static_cast<int>(reinterpret_cast<char*>(doubles) - reinterpret_cast<char*>(shorts));
}
void predict(int question, int turn, int* answers) {
  if (question < 10) return tell_space<<<1, 1>>>(nullptr, question, answers + turn);
  if (question == 14) return tell_distance<<<1, 1, 64>>>(answers + turn);
  count_up<<<1, 1>>>(question, answers + turn);
  WB_CHECK(cudaDeviceSynchronize());
  if (question == 11) of_managed *= 2;
  count_up<<<1, 1>>>(question, answers + turn);
}
WB_MACHINE(address_spaces, predict)

}  // namespace address_spaces

namespace device_heap {

__device__ int* place;

__global__ void take() {
  place = static_cast<int*>(malloc(sizeof(int)));
  *place = 7;
}
__global__ void look(int* answer) { *answer = *place != 7; }
__global__ void give(int* answer) {
  free(place);
  *answer = 1;
}
__global__ void ask_for_too_much(int* answer) { *answer = malloc(std::size_t{1} << 40) == nullptr; }
__global__ void tell(bool value, int* answer) { *answer = value; }

void holds(int statement, int turn, int* answers) {
  int *of_heap = nullptr, copied = 0, *const answer = answers + turn;
  take<<<1, 1>>>();
  WB_CHECK(cudaMemcpyFromSymbol(&of_heap, place, sizeof of_heap));
  if (statement == 1) look<<<1, 1>>>(answer);
  if (statement == 2) return give<<<1, 1>>>(answer);
  if (statement == 3) tell<<<1, 1>>>(cudaFree(of_heap) == cudaSuccess, answer);
  if (statement == 4) {
    tell<<<1, 1>>>(cudaMemcpy(&copied, of_heap, sizeof copied, cudaMemcpyDeviceToHost) == cudaSuccess, answer);
  }
  if (statement == 5) ask_for_too_much<<<1, 1>>>(answer);
  if (statement == 6) tell<<<1, 1>>>(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26) == cudaSuccess, answer);
  static_cast<void>(cudaGetLastError());
}
WB_MACHINE(device_heap, holds)

}  // namespace device_heap

namespace full_heap {

int heap_bytes() {
  std::size_t bytes = 0;
  WB_CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  return static_cast<int>(bytes);
}
WB_MACHINE(full_heap, heap_bytes)

}  // namespace full_heap

namespace texture_objects {

__global__ void fill(float* texels, int size) {
  for (int i = 0; i < size; ++i) texels[i] = i + 1;
}
// Border and what linear memory lacks read as 0.
__global__ void read(cudaTextureObject_t texture, float x, int* answer) { *answer = tex1D<float>(texture, x) - 1; }
__global__ void fetch(cudaTextureObject_t texture, int i, int* answer) { *answer = tex1Dfetch<float>(texture, i) - 1; }

void texel_of(int texel, int size, int mode, int normalised, int turn, int* answers) {
  const auto format = cudaCreateChannelDesc<float>();
  float* linear = nullptr;
  cudaArray_t array = nullptr;
  WB_CHECK(cudaMalloc(&linear, size * sizeof(float)));
  WB_CHECK(cudaMallocArray(&array, &format, size));
  fill<<<1, 1>>>(linear, size);
  WB_CHECK(cudaMemcpy2DToArray(array, 0, 0, linear, size * sizeof(float), size * sizeof(float), 1,
                               cudaMemcpyDeviceToDevice));
  cudaResourceDesc resource{.resType = cudaResourceTypeArray, .res = {.array = {array}}};
  if (mode == 4)
    resource = {.resType = cudaResourceTypeLinear, .res = {.linear = {linear, format, size * sizeof(float)}}};
  cudaTextureDesc how{.addressMode = {static_cast<cudaTextureAddressMode>(mode % 4)}, .normalizedCoords = normalised};
  if (mode == 4) how.normalizedCoords = 0;
  cudaTextureObject_t texture = 0;
  WB_CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  if (mode == 4)
    fetch<<<1, 1>>>(texture, texel, answers + turn);
  else
    read<<<1, 1>>>(texture, normalised == 0 ? texel + 0.5f : (texel + 0.5f) / size, answers + turn);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDestroyTextureObject(texture));
  WB_CHECK(cudaFreeArray(array));
  WB_CHECK(cudaFree(linear));
}
WB_MACHINE(texture_objects, texel_of)

__global__ void gather(cudaTextureObject_t texture, int component, int* answer) {
  const float4 found = tex2Dgather<float4>(texture, 1, 1);
  const float all[] = {found.x, found.y, found.z, found.w};
  *answer = all[component] - 1;
}
void gathered(int component, int turn, int* answers) {
  const auto format = cudaCreateChannelDesc<float>();
  float* linear = nullptr;
  cudaArray_t array = nullptr;
  WB_CHECK(cudaMalloc(&linear, 4 * sizeof(float)));
  WB_CHECK(cudaMallocArray(&array, &format, 2, 2, cudaArrayTextureGather));
  fill<<<1, 1>>>(linear, 4);
  WB_CHECK(cudaMemcpy2DToArray(array, 0, 0, linear, 2 * sizeof(float), 2 * sizeof(float), 2, cudaMemcpyDeviceToDevice));
  const cudaResourceDesc resource{.resType = cudaResourceTypeArray, .res = {.array = {array}}};
  const cudaTextureDesc how{.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp}};
  cudaTextureObject_t texture = 0;
  WB_CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  gather<<<1, 1>>>(texture, component, answers + turn);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDestroyTextureObject(texture));
  WB_CHECK(cudaFreeArray(array));
  WB_CHECK(cudaFree(linear));
}
WB_MACHINE(texture_objects, gathered)

}  // namespace texture_objects

namespace restrict_and_hints {

#define WB_PRODUCTS          \
  c[0] = a[0] * b[0];        \
  c[1] = a[0] * b[0];        \
  c[2] = a[0] * b[0] * a[1]; \
  c[3] = a[0] * a[1];        \
  c[4] = a[0] * b[0];        \
  c[5] = b[0];

__global__ void promise_nothing(const float*a, const float*b, float*c){WB_PRODUCTS} __global__
    void promise(const float*__restrict__ a, const float*__restrict__ b, float*__restrict__ c){WB_PRODUCTS}

__device__ float of_a[6],
    of_b;

__global__ void begin() { of_a[0] = 2, of_a[1] = 3, of_b = 5; }
__global__ void end(int element, int* answer) { *answer = of_a[element]; }

void predict(int n, int turn, int* answers) {
  void *a = nullptr, *b = nullptr;
  WB_CHECK(cudaGetSymbolAddress(&a, of_a));
  WB_CHECK(cudaGetSymbolAddress(&b, of_b));
  float *const both = static_cast<float*>(a), *const factor = static_cast<float*>(b);
  begin<<<1, 1>>>();
  (n < 29 ? promise_nothing : promise)<<<1, 1>>>(both, factor, both);
  end<<<1, 1>>>(n < 29 ? n - 23 : 1, answers + turn);
}
WB_MACHINE(restrict_and_hints, predict)

}  // namespace restrict_and_hints

namespace vector_types {

template <class... Types>
__global__ void tell(bool size, int type, int* answer) {
  constexpr int sizes[] = {sizeof(Types)...}, alignments[] = {alignof(Types)...};
  *answer = size ? sizes[type] : alignments[type];
}
void ask(bool size, int bytes, int numbers, int* answer) {
  const int type = numbers - 1 + (bytes == 1 ? 0 : bytes == 2 ? 4 : bytes == 4 ? 8 : 12);
  tell<char1, uchar2, char3, uchar4, short1, ushort2, short3, ushort4, int1, float2, uint3, float4, double1, longlong2,
       double3, double4_16a><<<1, 1>>>(size, type, answer);
}
void size_of(int bytes, int numbers, int turn, int* answers) { ask(true, bytes, numbers, answers + turn); }
void alignment_of(int bytes, int numbers, int turn, int* answers) { ask(false, bytes, numbers, answers + turn); }
WB_MACHINE(vector_types, size_of)
WB_MACHINE(vector_types, alignment_of)

}  // namespace vector_types

namespace atomics_by_cas {

__device__ unsigned returned;

__global__ void change(int kind, int count, unsigned n, unsigned* x) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  if (kind == 0) atomicInc(x, n);
  if (kind == 1) atomicDec(x, n);
  if (kind == 2) atomicCAS(x, 0u, n);
  if (kind == 3) atomicXor(x, n);
  if (kind == 4) atomicExch(x, n);
  if (kind == 5) atomicMax(x, n);
  if (kind == 6) atomicAnd(x, n);
  if (kind == 7) atomicAdd(reinterpret_cast<__half*>(x), __half(1));
  if (kind == 8) atomicAdd(&returned, atomicExch(x, t + 1));
}
__global__ void convert(unsigned* x) { *x = static_cast<unsigned>(__half2float(*reinterpret_cast<__half*>(x))); }
__global__ void add_returned(unsigned* x) { *x += atomicExch(&returned, 0); }
void predict(int kind, int count, int n, int turn, int* answers) {
  auto* const x = reinterpret_cast<unsigned*>(answers + turn);
  change<<<(count + 255) / 256, 256>>>(kind, count, n, x);
  if (kind == 7) convert<<<1, 1>>>(x);
  if (kind == 8) add_returned<<<1, 1>>>(x);
}
WB_MACHINE(atomics_by_cas, predict)

}  // namespace atomics_by_cas

namespace fences {

__device__ volatile int x, y, step;

__global__ void begin() { x = 1, y = 2, step = 0; }
/// Two accesses by each of two blocks, in turn: the first block makes those of the four whose bits are in `of_first`.
__global__ void interleave(int of_first, int a, int b, int* answer) {
  const int first = blockIdx.x == 0;
  int seen[2] = {}, count = 0;
  for (int turn = 0; turn < 4; ++turn) {
    if ((of_first >> turn & 1) != first) continue;
    while (step != turn) continue;
    __threadfence();
    if (first)
      count == 0 ? x = 10 : y = 20;
    else
      seen[count] = count == 0 ? y : x;
    ++count;
    __threadfence();
    step = turn + 1;
  }
  if (first == 0 && seen[0] == b && seen[1] == a) *answer = 1;
}
/// Only for both fences: without one this cannot tell, because the virtual GPU makes accesses in their order anyhow.
void possible(int /* fences */, int a, int b, int turn, int* answers) {
  for (const int of_first : {3, 5, 6, 9, 10, 12}) {
    begin<<<1, 1>>>();
    interleave<<<2, 1>>>(of_first, a, b, answers + turn);
  }
}
WB_MACHINE(fences, possible)

}  // namespace fences

namespace async_copies {

__device__ int one = 1;

__global__ void copy(int batches, int n, int* answer) {
  __shared__ volatile int copied[8];
  for (int i = 0; i < 8; ++i) copied[i] = 0;
  for (int i = 0; i < batches; ++i) {
    __pipeline_memcpy_async(const_cast<int*>(&copied[i]), &one, sizeof one);
    __pipeline_commit();
  }
  __pipeline_wait_prior(n);
  for (int i = 0; i < 8; ++i) *answer += copied[i];
  __pipeline_wait_prior(0);
}
void arrived(int batches, int n, int turn, int* answers) { copy<<<1, 1>>>(batches, n, answers + turn); }
WB_MACHINE(async_copies, arrived)

}  // namespace async_copies

namespace barriers {

__global__ void meet(int kind, int n, int r, int* answer) {
  const int p = static_cast<int>(threadIdx.x) % n == r;
  const int found = kind == 0 ? __syncthreads_count(p) : kind == 1 ? __syncthreads_and(p) : __syncthreads_or(p);
  if (threadIdx.x == 0) *answer = kind == 0 ? found : found != 0;
}
void predict(int kind, int threads, int n, int r, int turn, int* answers) {
  meet<<<1, threads>>>(kind, n, r, answers + turn);
}
WB_MACHINE(barriers, predict)

}  // namespace barriers

namespace shuffles {

__global__ void shuffle(int kind, int lane, int n, int width, int* answer) {
  const int value = threadIdx.x;
  const int found = kind == 0   ? __shfl_sync(~0u, value, n, width)
                    : kind == 1 ? __shfl_up_sync(~0u, value, n, width)
                    : kind == 2 ? __shfl_down_sync(~0u, value, n, width)
                                : __shfl_xor_sync(~0u, value, n, width);
  if (value == lane) *answer = found;
}
void source_lane(int kind, int lane, int n, int width, int turn, int* answers) {
  shuffle<<<1, 32>>>(kind, lane, n, width, answers + turn);
}
WB_MACHINE(shuffles, source_lane)

}  // namespace shuffles

namespace votes_and_matches {

__global__ void vote(int kind, int lane, int n, int members, int* answer) {
  const int own = threadIdx.x;
  if ((members >> own & 1) == 0) return;
  int equal = 0;
  unsigned found = 0;
  if (kind == 0) found = __ballot_sync(members, own % n == 0);
  if (kind == 1) found = __match_any_sync(members, own % n);
  if (kind == 2) found = __match_all_sync(members, own % n, &equal);
  if (kind == 3) found = __reduce_add_sync(members, own);
  if (kind == 4) found = __reduce_min_sync(members, own);
  if (kind == 5) found = __reduce_max_sync(members, own);
  if (kind == 6) found = __reduce_and_sync(members, static_cast<unsigned>(own));
  if (kind == 7) found = __reduce_or_sync(members, static_cast<unsigned>(own));
  if (kind == 8) found = __reduce_xor_sync(members, static_cast<unsigned>(own));
  if (own == lane) *answer = static_cast<int>(found);
}
void predict(int kind, int lane, int n, int members, int turn, int* answers) {
  vote<<<1, 32>>>(kind, lane, n, members, answers + turn);
}
WB_MACHINE(votes_and_matches, predict)

}  // namespace votes_and_matches

namespace tensor_cores {

using nvcuda::wmma::accumulator, nvcuda::wmma::fragment;

__global__ void count(int m, int n, int* answer) {
  *answer = m == 32   ? fragment<accumulator, 32, 8, 16, int>::num_elements
            : n == 32 ? fragment<accumulator, 8, 32, 16, int>::num_elements
            : m == 16 ? fragment<accumulator, 16, 16, 16, int>::num_elements
                      : fragment<accumulator, 8, 8, 4, double>::num_elements;
}
void elements(int m, int n, int turn, int* answers) { count<<<1, 1>>>(m, n, answers + turn); }
WB_MACHINE(tensor_cores, elements)

}  // namespace tensor_cores

namespace async_barriers {

__global__ void arrive(int expected, int n, int* answer) {
  __shared__ __mbarrier_t barrier;
  __mbarrier_init(&barrier, expected);
  __mbarrier_token_t token{};
  for (int i = 0; i < n; ++i) token = __mbarrier_arrive(&barrier);
  *answer = static_cast<int>(__mbarrier_token_pending_count(token));
}
__global__ void tell_most(int* answer) { *answer = static_cast<int>(__mbarrier_maximum_count()); }

void pending(int expected, int n, int turn, int* answers) {
  if (n == 0) return tell_most<<<1, 1>>>(answers + turn);
  arrive<<<1, 1>>>(expected, n, answers + turn);
}
WB_MACHINE(async_barriers, pending)

}  // namespace async_barriers

namespace video_instructions {

#define WB_VIDEO(name) asm(name " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c))
__global__ void work(int kind, int a, int b, int c, int* answer) {
  int d = 0;
  if (kind == 0) WB_VIDEO("vabsdiff4.u32.u32.u32.add");
  if (kind == 1) WB_VIDEO("vadd4.u32.u32.u32");
  if (kind == 2) WB_VIDEO("vmax4.u32.u32.u32");
  if (kind == 3) WB_VIDEO("vset4.u32.u32.lt.add");
  *answer = d;
}
void predict(int kind, int a, int b, int c, int turn, int* answers) {
  work<<<1, 1>>>(kind, a, b, kind % 3 == 0 ? c : 0, answers + turn);
}
WB_MACHINE(video_instructions, predict)

}  // namespace video_instructions

namespace dynamic_shared_layout {

/// Where an array of T begins that follows what ends at `end`. If no T may be there, its first store ends the kernel.
template <class T>
__device__ int place(char* memory, int end, int count) {
  while (reinterpret_cast<std::size_t>(memory + end) % alignof(T) != 0) ++end;
  auto* const array = reinterpret_cast<volatile T*>(memory + end);
  array[0] = 1;
  array[count - 1] = 1;
  return end;
}
__global__ void lay_out(int array, int shorts, int floats, int ints, int* answer) {
  extern __shared__ char memory[];
  const int at_floats = place<float>(memory, place<short>(memory, 0, shorts) + sizeof(short) * shorts, floats);
  const int at_ints = place<int>(memory, at_floats + sizeof(float) * floats, ints);
  const int places[] = {0, at_floats, at_ints, at_ints + static_cast<int>(sizeof(int)) * ints};
  *answer = places[array];
}
void offset_of(int array, int shorts, int floats, int ints, int turn, int* answers) {
  WB_CHECK(cudaFuncSetAttribute(lay_out, cudaFuncAttributeMaxDynamicSharedMemorySize, 80'000));
  lay_out<<<1, 1, 80'000>>>(array, shorts, floats, ints, answers + turn);
}
WB_MACHINE(dynamic_shared_layout, offset_of)

}  // namespace dynamic_shared_layout

namespace stack_memory {

/// An address that the compiler knows nothing about.
__device__ std::size_t unknown(void* p) {
  auto address = reinterpret_cast<std::size_t>(p);
  asm volatile("mov.u64 %0, %0;" : "+l"(address));
  return address;
}
__noinline__ __device__ volatile int* take(int value) {
  auto* const taken = static_cast<volatile int*>(alloca(16));
  *taken = value;
  return taken;
}
__noinline__ __device__ void put(volatile int* place, int value) { *place = value; }

__global__ void ask(int question, int times, int bytes, int* answer) {
  void *const first = alloca(12), *const second = alloca(12);
  auto* const own = static_cast<volatile int*>(first);
  int found = 0;
  if (question < 3) found = unknown(question == 1 ? first : second) % 16;
  if (question == 3) {
    std::size_t begin = 0, end = 0;
#pragma unroll 1
    for (int i = 0; i < times; ++i) {
      end = unknown(alloca(bytes));  // Memory of constant size would be the same in every iteration.
      if (i == 0) begin = end;
    }
    found = static_cast<int>(begin < end ? end - begin : begin - end) + bytes;
  }
  if (question == 4) {
    volatile int* const taken = take(7);
    take(8);
    found = *taken == 7;
  }
  if (question == 5) {
    put(own, 7);
    found = *own == 7;
  }
  if (question == 6) {
    auto* const of_0 = reinterpret_cast<volatile int*>(__shfl_sync(~0u, unknown(first), 0));
    *own = 7;
    __syncwarp();
    if (threadIdx.x == 1) *of_0 = 8;
    __syncwarp();
    found = *own == 8;
  }
  if (threadIdx.x == 0) *answer = found;
}
void predict(int question, int turn, int* answers) { ask<<<1, 32>>>(question, 10, 16, answers + turn); }
WB_MACHINE(stack_memory, predict)

/// How large stacks are, after they have been set to @p bytes, unless these are 0.
int limit(int bytes) {
  std::size_t found = 0;
  if (bytes > 0) WB_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, bytes));
  WB_CHECK(cudaDeviceGetLimit(&found, cudaLimitStackSize));
  return static_cast<int>(found);
}
WB_MACHINE(stack_memory, limit)

}  // namespace stack_memory

namespace surfaces {

__global__ void fill(cudaSurfaceObject_t surface, int size) {
  for (int i = 0; i < size; ++i) surf1Dwrite(i + 100, surface, 4 * i);
}
__global__ void read(cudaSurfaceObject_t surface, int x, int mode, int* answer) {
  if (mode == cudaBoundaryModeZero) *answer = surf1Dread<int>(surface, x, cudaBoundaryModeZero);
  if (mode == cudaBoundaryModeClamp) *answer = surf1Dread<int>(surface, x, cudaBoundaryModeClamp);
  if (mode == cudaBoundaryModeTrap) *answer = surf1Dread<int>(surface, x, cudaBoundaryModeTrap);
}
void predict(int x, int size, int mode, int turn, int* answers) {
  const auto format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  WB_CHECK(cudaMallocArray(&array, &format, size, 0, cudaArraySurfaceLoadStore));
  const cudaResourceDesc resource{.resType = cudaResourceTypeArray, .res = {.array = {array}}};
  cudaSurfaceObject_t surface = 0;
  WB_CHECK(cudaCreateSurfaceObject(&surface, &resource));
  fill<<<1, 1>>>(surface, size);
  read<<<1, 1>>>(surface, x, mode, answers + turn);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDestroySurfaceObject(surface));
  WB_CHECK(cudaFreeArray(array));
}
WB_MACHINE(surfaces, predict)

}  // namespace surfaces

namespace assertions_and_printf {

template <int... arguments>
__device__ int print_all(const char* format, std::integer_sequence<int, arguments...>) {
  return printf(format, arguments...);
}
/// With n arguments, one of `counts`.
template <int... counts>
__device__ int print_some(const char* format, int n, std::integer_sequence<int, counts...>) {
  int found = 0;
  ((n == counts ? void(found = print_all(format, std::make_integer_sequence<int, counts>())) : void()), ...);
  return found;
}
__global__ void print(int n, int* answer) {
  const char* const for_40 =
      "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
      "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d ";
  *answer = n < 0 ? print_all(nullptr, std::integer_sequence<int>())
                  : print_some(for_40 + 3 * (40 - n), n, std::make_integer_sequence<int, 41>());
}
__global__ void assert_it() { assert(threadIdx.x % 4 != 1); }
#define NDEBUG
#include <cassert>
__global__ void assert_nothing() { assert(threadIdx.x % 4 != 1); }
#undef NDEBUG
#include <cassert>
__global__ void print_lines(int n) { printf("line %d\n", n); }

void answer(int question, int n, int turn, int* answers) {
  if (question == 1) return print<<<1, 1>>>(n, answers + turn);
  if (question == 3) return assert_nothing<<<3, n>>>();
  if (question < 5) {
    assert_it<<<3, question == 2 ? n : 32>>>();
    for (int i = 1; i < n; ++i) static_cast<void>(cudaDeviceSynchronize());
    WB_CHECK(cudaDeviceSynchronize());
    return;
  }
  int copied = 0;
  print_lines<<<1, 32>>>(n);
  if (n == 2) static_cast<void>(cudaGetLastError());
  if (n == 3) static_cast<void>(cudaDeviceSynchronize());
  if (n == 4) static_cast<void>(cudaMemcpy(&copied, answers, sizeof copied, cudaMemcpyDeviceToHost));
  std::exit(0);
}
WB_MACHINE(assertions_and_printf, answer)

}  // namespace assertions_and_printf

}  // namespace
