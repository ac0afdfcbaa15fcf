// What the runtime answers to valid and invalid calls of every kind. h200_answers.txt holds what an H200 (driver
// 580.159, CUDA 13.0) printed on 2026-11-21; build with nvcc -arch=sm_90 -cudart shared to run it on another GPU.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#define P(call)                                                                          \
  do {                                                                                   \
    cudaError_t e_ = (call);                                                             \
    cudaError_t l_ = cudaGetLastError();                                                 \
    printf("%-72s -> %d %s (last %d)\n", #call, (int)e_, cudaGetErrorName(e_), (int)l_); \
  } while (0)
__device__ float var[8];
__constant__ int cvar[4];
__managed__ int mvar = 5;
__global__ void simple(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i + cvar[0] + (int)var[0];
}
__global__ void __launch_bounds__(128, 4) bounded(int* p) {
  __shared__ int s[300];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void oob(int* p) { p[1ll << 40] = 1; }
__global__ void say(int k) { printf("say %d\n", k); }
static void attrs(const char* what, const void* p) {
  cudaPointerAttributes a;
  memset(&a, 0x77, sizeof a);
  cudaError_t e = cudaPointerGetAttributes(&a, p);
  printf("attributes %-14s -> %d type %d device %d dev %s host %s\n", what, e, a.type, a.device,
         a.devicePointer ? (a.devicePointer == p ? "same" : "other") : "null",
         a.hostPointer ? (a.hostPointer == p ? "same" : "other") : "null");
  cudaGetLastError();
}
static void CUDART_CB cb(void* u) {
  int* q;
  *(int*)u = (int)cudaMalloc(&q, 4);
}
int main() {
  int lo, hi, v;
  size_t f, t;
  cudaDeviceProp prop;
  P(cudaDeviceGetStreamPriorityRange(&lo, &hi));
  printf("priority least %d greatest %d\n", lo, hi);
  P(cudaMemGetInfo(&f, &t));
  printf("mem free %zu total %zu\n", f, t);
  P(cudaGetDeviceProperties(&prop, 0));
  printf("name %s total %zu memPitch %zu texAlign %zu pitchAlign %zu pci %x:%x:%x clockless\n", prop.name,
         prop.totalGlobalMem, prop.memPitch, prop.textureAlignment, prop.texturePitchAlignment, prop.pciDomainID,
         prop.pciBusID, prop.pciDeviceID);
  for (int a = 1; a < 150; ++a) {
    v = -77;
    cudaError_t e = cudaDeviceGetAttribute(&v, (cudaDeviceAttr)a, 0);
    printf("attr %d -> %d %d\n", a, e, v);
  }
  cudaGetLastError();
  P(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0));
  P(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1));
  P(cudaGetDeviceProperties(&prop, 1));
  P(cudaSetDevice(1));
  P(cudaSetDevice(-1));
  unsigned fl;
  P(cudaGetDeviceFlags(&fl));
  printf("flags %u\n", fl);
  cudaFuncCache fc;
  P(cudaDeviceGetCacheConfig(&fc));
  printf("cache %d\n", fc);
  int *d = 0, *m = 0, *h = 0, *r = (int*)malloc(65536), stackv;
  void* z = (void*)1;
  P(cudaMalloc(&d, 1000));
  P(cudaMalloc(&z, 0));
  printf("malloc 0 gives %p\n", z);
  P(cudaMalloc((void**)0, 4));
  P(cudaMalloc(&z, 1ull << 60));
  P(cudaMalloc(&z, 200ull << 30));
  P(cudaFree(0));
  P(cudaFree((void*)0x1234));
  P(cudaFree((char*)d + 4));
  P(cudaFreeHost(0));
  P(cudaFreeHost(r));
  P(cudaFree(&stackv));
  P(cudaMallocManaged(&m, 1000));
  P(cudaMallocManaged(&z, 0));
  P(cudaMallocManaged(&z, 8, 0));
  P(cudaMallocHost(&h, 1000));
  P(cudaMallocHost(&z, 0));
  P(cudaHostRegister(r, 65536, 0));
  P(cudaHostRegister(r, 65536, 0));
  P(cudaHostRegister(r, 0, 0));
  P(cudaHostUnregister(h));
  P(cudaHostGetDevicePointer(&z, h, 0));
  printf("mapped %s\n", z == h ? "same" : "other");
  P(cudaHostGetDevicePointer(&z, r, 0));
  P(cudaHostGetDevicePointer(&z, &stackv, 0));
  P(cudaHostGetFlags(&fl, h));
  printf("flags %u\n", fl);
  P(cudaHostGetFlags(&fl, r));
  P(cudaHostGetFlags(&fl, d));
  P(cudaHostAlloc(&z, 8, 0x80));
  attrs("device", d);
  attrs("device+4", (char*)d + 4);
  attrs("managed", m);
  attrs("pinned", h);
  attrs("pinned+4", h + 1);
  attrs("registered", r);
  attrs("plain", &stackv);
  attrs("null", 0);
  attrs("past device", (char*)d + (64 << 20));
  P(cudaPointerGetAttributes(0, d));
  P(cudaFree(h));
  P(cudaFreeHost(d));
  P(cudaHostUnregister(r));
  P(cudaHostUnregister(r));
  P(cudaFreeHost(m));
  P(cudaMallocHost(&h, 1000));
  P(cudaMemcpy(d, r, 1000, cudaMemcpyHostToDevice));
  P(cudaMemcpy(d, r, 1000, cudaMemcpyDeviceToHost));
  P(cudaMemcpy(d, r, 1000, cudaMemcpyDefault));
  P(cudaMemcpy(r, r + 1000, 1000, cudaMemcpyHostToHost));
  P(cudaMemcpy(d, d, 1000, cudaMemcpyHostToHost));
  P(cudaMemcpy(d, r, 8, (cudaMemcpyKind)9));
  P(cudaMemcpy(d, r, 1024, cudaMemcpyHostToDevice));
  P(cudaMemcpy(d, r, 65536, cudaMemcpyHostToDevice));
  P(cudaMemcpy(d, r, 0, cudaMemcpyHostToDevice));
  P(cudaMemcpy(0, r, 4, cudaMemcpyHostToDevice));
  P(cudaMemcpy(d, 0, 4, cudaMemcpyHostToDevice));
  P(cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevice));
  P(cudaMemcpy(r, r + 64, 4, cudaMemcpyDeviceToDevice));
  P(cudaMemcpy(d, r, 4, cudaMemcpyDeviceToDevice));
  P(cudaMemcpy(m, r, 4, cudaMemcpyHostToDevice));
  P(cudaMemcpy(r, m, 4, cudaMemcpyHostToHost));
  P(cudaMemcpy(m, r, 4, cudaMemcpyDeviceToDevice));
  P(cudaMemset(d, 1, 1000));
  P(cudaMemset(d, 1, 4u << 20));
  P(cudaMemset(r, 1, 4));
  P(cudaMemset(h, 1, 4));
  P(cudaMemset(0, 1, 4));
  P(cudaMemset(0, 1, 0));
  P(cudaMemset(m, 1, 4));
  P(cudaMemcpy2D(d, 16, r, 8, 12, 4, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, 8, r, 16, 12, 4, cudaMemcpyHostToDevice));
  P(cudaMemset2D(d, 8, 0, 12, 4));
  size_t pitch;
  P(cudaMallocPitch(&z, &pitch, 100, 10));
  printf("pitch %zu\n", pitch);
  P(cudaMallocPitch(&z, &pitch, 513, 10));
  printf("pitch %zu\n", pitch);
  P(cudaMallocPitch(&z, &pitch, 0, 10));
  P(cudaMallocPitch(&z, &pitch, 10, 0));
  P(cudaMemcpyToSymbol(var, r, 32));
  P(cudaMemcpyToSymbol(var, r, 33));
  P(cudaMemcpyToSymbol(var, r, 4, 32));
  P(cudaMemcpyToSymbol(cvar, r, 16));
  P(cudaMemcpyFromSymbol(r, cvar, 16));
  P(cudaMemcpyFromSymbol(r, var, 4, 30));
  P(cudaGetSymbolSize(&f, var));
  P(cudaGetSymbolAddress(&z, var));
  P(cudaGetSymbolAddress(&z, (const void*)&stackv));
  P(cudaMemcpyToSymbol(stackv, r, 4));
  P(cudaGetSymbolAddress(&z, mvar));
  printf("managed var %s\n", z == &mvar ? "same" : "other");
  attrs("managed var", &mvar);
  P(cudaMemcpyToSymbol(var, r, 4, 0, cudaMemcpyDeviceToHost));
  cudaFuncAttributes a;
  P(cudaFuncGetAttributes(&a, simple));
  printf(
      "simple: shared %zu const %zu local %zu maxthreads %d regs %d ptx %d bin %d cache %d maxdyn %d carve %d cluster "
      "%d %d %d %d %d nonport %d\n",
      a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs, a.ptxVersion,
      a.binaryVersion, a.cacheModeCA, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout, a.clusterDimMustBeSet,
      a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth, a.clusterSchedulingPolicyPreference,
      a.nonPortableClusterSizeAllowed);
  P(cudaFuncGetAttributes(&a, bounded));
  printf("bounded: shared %zu const %zu local %zu maxthreads %d regs %d maxdyn %d\n", a.sharedSizeBytes,
         a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs, a.maxDynamicSharedSizeBytes);
  P(cudaFuncGetAttributes(&a, (const void*)&stackv));
  P(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  P(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 1200));
  P(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, -2));
  P(cudaFuncSetAttribute(bounded, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  P(cudaFuncSetAttribute(bounded, (cudaFuncAttribute)99, 1));
  P(cudaFuncSetAttribute(simple, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  for (int b : {1, 32, 33, 96, 128, 256, 1024, 1025, 0})
    for (size_t s : {0, 20000, 49152, 49153, 100000}) {
      int n = -1;
      cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, simple, b, s);
      printf("occupancy b %d s %zu: %d %d\n", b, s, e, n);
      cudaGetLastError();
    }
  int gs, bs;
  P(cudaOccupancyMaxPotentialBlockSize(&gs, &bs, simple));
  printf("potential %d %d\n", gs, bs);
  P(cudaOccupancyAvailableDynamicSMemPerBlock(&f, simple, 4, 128));
  printf("available %zu\n", f);
  cudaStream_t s, sn, sp;
  cudaEvent_t e1, e2, e3;
  float ms = -1;
  P(cudaStreamCreate(&s));
  P(cudaStreamCreateWithFlags(&sn, cudaStreamNonBlocking));
  P(cudaStreamCreateWithFlags(&sp, 7));
  P(cudaStreamCreateWithPriority(&sp, 0, -100));
  P(cudaStreamGetPriority(sp, &v));
  printf("priority %d\n", v);
  P(cudaStreamGetFlags(sn, &fl));
  printf("flags %u\n", fl);
  unsigned long long id;
  P(cudaStreamGetId(s, &id));
  P(cudaStreamGetId(0, &id));
  P(cudaStreamQuery(s));
  P(cudaStreamDestroy(0));
  P(cudaEventCreate(&e1));
  P(cudaEventCreate(&e2));
  P(cudaEventCreateWithFlags(&e3, cudaEventDisableTiming));
  P(cudaEventCreateWithFlags(&e3, 0x80));
  P(cudaEventCreateWithFlags(&e3, cudaEventDisableTiming));
  P(cudaEventQuery(e1));
  P(cudaEventSynchronize(e1));
  P(cudaEventElapsedTime(&ms, e1, e2));
  P(cudaEventRecord(e1, s));
  P(cudaEventElapsedTime(&ms, e1, e2));
  P(cudaEventRecord(e3, s));
  P(cudaEventElapsedTime(&ms, e1, e3));
  P(cudaStreamWaitEvent(sn, e1, 0));
  P(cudaStreamWaitEvent(sn, e2, 0));
  P(cudaStreamWaitEvent(sn, e1, 4));
  P(cudaEventRecord(e2, s));
  P(cudaEventSynchronize(e2));
  P(cudaEventElapsedTime(&ms, e1, e2));
  printf("empty elapsed is less than 10 us: %d\n", ms >= 0 && ms < 0.01f);
  P(cudaEventElapsedTime(&ms, e2, e1));
  printf("reverse is not positive: %d\n", ms <= 0);
  P(cudaEventRecord(0, s));
  P(cudaEventDestroy(0));
  P(cudaEventCreate(0));
  int in_cb = -1;
  P(cudaLaunchHostFunc(s, cb, &in_cb));
  P(cudaDeviceSynchronize());
  printf("malloc in a host function: %d\n", in_cb);
  P(cudaStreamDestroy(s));
  P(cudaLaunchHostFunc(sn, (cudaHostFn_t)0, 0));
  P(cudaMemPrefetchAsync(m, 1000, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
  P(cudaMemPrefetchAsync(d, 1000, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
  P(cudaMemPrefetchAsync(m, 1000, cudaMemLocation{cudaMemLocationTypeDevice, 3}, 0, 0));
  P(cudaMemPrefetchAsync(m, 1000, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0, 0));
  P(cudaMemPrefetchAsync(m, 0, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0, 0));
  P(cudaMemAdvise(m, 1000, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  P(cudaMemAdvise(d, 1000, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  P(cudaMemAdvise(m, 1000, (cudaMemoryAdvise)99, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  P(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  size_t lim;
  P(cudaDeviceGetLimit(&lim, cudaLimitStackSize));
  printf("stack %zu\n", lim);
  P(cudaDeviceSetLimit(cudaLimitStackSize, 1ull << 40));
  P(cudaDeviceSetLimit((cudaLimit)99, 1));
  P(cudaDeviceGetLimit(&lim, cudaLimitDevRuntimeSyncDepth));
  int can;
  P(cudaDeviceCanAccessPeer(&can, 0, 0));
  printf("can %d\n", can);
  P(cudaDeviceEnablePeerAccess(0, 0));
  P(cudaDeviceCanAccessPeer(&can, 0, 1));
  P(cudaMemcpyPeer(d, 0, d + 100, 0, 16));
  char bus[32];
  P(cudaDeviceGetPCIBusId(bus, 32, 0));
  printf("bus len %zu\n", strlen(bus));
  P(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  P(cudaSetDeviceFlags(0x4000));
  P(cudaProfilerStart());
  P(cudaProfilerStop());
  void* args[1] = {&d};
  dim3 g1(1), b1(32);
  P(cudaLaunchKernel((const void*)&stackv, g1, b1, args, 0, 0));
  P(cudaLaunchKernel((const void*)0, g1, b1, args, 0, 0));
  P(cudaLaunchKernel((const void*)bounded, g1, dim3(129), args, 0, 0));
  P(cudaLaunchKernel((const void*)bounded, dim3(0), b1, args, 0, 0));
  P(cudaLaunchKernel((const void*)bounded, g1, dim3(1025), args, 0, 0));
  P(cudaLaunchKernel((const void*)bounded, g1, b1, args, 300000, 0));
  P(cudaLaunchCooperativeKernel((const void*)bounded, dim3(100000), b1, args, 0, 0));
  bounded<<<1, 32, 0, sn>>>(m);
  P(cudaStreamSynchronize(sn));
  say<<<1, 1>>>(1);
  P(cudaGetLastError());
  P(cudaMemcpy(d, r, 4, cudaMemcpyHostToDevice));
  fflush(stdout);
  printf("(after a synchronous copy to the device)\n");
  say<<<1, 1>>>(2);
  P(cudaEventRecord(e2));
  P(cudaEventSynchronize(e2));
  printf("(after event synchronise)\n");
  say<<<1, 1>>>(3);
  P(cudaStreamSynchronize(0));
  printf("(after stream synchronise)\n");
  say<<<1, 1>>>(4);
  P(cudaMemset(d, 0, 4));
  printf("(after memset)\n");
  P(cudaFree(d));
  printf("(after free)\n");
  say<<<1, 1>>>(5);
  cudaDeviceSynchronize();
  P(cudaDeviceReset());
  P(cudaMalloc(&d, 1000));
  oob<<<1, 1>>>(d);
  P(cudaPeekAtLastError());
  cudaError_t se = cudaDeviceSynchronize();
  printf("sync after out of bounds %d\n", se);
  printf("peek %d\n", cudaPeekAtLastError());
  printf("last %d\n", cudaGetLastError());
  printf("last again %d\n", cudaGetLastError());
  P(cudaMalloc(&z, 4));
  P(cudaFree(d));
  P(cudaMemcpy(d, r, 4, cudaMemcpyHostToDevice));
  P(cudaGetDevice(&v));
  P(cudaGetDeviceCount(&v));
  P(cudaGetDeviceProperties(&prop, 0));
  P(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
  P(cudaMemGetInfo(&f, &t));
  P(cudaSetDevice(0));
  P(cudaEventCreate(&e1));
  P(cudaStreamCreate(&s));
  P(cudaStreamQuery(0));
  P(cudaFuncGetAttributes(&a, simple));
  P(cudaMallocHost(&h, 4));
  P(cudaDriverGetVersion(&v));
  printf("driver %d\n", v);
  P(cudaRuntimeGetVersion(&v));
  printf("runtime %d\n", v);
  P(cudaDeviceGetLimit(&lim, cudaLimitStackSize));
  P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, simple, 128, 0));
  P(cudaPointerGetAttributes(new cudaPointerAttributes, d));
  P(cudaGetSymbolAddress(&z, var));
  simple<<<1, 1>>>(d, 1);
  P(cudaPeekAtLastError());
  P(cudaDeviceReset());
  printf("after reset: last %d\n", cudaGetLastError());
  return 0;
}
