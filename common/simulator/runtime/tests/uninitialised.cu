// Pairs of kernels: with `true` the kernel uses an uninitialised value, with `false` it does almost the same without
// using it. The test reads the report for each; the lines in question are marked.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;

/// Device memory for @p count values, the first @p filled of them 1.
template <class T>
T* partly_filled(int count, int filled) {
  T* data = nullptr;
  cudaMalloc(&data, count * sizeof(T));
  T* host = new T[count];
  for (int i = 0; i < count; ++i) host[i] = T(1);
  cudaMemcpy(data, host, filled * sizeof(T), cudaMemcpyHostToDevice);
  delete[] host;
  return data;
}

__global__ void branches(const int* in, int* out) {
  if (in[threadIdx.x] > 0)  // use: branch, read: branch
    atomicAdd(out, 1);
}

template <bool Faulty>
__global__ void shared_partly(int* out) {
  __shared__ int values[kThreads];
  const int t = threadIdx.x;
  if (!Faulty || t != 5) values[t] = t;
  __syncthreads();
  if (values[kThreads - 1 - t] > 3)  // use: shared, read: shared
    atomicAdd(out, 1);
}

template <bool Faulty>
__global__ void local_array(int* out, int first) {
  int values[8];
  for (int i = Faulty ? first : 0; i < 8; ++i) values[(i * 3) % 8] = i;
  int sum = 0;
  for (int i = 0; i < 8; i += first) sum += values[(i + first) & 7];
  out[threadIdx.x] = sum;  // use: local
}

__device__ void sum_of_warp(int value, int* out) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = value;  // use: register
}

__global__ void sums_of_some(const int* in, int* out, int count) {
  int value;
  if (threadIdx.x < count) value = in[threadIdx.x];
  sum_of_warp(value, out);
}

__global__ void sums_of_all(const int* in, int* out, int count) {
  int value = 0;
  if (threadIdx.x < count) value = in[threadIdx.x];
  sum_of_warp(value, out);
}

__global__ void addresses(const int* in, int* out) {
  out[in[threadIdx.x] & 31] = 1;  // use: address
}

__global__ void outputs(const float* in, float* out) {
  const int t = threadIdx.x;
  out[t] = sqrtf(in[t] * 2.0f + 1.0f);  // use: output
}

struct Padded {
  char small;
  double large;
};
__global__ void make(Padded* to) {
  to[threadIdx.x].small = 1;
  to[threadIdx.x].large = 2;
}
__global__ void copy_padded(Padded* to, const Padded* from) { to[threadIdx.x] = from[threadIdx.x]; }
struct alignas(16) Aligned {
  float x, y, z;
};
__global__ void make(Aligned* to, bool all) {
  to[threadIdx.x].x = 1;
  to[threadIdx.x].y = 2;
  if (all) to[threadIdx.x].z = 3;
}
__global__ void copy_aligned(Aligned* to, const Aligned* from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void sum_aligned(float* to, const Aligned* from) {
  const Aligned a = from[threadIdx.x];
  to[threadIdx.x] = a.x + a.y + a.z;  // use: member
}

__global__ void through_shared(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];  // read: through shared
  __syncthreads();
  out[t] = tile[kThreads - 1 - t];  // use: through shared
}

__global__ void lanes_off(const int* in, int* out, int count) {
  int value = 0;
  if (threadIdx.x < count) value = in[threadIdx.x];
  out[threadIdx.x] = value;  // use: lanes
}

__global__ void fill(int* to, int count) {
  if (threadIdx.x < count) to[threadIdx.x] = threadIdx.x;
}
__global__ void add_one(int* data) {
  data[threadIdx.x] += 1;  // use: second kernel
}

template <bool Faulty>
__global__ void heap(int* out) {
  int* const mine = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < (Faulty ? 7 : 8); ++i) mine[i] = i;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += mine[i];
  out[threadIdx.x] = sum;  // use: heap
  free(mine);
}

__global__ void count(const int* in, int* counter) {
  if (in[threadIdx.x] == 1) atomicAdd(counter, 1);  // use: counter
}
template <bool Faulty>
__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[4];
  if (!Faulty && threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] & 3], 1);  // use: bins
  __syncthreads();
  if (threadIdx.x == 1) *out = bins[1];
}
__global__ void atomic_operand(const int* in, int* out) {
  atomicMax(out, in[threadIdx.x]);  // use: operand
}
__global__ void exchanged(int* place, int* out, bool uses) {
  const int before = atomicExch(place + threadIdx.x, 1);
  if (uses && before == 7) *out = 1;  // use: exchanged
}

__global__ void doubles(const double* in, double* out, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += in[i];
  if (sum > 3.0) *out = sum;  // use: double
}

