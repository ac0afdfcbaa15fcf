// Each argument selects an error that a checker finds, or the correct way to do the same; the test reads the report.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr int kCount = 100;
constexpr std::size_t kBytes = kCount * sizeof(int);

__device__ int variable[4];
__constant__ int table[4];

__global__ void store(int* data, long long index) {
  data[index] = 1;  // stores
}

__global__ void misaligned(char* data) { *reinterpret_cast<int*>(data + 2) = 1; }

__global__ void shared_store(int index) {
  extern __shared__ int tile[];
  tile[index] = threadIdx.x;
}

__global__ void local_store(int index, int* out) {
  int own[8] = {};
  for (int i = 0; i < 8; ++i) own[(i * index) & 7] = i;
  own[index] = 1;
  *out = own[index / 2] + own[0];
}

__global__ void write_at(int* place) { *place = 1; }
__global__ void read_table(int index, int* out) { *out = table[index]; }

__device__ int depth(int n, int* out) {
  int kept[64];
  for (int i = 0; i < 64; ++i) kept[i] = n + i;
  if (n > 0) kept[n & 63] += depth(n - 1, out);
  return kept[(n * 7) & 63];
}
__global__ void recurse(int n, int* out) { *out = depth(n, out); }

__device__ char* piece;
__global__ void allocate_piece(int bytes) { piece = static_cast<char*>(malloc(bytes)); }  // gets memory of the heap
__global__ void write_piece(int offset) { piece[offset] = 1; }                            // writes to the heap
__global__ void read_piece(int offset, char* out) { *out = piece[offset]; }
__global__ void free_piece(int offset = 0) { free(piece + offset); }  // gives it back to the heap

__global__ void race_with_values(float* out, int* sum) {
  __shared__ float word;
  if (threadIdx.x == 0) word = 1.5f;
  if (threadIdx.x == 32) *out = word;  // reads the word
  if (threadIdx.x == 33) word = -2;    // writes the word
  if (threadIdx.x == 1) atomicAdd(sum, 7);
  if (threadIdx.x == 34) *sum = -1;  // writes the sum
}

__global__ void shuffle_down(int* out, unsigned mask, int last) {
  int sum = threadIdx.x;
  if (threadIdx.x >= 16) return;
  for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync(mask, sum, step);  // shuffles
  if (threadIdx.x == last) *out = sum;                                               // keeps the sum
}

__global__ void store_to_source(int* in, bool late) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // copies
  __pipeline_commit();
  if (!late) in[threadIdx.x] = -1;  // changes the source
  __pipeline_wait_prior(0);
  if (late) in[threadIdx.x] = tile[threadIdx.x] + 1;
}

int* allocate() {
  int* data = nullptr;
  cudaMalloc(&data, kBytes);  // allocates
  return data;
}

void finish() { std::printf("synchronise %d\n", cudaDeviceSynchronize()); }

template <int kSize>
void leak() {
  void* data = nullptr;
  cudaMalloc(&data, kSize);  // leaks in a template
}

}  // namespace

