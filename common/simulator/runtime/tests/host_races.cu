// Host code that uses memory shared with the device too early or in time: one case for each argument. The test reads
// the reports of the checks race and init.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <map>
#include <string>

__global__ void store(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = i;  // stores
}
__global__ void add(const int* in, int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] += in[i];  // adds
}
__global__ void count(int* sum) { atomicAdd(sum, 1); }  // counts
__global__ void tell(int* message, int* flag) {
  *message = 41;
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
}
__global__ void tell_by_fence(int* message, int* flag) {
  *message = 41;
  __threadfence_system();
  *const_cast<volatile int*>(flag) = 1;
}

namespace {

constexpr int kCount = 2048;  // two pages
constexpr std::size_t kBytes = kCount * sizeof(int);

int* managed() {
  int* data = nullptr;
  cudaMallocManaged(&data, kBytes);
  return data;
}
int* pinned() {
  int* data = nullptr;
  cudaMallocHost(&data, kBytes);
  return data;
}
int* device() {
  int* data = nullptr;
  cudaMalloc(&data, kBytes);
  cudaMemset(data, 0, kBytes);
  return data;
}
void launch(int* data, int n = kCount, cudaStream_t stream = nullptr) { store<<<16, 128, 0, stream>>>(data, n); }
int look(const int* at) {
  return *const_cast<const volatile int*>(at);  // looks
}

/// The device only uses half of the first page: the host may use the rest.
int beside(int* data) {
  launch(data, 512);
  for (int i = 512; i < kCount; ++i) data[i] = -i;
  int sum = 0;
  for (int i = 512; i < kCount; ++i) sum += data[i] + i;
  return sum;
}

int wait_for_one(bool right) {
  int *first = managed(), *second = managed();
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  launch(first, kCount, streams[0]);
  launch(second, kCount, streams[1]);
  cudaStreamSynchronize(streams[right ? 0 : 1]);
  const int got = look(first + 7);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  return got;
}

int hear(void (*teller)(int* message, int* flag)) {
  int* a = pinned();
  a[0] = a[64] = 0;
  teller<<<1, 1>>>(a, a + 64);
  while (cuda::atomic_ref<int, cuda::thread_scope_system>(a[64]).load(cuda::memory_order_acquire) == 0) {
  }
  return look(a);
}

int half_written(int n) {
  int *in = managed(), *out = device();
  for (int i = 0; i < n; ++i) in[i] = 0;
  add<<<16, 128>>>(in, out, kCount);
  return cudaDeviceSynchronize();
}

const std::map<std::string, int (*)()> kCases = {
    {"read",
     [] {
       int* a = managed();
       launch(a);
       return look(a + 1500);
     }},
    {"read in time",
     [] {
       int* a = managed();
       launch(a);
       cudaDeviceSynchronize();
       return look(a + 1500);
     }},
    {"write",
     [] {
       int *a = managed(), *b = device();
       std::memset(a, 0, kBytes);
       add<<<16, 128>>>(a, b, kCount);
       a[7] = 1;  // writes early
       return 0;
     }},
    {"beside managed", [] { return beside(managed()); }},
    {"beside pinned", [] { return beside(pinned()); }},
    {"counter",
     [] {
       int* a = managed();
       *a = 0;
       count<<<1, 32>>>(a);
       return look(a);
     }},
    {"told", [] { return hear(tell); }},
    {"told by a fence", [] { return hear(tell_by_fence); }},
    {"copy",
     [] {
       int *a = pinned(), *b = device();
       cudaMemcpyAsync(a, b, kBytes, cudaMemcpyDeviceToHost);
       return look(a + 1500);
     }},
    {"written by the system",
     [] {
       int* a = managed();
       launch(a);
       return static_cast<int>(write(1, a, 4)) - 4;
     }},
    {"one of two streams", [] { return wait_for_one(true); }},
    {"the other stream", [] { return wait_for_one(false); }},
    {"event",
     [] {
       int* a = managed();
       cudaEvent_t event;
       cudaEventCreate(&event);
       launch(a);
       cudaEventRecord(event);
       while (cudaEventQuery(event) == cudaErrorNotReady) {
       }
       cudaEventDestroy(event);
       return look(a + 3);
     }},
    {"all written", [] { return half_written(kCount); }},
    {"half written", [] { return half_written(kCount / 2); }},
    {"copied half written",
     [] {
       int *in = pinned(), *there = device(), *out = device();
       for (int i = 0; i < kCount / 2; ++i) in[i] = 0;
       cudaMemcpy(there, in, kBytes, cudaMemcpyHostToDevice);
       add<<<16, 128>>>(there, out, kCount);
       return static_cast<int>(cudaDeviceSynchronize());
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc < 2 ? kCases.end() : kCases.find(argv[1]);
  if (found == kCases.end()) return 2;
  const int got = found->second();
  cudaDeviceReset();
  std::printf("got %d\n", got);
  return 0;
}