template <bool Faulty>
__global__ void halves_of_wide(const unsigned* in, unsigned* out) {
  const unsigned long long both = reinterpret_cast<const unsigned long long*>(in)[threadIdx.x];
  const unsigned long long turned = both << 32 | both >> 32;
  out[threadIdx.x] = static_cast<unsigned>(Faulty ? turned & 0xffffffffu : turned >> 32);  // use: wide
}

template <bool Faulty>
__global__ void vectors(const float4* in, float* out) {
  const float4 v = in[threadIdx.x];
  out[threadIdx.x] = Faulty ? v.x + v.w : v.x + v.y + v.z;  // use: vector
}

__global__ void predicates(const int* in, int* out, int limit) {
  const int t = threadIdx.x;
  const bool both = (in[t] > 0) & (t < limit);
  if (both) atomicAdd(out, 1);  // use: predicate
}

template <bool Faulty>
__global__ void shuffles(const int* in, int* out) {
  int value = in[threadIdx.x];
  value = __shfl_sync(~0u, value, Faulty ? 31 - threadIdx.x % 32 : threadIdx.x & 7);
  out[threadIdx.x] = value;  // use: shuffle
}
__global__ void ballots(const int* in, unsigned* out, unsigned mask) {
  const unsigned yes = __ballot_sync(~0u, in[threadIdx.x] > 0);
  if ((yes & mask) != 0) atomicAdd(out, 1);  // use: ballot
}

struct Pair {
  int first, second;
};
__device__ __noinline__ Pair make_pair(const int* in, int i) { return {in[i], i}; }
__device__ __noinline__ int choose(Pair pair, bool first) { return first ? pair.first : pair.second; }
__global__ void calls(const int* in, int* out, bool first) {
  out[threadIdx.x] = choose(make_pair(in, threadIdx.x), first);  // use: call
}

template <bool Faulty>
__global__ void asynchronous(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(tile + t, in + t, 4);
  __pipeline_commit();
  if (!Faulty) __pipeline_wait_prior(0);
  out[t] = tile[t];  // use: asynchronous
}

__global__ void indexed(const int* in, int* out) {
  switch (in[threadIdx.x]) {  // use: switch
    case 1:
      out[0] = 10;
      break;
    case 2:
      atomicAdd(out + 1, 2);
      break;
    case 3:
      out[2] = clock();
      break;
    case 4:
      atomicMax(out + 3, 7);
      break;
    case 5:
      __threadfence();
      break;
    case 6:
      out[5] = 9;
      break;
    case 7:
      atomicSub(out + 6, 7);
      break;
    default:
      out[7] = 3;
  }
}

__global__ void votes(const int* in, int* out) {
  out[threadIdx.x] = __syncthreads_count(in[threadIdx.x] > 0);  // use: barrier
}

// Only the first and the third byte of each word are written.
template <bool Faulty>
__global__ void bytes_of_words(const unsigned* in, unsigned* out) {
  const unsigned word = in[threadIdx.x];
  unsigned found = __byte_perm(word, 7, 0x4424);  // Byte 2 of the word, and zeros around it.
  found += (word >> 16 & 0xff) + (word & 0xff00ff);
  if (Faulty) found = __byte_perm(word, word, 0x1313);
  if (__funnelshift_r(found, 0, 8) != 0) atomicAdd(out, 1);  // use: bytes
}

// Their low halves differ, or are unknown.
template <bool Faulty>
__global__ void compares(const unsigned long long* in, int* out) {
  const unsigned long long other = Faulty ? 0x0707070707070707 : 0x0101010101010101;
  if (in[threadIdx.x] == other) atomicAdd(out, 1);  // use: comparison
}

// The low word is written; the sum's carry comes from the low words.
template <bool Faulty>
__global__ void carries(const unsigned* in, unsigned* out) {
  unsigned low = 0, high = 0;
  asm volatile("add.cc.u32 %0, %2, %2; addc.u32 %1, 0, 0;"
               : "=r"(low), "=r"(high)
               : "r"(in[2 * threadIdx.x + (Faulty ? 1 : 0)]));
  out[threadIdx.x] = high;  // use: carry
}

using Function = int (*)(int);
__device__ __noinline__ int doubled(int x) { return 2 * x; }
__device__ __noinline__ int seven(int) { return 7; }
__device__ Function functions[] = {doubled, seven};
template <bool Faulty>
__global__ void pointers(const int* in, int* out, int which) {
  out[threadIdx.x] = functions[Faulty ? 0 : which](in[threadIdx.x]);  // use: pointer
}