int main(int argc, char** argv) {
  const char* wanted = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(wanted, name) == 0; };
  int host[2 * kCount] = {};

  // Kernels.
  if (is("store") || is("store_abort") || is("store_unnoticed") || is("store_reset")) {
    int* data = allocate();
    store<<<1, 1>>>(data, kCount + 3);
    if (is("store_abort")) {
      if (cudaDeviceSynchronize() != cudaSuccess) std::abort();
    }
    if (is("store")) finish();
    if (is("store_reset")) cudaDeviceReset();
    return 3;
  }
  if (is("far_store")) {  // Within the red zone, which is a neighbour's memory without it.
    int *first = allocate(), *second = allocate();
    store<<<1, 1>>>(first, 200);
    finish();
    cudaFree(first);
    cudaFree(second);
  }
  if (is("freed_store") || is("freed_store_async")) {
    int* data = nullptr;
    if (is("freed_store")) {
      data = allocate();
      cudaFree(data);  // frees
    } else {
      cudaMallocAsync(&data, kBytes, nullptr);
      cudaFreeAsync(data, nullptr);
    }
    store<<<1, 1>>>(data, 1);
    finish();
  }
  if (is("source_early") || is("source_late")) {
    store_to_source<<<1, 32>>>(allocate(), is("source_late"));
    finish();
  }
  if (is("misaligned")) {
    misaligned<<<1, 1>>>(reinterpret_cast<char*>(allocate()));
    finish();
  }
  if (is("shared")) {
    shared_store<<<1, 1, 64>>>(100);
    finish();
  }
  if (is("no_shared")) {
    shared_store<<<1, 1>>>(0);
    finish();
  }
  if (is("local")) {
    local_store<<<1, 1>>>(1 << 20, allocate());
    finish();
  }
  if (is("constant")) {
    read_table<<<1, 1>>>(1000, allocate());
    finish();
  }
  if (is("constant_write")) {
    void* place = nullptr;
    cudaGetSymbolAddress(&place, table);
    write_at<<<1, 1>>>(static_cast<int*>(place));
    finish();
  }
  if (is("stack")) {
    recurse<<<1, 1>>>(100000, allocate());
    finish();
  }
  if (is("race_values")) {
    int* data = allocate();
    cudaMemset(data, 0, 8);
    race_with_values<<<1, 64>>>(reinterpret_cast<float*>(data), data + 1);
    finish();
  }
  if (is("shuffle_outside") || is("shuffle_unused")) {
    shuffle_down<<<1, 32>>>(allocate(), 0xffffffff, is("shuffle_unused") ? 0 : 15);
    finish();
  }
  if (is("heap_past") || is("heap_before") || is("heap_read") || is("heap_freed") || is("heap_twice") ||
      is("heap_inside") || is("heap_leak") || is("heap_clean")) {
    allocate_piece<<<1, 1>>>(40);
    write_piece<<<1, 1>>>(39);
    if (is("heap_past")) write_piece<<<1, 1>>>(42);
    if (is("heap_before")) write_piece<<<1, 1>>>(-3);
    if (is("heap_read")) read_piece<<<1, 1>>>(40, reinterpret_cast<char*>(allocate()));
    if (is("heap_inside")) free_piece<<<1, 1>>>(16);
    if (!is("heap_leak")) free_piece<<<1, 1>>>();
    if (is("heap_freed")) write_piece<<<1, 1>>>(5);
    if (is("heap_twice")) free_piece<<<1, 1>>>();
    finish();
  }

  // Calls.
  if (is("copy_device_too_large") || is("copy_clean")) {
    int* data = allocate();
    const std::size_t bytes = is("copy_clean") ? kBytes : 2 * kBytes;
    std::printf("copy %d\n", cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice));
    std::printf("copy %d\n", cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost));
    std::printf("fill %d\n", cudaMemset(data, 0, bytes));
    cudaFree(data);
  }
  if (is("copy_pinned_too_large")) {
    int *pinned = nullptr, *data = nullptr;
    cudaMallocHost(&pinned, 8192);
    cudaMalloc(&data, 16384);
    std::printf("copy %d\n", cudaMemcpy(data, pinned, 12288, cudaMemcpyHostToDevice));
    cudaFree(data);
    cudaFreeHost(pinned);
  }
  if (is("symbol_too_large")) std::printf("copy %d\n", cudaMemcpyToSymbol(variable, host, 20));
  if (is("direction_refused")) {
    int* data = allocate();
    std::printf("copy %d\n", cudaMemcpy(data, host, kBytes, cudaMemcpyDeviceToHost));
    cudaFree(data);
  }
  if (is("direction_tolerated")) {
    int *data = allocate(), *other = allocate();
    std::printf("copy %d\n", cudaMemcpy(data, other, kBytes, cudaMemcpyHostToDevice));
    cudaFree(data);
    cudaFree(other);
  }
  if (is("copy_freed")) {
    int* data = allocate();
    cudaFree(data);
    std::printf("copy %d\n", cudaMemcpy(data, host, kBytes, cudaMemcpyHostToDevice));
  }
  if (is("copy_null")) std::printf("copy %d\n", cudaMemcpy(nullptr, host, kBytes, cudaMemcpyHostToDevice));
  if (is("fill_host")) std::printf("fill %d\n", cudaMemset(host, 0, kBytes));
  if (is("double_free")) {
    int* data = allocate();
    std::printf("free %d\n", cudaFree(data));
    std::printf("free %d\n", cudaFree(data));
  }
  if (is("free_host_variable")) std::printf("free %d\n", cudaFree(host));
  if (is("free_interior")) {
    int* data = allocate();
    std::printf("free %d\n", cudaFree(data + 1));
    cudaFree(data);
  }
  if (is("wrong_free")) {
    int *data = allocate(), *pinned = nullptr;
    cudaMallocHost(&pinned, kBytes);
    std::printf("free %d\n", cudaFreeHost(data));
    std::printf("free %d\n", cudaFree(pinned));
    char* of_heap = nullptr;
    allocate_piece<<<1, 1>>>(64);
    cudaMemcpyFromSymbol(&of_heap, piece, sizeof of_heap);
    std::printf("free %d\n", cudaFree(of_heap));
    cudaFree(data);
    cudaFreeHost(pinned);
  }
  if (is("host_access")) {
    int* data = allocate();
    data[3] = 7;  // the host's store
  }

  // What is left.
  if (is("leaks")) {
    int* data = nullptr;
    for (int i = 0; i < 3; ++i) cudaMalloc(&data, 1000);  // leaks three times
    std::size_t pitch = 0;
    cudaMallocPitch(&data, &pitch, 100, 4);
    cudaMallocManaged(&data, 2000);
    cudaMallocAsync(&data, 3000, nullptr);
    cudaMallocHost(reinterpret_cast<void**>(&data), 4000);
    static int registered[1024];
    cudaHostRegister(registered, sizeof registered, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool;
    cudaMemPoolCreate(&pool, &properties);
    if (argc > 2 && std::strcmp(argv[2], "reset") == 0) {
      cudaDeviceReset();
    } else if (argc > 2 && std::strcmp(argv[2], "exit") == 0) {
      std::exit(4);
    }
  }

  if (is("leak_in_a_template")) leak<1000>();

  // Errors that nobody asks for.
  if (is("refused")) store<<<1, 2000>>>(nullptr, 0);  // too many threads
  if (is("refused_checked")) {
    store<<<1, 2000>>>(nullptr, 0);
    std::printf("launch %d\n", cudaGetLastError());
  }
  if (is("refused_peeked")) {
    store<<<1, 2000>>>(nullptr, 0);
    std::printf("launch %d\n", cudaPeekAtLastError());
  }
  if (is("refused_by_call")) {
    void* arguments[2] = {};
    std::printf("launch %d\n", cudaLaunchKernel(store, dim3(1), dim3(2000), arguments, 0, nullptr));
  }
  if (is("refused_in_thread")) {
    std::thread([] { store<<<1, 2000>>>(nullptr, 0); }).join();
    std::printf("launch %d\n", cudaGetLastError());
  }
  return 0;
}
