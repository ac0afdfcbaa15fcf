// Memory pools by the place of their memory: what they give, who may use it, and which calls take them.
// pool_places TYPE PLACE own|default ACCESS: numbers of cudaMemAllocationType and cudaMemLocationType; ACCESS 1 lets
// the device and the host use the memory. h100_pool_places.txt holds what an H100 printed.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

__global__ void plus(int* x, int by) { x[threadIdx.x] += by; }

#define P(call)                                                          \
  do {                                                                   \
    const cudaError_t error = (call);                                    \
    std::printf("%s -> %d %s\n", #call, error, cudaGetErrorName(error)); \
    cudaGetLastError();                                                  \
  } while (0)

const char* const kLocations[] = {"none", "device", "host", "host numa", "host numa current"};

void about(cudaMemPool_t pool) {
  for (int a = cudaMemPoolReuseFollowEventDependencies; a <= cudaMemPoolAttrUsedMemHigh; ++a) {
    unsigned long long value = 0;
    const cudaError_t error = cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(a), &value);
    std::printf("  attribute %d: %d %llu\n", a, error, value);
  }
  for (int t = cudaMemLocationTypeDevice; t <= cudaMemLocationTypeHostNumaCurrent; ++t) {
    cudaMemLocation location{};
    location.type = static_cast<cudaMemLocationType>(t);
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    const cudaError_t error = cudaMemPoolGetAccess(&flags, pool, &location);
    std::printf("  access of %s: %d %d\n", kLocations[t], error, flags);
    cudaGetLastError();
  }
}

void use(cudaMemPool_t pool, bool set_access) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int t = cudaMemLocationTypeDevice; t <= cudaMemLocationTypeHost && set_access; ++t) {
    cudaMemAccessDesc d{};
    d.location.type = static_cast<cudaMemLocationType>(t);
    d.flags = cudaMemAccessFlagsProtReadWrite;
    std::printf("  set access of %s:", kLocations[t]);
    P(cudaMemPoolSetAccess(pool, &d, 1));
  }
  void* p = nullptr;
  P(cudaMallocFromPoolAsync(&p, 1000, pool, s));
  cudaPointerAttributes at{};
  P(cudaPointerGetAttributes(&at, p));
  std::printf("  type %d device %d host %d devicep %d\n", at.type, at.device, at.hostPointer == p,
              at.devicePointer == p);
  about(pool);
  P(cudaStreamSynchronize(s));
  std::memset(p, 0, 128);
  plus<<<1, 32, 0, s>>>(static_cast<int*>(p), 7);
  P(cudaStreamSynchronize(s));
  std::printf("  host reads %d\n", *static_cast<int*>(p));
  P(cudaFreeAsync(p, s));
  P(cudaStreamSynchronize(s));
  about(pool);
}

}  // namespace

int main(int, char** arguments) {
  cudaFree(nullptr);
  cudaMemPoolProps p{};
  p.allocType = static_cast<cudaMemAllocationType>(arguments[1][0] - '0');
  p.location.type = static_cast<cudaMemLocationType>(arguments[2][0] - '0');
  cudaMemPool_t pool = nullptr;
  cudaMemLocation l = p.location;
  const bool own = arguments[3][0] == 'o';
  P(own ? cudaMemPoolCreate(&pool, &p) : cudaMemGetDefaultMemPool(&pool, &l, p.allocType));
  about(pool);
  use(pool, arguments[4][0] == '1');
  cudaStream_t s;
  cudaStreamCreate(&s);
  void* a = nullptr;
  P(cudaMallocFromPoolAsync(&a, 1000, pool, s));
  if (p.location.type == cudaMemLocationTypeDevice) P(cudaDeviceSetMemPool(0, pool));
  cudaMemPool_t now = nullptr;
  P(cudaMemSetMemPool(&l, p.allocType, pool));
  P(cudaMemGetMemPool(&now, &l, p.allocType));
  std::printf("  the same: %d\n", now == pool);
  P(cudaDeviceGetMemPool(&now, 0));
  std::printf("  the device's: %d\n", now == pool);
  void* b = nullptr;
  P(cudaMallocAsync(&b, 1000, s));
  cudaPointerAttributes at{};
  P(cudaPointerGetAttributes(&at, b));
  std::printf("  type %d\n", at.type);
  P(cudaFree(a));
  P(cudaMemPoolTrimTo(pool, 0));
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  P(cudaMallocFromPoolAsync(&a, 1000, pool, s));
  cudaGraph_t g = nullptr;
  P(cudaStreamEndCapture(s, &g));
  std::size_t nodes = 0;
  if (g != nullptr) cudaGraphGetNodes(g, nullptr, &nodes);
  std::printf("  nodes %zu\n", nodes);
  P(cudaMemPoolDestroy(pool));
  return 0;
}