// Threads of a diverged warp, with generic addresses in three memory spaces.
__device__ __noinline__ void add_to(int* place, const int* from) {
  *place = *from + 1;  // use: generic
}
template <bool Faulty>
__global__ void generic(int* out, int* scratch, int odd) {
  __shared__ int both[2];
  int own[2];
  const int t = threadIdx.x;
  int* const place = t % 3 == 0 ? scratch + t : t % 3 == 1 ? both + 1 : own + (t & 1);
  if (t == 0) both[0] = 4;
  __syncthreads();
  if (t % 3 != 1) add_to(place, Faulty && t == 9 ? scratch + 63 : both);
  if (t % 3 != 1 && t > odd) out[t] = *place;
}

__device__ int variable[64];
__constant__ int constants[64];
__global__ void sum_of_all(const int* a, const int* b, int* out) {
  const int t = threadIdx.x;
  out[t] = a[t] + b[t] + variable[t] + constants[t];  // use: host memory
}

__global__ void prints(const int* in) {
  if (threadIdx.x >= 60) printf("%c %d\n", 'a', in[threadIdx.x] > 0 ? 1 : 0);  // use: print
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  const bool faulty = argc > 2 && std::strcmp(argv[2], "faulty") == 0;
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  int* const out = partly_filled<int>(1024, 1024);
  const int filled = faulty ? kThreads - 3 : kThreads;
  int* const in = partly_filled<int>(kThreads, filled);
  float* const floats = partly_filled<float>(kThreads, filled);

  if (is("branch")) branches<<<1, kThreads>>>(in, out);
  if (is("shared")) faulty ? shared_partly<true><<<2, kThreads>>>(out) : shared_partly<false><<<2, kThreads>>>(out);
  if (is("register")) {
    const int* const all = partly_filled<int>(kThreads, kThreads);
    faulty ? sums_of_some<<<1, kThreads>>>(all, out, kThreads - 9)
           : sums_of_all<<<1, kThreads>>>(all, out, kThreads - 9);
  }
  if (is("local")) faulty ? local_array<true><<<1, 32>>>(out, 1) : local_array<false><<<1, 32>>>(out, 1);
  if (is("address")) addresses<<<1, kThreads>>>(in, out);
  if (is("output")) outputs<<<1, kThreads>>>(floats, reinterpret_cast<float*>(out));
  if (is("member")) {
    Padded *a = nullptr, *b = nullptr;
    cudaMalloc(&a, kThreads * sizeof *a);
    cudaMalloc(&b, kThreads * sizeof *b);
    make<<<1, kThreads>>>(a);
    copy_padded<<<1, kThreads>>>(b, a);
    Aligned *c = nullptr, *d = nullptr;
    cudaMalloc(&c, kThreads * sizeof *c);
    cudaMalloc(&d, kThreads * sizeof *d);
    make<<<1, kThreads>>>(c, !faulty);
    copy_aligned<<<1, kThreads>>>(d, c);
    sum_aligned<<<1, kThreads>>>(reinterpret_cast<float*>(out), d);
  }
  if (is("through shared")) through_shared<<<1, kThreads>>>(in, out);
  if (is("lanes")) {
    int* const few = partly_filled<int>(kThreads, 20);
    lanes_off<<<1, kThreads>>>(few, out, faulty ? 21 : 20);
  }
  if (is("second kernel")) {
    int* data = nullptr;
    cudaMalloc(&data, kThreads * sizeof(int));
    fill<<<1, kThreads>>>(data, filled);
    add_one<<<1, kThreads>>>(data);
    add_one<<<1, kThreads>>>(data);
  }
  if (is("heap")) faulty ? heap<true><<<2, 32>>>(out) : heap<false><<<2, 32>>>(out);
  if (is("device to device")) {
    int* copy = nullptr;
    cudaMalloc(&copy, kThreads * sizeof(int));
    cudaMemcpy(copy, in, kThreads * sizeof(int), cudaMemcpyDeviceToDevice);
    add_one<<<1, kThreads>>>(copy);
  }
  if (is("counter")) {
    int* counter = nullptr;
    cudaMalloc(&counter, sizeof(int));
    if (!faulty) cudaMemset(counter, 0, sizeof(int));
    count<<<1, kThreads>>>(out, counter);
  }
  if (is("bins")) faulty ? histogram<true><<<1, kThreads>>>(out, in) : histogram<false><<<1, kThreads>>>(out, in);
  if (is("operand")) atomic_operand<<<1, kThreads>>>(in, out);
  if (is("exchanged")) {
    int* places = nullptr;
    cudaMalloc(&places, kThreads * sizeof(int));
    exchanged<<<1, kThreads>>>(places, out, faulty);
  }
  if (is("double")) {
    double* const data = partly_filled<double>(32, 8);
    doubles<<<1, 1>>>(data, reinterpret_cast<double*>(out), faulty ? 9 : 8);
  }
  if (is("wide")) {
    unsigned* data = nullptr;  // The low halves of 32 numbers.
    cudaMalloc(&data, 64 * sizeof(unsigned));
    cudaMemset2D(data, 8, 7, 4, 32);
    auto* const words = reinterpret_cast<unsigned*>(out);
    faulty ? halves_of_wide<true><<<1, 32>>>(data, words) : halves_of_wide<false><<<1, 32>>>(data, words);
  }
  if (is("vector")) {
    float4* data = nullptr;
    cudaMalloc(&data, 32 * sizeof *data);
    cudaMemset2D(data, 16, 0, 12, 32);
    auto* const values = reinterpret_cast<float*>(out);
    faulty ? vectors<true><<<1, 32>>>(data, values) : vectors<false><<<1, 32>>>(data, values);
  }
  if (is("predicate")) {
    int* const few = partly_filled<int>(kThreads, 20);
    predicates<<<1, kThreads>>>(few, out, faulty ? 21 : 20);
  }
  if (is("shuffle")) {
    int* const few = partly_filled<int>(32, 20);
    faulty ? shuffles<true><<<1, 32>>>(few, out) : shuffles<false><<<1, 32>>>(few, out);
  }
  if (is("ballot")) {
    int* const few = partly_filled<int>(32, 20);
    ballots<<<1, 32>>>(few, reinterpret_cast<unsigned*>(out), faulty ? 1u << 20 : 1u << 19);
  }
  if (is("call")) {
    int* const few = partly_filled<int>(kThreads, 20);
    calls<<<1, kThreads>>>(few, out, faulty);
  }
  if (is("allocated again")) {
    cudaFree(in);
    int* again = nullptr;
    cudaMalloc(&again, kThreads * sizeof(int));
    if (!faulty) cudaMemset(again, 0, kThreads * sizeof(int));
    add_one<<<1, kThreads>>>(again);
  }
  if (is("asynchronous"))
    faulty ? asynchronous<true><<<1, kThreads>>>(out, out + 512) : asynchronous<false><<<1, kThreads>>>(out, out + 512);
  if (is("asynchronous source")) asynchronous<false><<<1, kThreads>>>(in, out);
  if (is("bytes")) {
    unsigned char* data = nullptr;
    cudaMalloc(&data, 4 * 32);
    for (int byte = 0; byte < 4; byte += 2) cudaMemset2D(data + byte, 4, 1, 1, 32);
    auto* const words = reinterpret_cast<unsigned*>(data);
    auto* const to = reinterpret_cast<unsigned*>(out);
    faulty ? bytes_of_words<true><<<1, 32>>>(words, to) : bytes_of_words<false><<<1, 32>>>(words, to);
  }
  if (is("comparison")) {
    unsigned long long* data = nullptr;
    cudaMalloc(&data, 8 * 32);
    cudaMemset2D(data, 8, 7, 4, 32);
    faulty ? compares<true><<<1, 32>>>(data, out) : compares<false><<<1, 32>>>(data, out);
  }
  if (is("carry")) {
    unsigned* data = nullptr;
    cudaMalloc(&data, 8 * 32);
    cudaMemset2D(data, 8, 0xff, 4, 32);
    auto* const to = reinterpret_cast<unsigned*>(out);
    faulty ? carries<true><<<1, 32>>>(data, to) : carries<false><<<1, 32>>>(data, to);
  }
  if (is("pointer")) {
    int* const few = partly_filled<int>(kThreads, 0);
    faulty ? pointers<true><<<1, kThreads>>>(few, out, 1) : pointers<false><<<1, kThreads>>>(few, out, 1);
  }
  if (is("generic")) {
    int* const scratch = partly_filled<int>(kThreads, 0);
    faulty ? generic<true><<<1, 48>>>(out, scratch, 1) : generic<false><<<1, 48>>>(out, scratch, 1);
  }
  if (is("host memory")) {
    int *managed = nullptr, *pinned = nullptr;
    cudaMallocManaged(&managed, kThreads * sizeof(int));
    cudaMallocHost(&pinned, kThreads * sizeof(int));
    for (int i = 0; i < kThreads; ++i) managed[i] = pinned[i] = 0;
    sum_of_all<<<1, kThreads>>>(managed, faulty ? in : pinned, out);
  }
  if (is("pool")) {
    int* data = nullptr;
    cudaMallocAsync(&data, kThreads * sizeof(int), nullptr);
    if (!faulty) cudaMemsetAsync(data, 0, kThreads * sizeof(int));
    add_one<<<1, kThreads>>>(data);
  }
  if (is("print")) prints<<<1, kThreads>>>(in);
  if (is("switch")) indexed<<<1, kThreads>>>(in, out);
  if (is("barrier")) votes<<<1, kThreads>>>(in, out);
  std::printf("synchronise %d\n", cudaDeviceSynchronize());
  return 0;
}
