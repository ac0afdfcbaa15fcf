// Rarely used calls of the runtime and the driver: each prints what it answers, and what it gives. h100_rare_calls.txt
// has the output on an H100 (driver 580.159.04, CUDA 13.0, 2026-11-27).
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define ANSWER(call) std::printf("%s: %d\n", #call, int(call))

__global__ void empty() {}

__global__ void kernel(int a, double b, char c, int* out) {
  if (out) *out = a + int(b) + c;
}

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 g = 5;\n"
    ".visible .entry one(.param .u64 p, .param .u32 n) { .reg .u64 a; .reg .u32 b; ld.param.u64 a, [p]; "
    "ld.param.u32 b, [n]; st.global.u32 [a], b; ret; }\n.visible .entry two() { ret; }\n";

static void CUDART_CB say_freed(void* p) { std::printf("freed %d\n", *static_cast<int*>(p)); }

static std::size_t size = 0, offset = 0;
static int i = -1, j = -1;
static unsigned u = 0;
static float f = -1;
static int *d = nullptr, *managed = nullptr;
static void* pinned = nullptr;
static const char* name = nullptr;
static cudaStream_t s, t;
static cudaMemLocation here{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
static CUfunction one;

static void devices() {
  ANSWER(cudaInitDevice(0, 0, 0));
  ANSWER(cudaInitDevice(7, 0, 0));
  ANSWER(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
  ANSWER(cudaSetDevice(0));
  ANSWER(cudaGetDeviceFlags(&u));
  std::printf("flags %x\n", u);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
  ANSWER(cudaDeviceGetTexture1DLinearMaxWidth(&size, &desc, 0));
  std::printf("%zu\n", size);
  desc = cudaCreateChannelDesc<char>();
  ANSWER(cudaDeviceGetTexture1DLinearMaxWidth(&size, &desc, 0));
  std::printf("%zu\n", size);
  ANSWER(cudaDeviceGetStreamPriorityRange(&i, &j));
  std::printf("%d %d\n", i, j);
  cudaFuncCache cache;
  ANSWER(cudaDeviceGetCacheConfig(&cache));
  std::printf("%d\n", cache);
  ANSWER(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  ANSWER(cudaDeviceGetCacheConfig(&cache));
  std::printf("%d\n", cache);
  ANSWER(cudaDeviceSetCacheConfig(cudaFuncCache(9)));
  ANSWER(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferEqual));
  ANSWER(cudaFuncSetCacheConfig(kernel, cudaFuncCache(7)));
  cudaDeviceProp prop{};
  prop.major = 9;
  ANSWER(cudaChooseDevice(&i, &prop));
  std::printf("%d\n", i);
  char bus[40] = "";
  ANSWER(cudaDeviceGetPCIBusId(bus, 5, 0));
  ANSWER(cudaDeviceGetByPCIBusId(&i, "nonsense"));
  ANSWER(cudaDeviceGetByPCIBusId(&i, "ffff:ff:1f.0"));
}

static void functions() {
  ANSWER(cudaFuncGetName(&name, (const void*)kernel));
  std::printf("%s\n", name ? name : "none");
  for (std::size_t k = 0; k < 5; ++k) {
    cudaError_t e = cudaFuncGetParamInfo((const void*)kernel, k, &offset, &size);
    std::printf("param %zu: %d %zu %zu\n", k, e, e ? 0 : offset, e ? 0 : size);
  }
  cudaGetLastError();
  cudaFunction_t fn;
  ANSWER(cudaGetFuncBySymbol(&fn, (const void*)kernel));
  cudaKernel_t kn;
  ANSWER(cudaGetKernel(&kn, (const void*)kernel));
  ANSWER(cudaGetFuncBySymbol(&fn, &i));
  cudaGetLastError();
}

/// By kernels that prefer as many percent of a multiprocessor's memory as shared memory, after
/// cudaDeviceSetCacheConfig.
static void shared_memory() {
  for (int config = 0; config < 4; ++config) {
    cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config));
    for (const int carveout : {-1, 0, 50, 100}) {
      cudaFuncSetAttribute(empty, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
      for (const int blocks : {1, 2, 4, 16, 32}) {
        const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(&size, empty, blocks, 64);
        std::printf("config %d carveout %d blocks %d: %d %zu\n", config, carveout, blocks, error, size);
      }
    }
  }
}

static void streams() {
  ANSWER(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -3));
  ANSWER(cudaStreamCreateWithPriority(&t, 0, 100));
  ANSWER(cudaStreamGetPriority(s, &i));
  std::printf("%d\n", i);
  ANSWER(cudaStreamGetPriority(t, &i));
  std::printf("%d\n", i);
  ANSWER(cudaStreamGetFlags(s, &u));
  std::printf("%u\n", u);
  unsigned long long id1 = 0, id2 = 0;
  ANSWER(cudaStreamGetId(s, &id1));
  ANSWER(cudaStreamGetId(t, &id2));
  std::printf("ids differ %d\n", id1 != id2);
  ANSWER(cudaStreamGetDevice(s, &i));
  std::printf("%d\n", i);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.num_bytes = 1 << 16;
  value.accessPolicyWindow.hitRatio = 2.0f;
  ANSWER(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
  ANSWER(cudaMalloc(&d, 1 << 20));
  value.accessPolicyWindow.base_ptr = d;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  ANSWER(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
  ANSWER(cudaStreamCopyAttributes(t, s));
  std::memset(&value, 0, sizeof value);
  ANSWER(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &value));
  std::printf("%zu %g %d %d\n", value.accessPolicyWindow.num_bytes, value.accessPolicyWindow.hitRatio,
              value.accessPolicyWindow.hitProp, value.accessPolicyWindow.missProp);
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  ANSWER(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.num_bytes = size_t{1} << 40;
  value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  ANSWER(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
  ANSWER(cudaCtxResetPersistingL2Cache());
  cudaGetLastError();
}

static void events() {
  cudaEvent_t e, g;
  ANSWER(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
  ANSWER(cudaEventCreateWithFlags(&g, cudaEventInterprocess));
  ANSWER(cudaEventCreateWithFlags(&g, 64));
  ANSWER(cudaEventCreate(&g));
  ANSWER(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
  ANSWER(cudaEventRecordWithFlags(e, s, 7));
  ANSWER(cudaEventRecordWithFlags(e, s, 0));
  ANSWER(cudaEventElapsedTime(&f, e, g));
  ANSWER(cudaStreamWaitEvent(t, g, 0));
  ANSWER(cudaStreamWaitEvent(t, e, 5));
  cudaGetLastError();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ANSWER(cudaThreadExchangeStreamCaptureMode(&mode));
  std::printf("%d\n", mode);
  ANSWER(cudaThreadExchangeStreamCaptureMode(&mode));
  std::printf("%d\n", mode);
}

static void memory() {
  ANSWER(cudaMallocManaged(&managed, 1 << 21));
  ANSWER(cudaMemAdvise(managed, 1 << 21, cudaMemAdviseSetReadMostly, here));
  ANSWER(cudaMemAdvise(managed, 1 << 21, cudaMemAdviseSetPreferredLocation, host));
  ANSWER(cudaMemAdvise(managed, 1 << 21, cudaMemAdviseSetAccessedBy, here));
  ANSWER(cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, here));
  ANSWER(cudaMemAdvise(managed, 1 << 21, cudaMemoryAdvise(99), here));
  cudaGetLastError();
  int read = -7, preferred = -7, accessed[2] = {-7, -7}, last = -7;
  void* outs[] = {&read, &preferred, accessed, &last};
  std::size_t sizes[] = {4, 4, 8, 4};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                        cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeLastPrefetchLocation};
  ANSWER(cudaMemRangeGetAttributes(outs, sizes, attributes, 4, managed, 1 << 21));
  std::printf("%d %d %d %d %d\n", read, preferred, accessed[0], accessed[1], last);
  ANSWER(cudaMemRangeGetAttribute(&i, 4, cudaMemRangeAttributeReadMostly, d, 64));
  ANSWER(cudaMemRangeGetAttribute(&i, 3, cudaMemRangeAttributeReadMostly, managed, 64));
  cudaGetLastError();
  ANSWER(cudaMemPrefetchAsync(managed, 1 << 21, here, 0, s));
  ANSWER(cudaMemPrefetchAsync(d, 4096, here, 0, s));
  ANSWER(cudaMemPrefetchAsync(managed, 1 << 21, here, 3, s));
  cudaGetLastError();
  ANSWER(cudaStreamSynchronize(s));
  ANSWER(cudaMemRangeGetAttribute(&last, 4, cudaMemRangeAttributeLastPrefetchLocation, managed, 1 << 21));
  std::printf("%d\n", last);
  ANSWER(cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachSingle));
  ANSWER(cudaStreamAttachMemAsync(s, managed, 5, cudaMemAttachSingle));
  ANSWER(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachSingle));
  ANSWER(cudaStreamSynchronize(s));
  cudaGetLastError();
  ANSWER(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  ANSWER(cudaHostGetFlags(&u, pinned));
  std::printf("%u\n", u);
  ANSWER(cudaHostGetFlags(&u, d));
  cudaGetLastError();
  cudaPointerAttributes pa{};
  for (const void* p :
       {(const void*)d, (const void*)managed, (const void*)pinned, (const void*)&i, (const void*)nullptr}) {
    int r = cudaPointerGetAttributes(&pa, p);
    std::printf("pointer: %d type %d device %d d %d h %d\n", r, pa.type, pa.device, pa.devicePointer != nullptr,
                pa.hostPointer != nullptr);
  }
}

static void pools_objects_and_arrays() {
  cudaMemPool_t pool;
  ANSWER(cudaDeviceGetDefaultMemPool(&pool, 0));
  ANSWER(cudaMemPoolTrimTo(pool, 0));
  cudaMemAccessDesc access{};
  access.location = here;
  access.flags = cudaMemAccessFlagsProtNone;
  ANSWER(cudaMemPoolSetAccess(pool, &access, 1));
  cudaMemAccessFlags flags;
  ANSWER(cudaMemPoolGetAccess(&flags, pool, &here));
  std::printf("%d\n", flags);
  cudaGetLastError();
  cudaUserObject_t object;
  static int freed = 42;
  ANSWER(cudaUserObjectCreate(&object, &freed, say_freed, 2, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph;
  ANSWER(cudaGraphCreate(&graph, 0));
  ANSWER(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  ANSWER(cudaUserObjectRelease(object, 1));
  ANSWER(cudaGraphDestroy(graph));
  ANSWER(cudaUserObjectCreate(&object, &freed, say_freed, 0, cudaUserObjectNoDestructorSync));
  cudaGetLastError();
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<short2>();
  ANSWER(cudaMalloc3DArray(&array, &desc, cudaExtent{16, 8, 4}, cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaExtent extent;
  ANSWER(cudaArrayGetInfo(&desc, &extent, &u, array));
  std::printf("%d %d %d %d %d %zu %zu %zu %u\n", desc.x, desc.y, desc.z, desc.w, desc.f, extent.width, extent.height,
              extent.depth, u);
  ANSWER(cudaMalloc3DArray(&array, &desc, cudaExtent{16, 8, 5}, cudaArrayCubemap));
  ANSWER(cudaMalloc3DArray(&array, &desc, cudaExtent{16, 16, 5}, cudaArrayCubemap));
  ANSWER(cudaMalloc3DArray(&array, &desc, cudaExtent{16, 16, 6}, cudaArrayCubemap));
  cudaGetLastError();
}

static void contexts() {
  CUcontext ctx;
  ANSWER(cuCtxGetCurrent(&ctx));
  unsigned long long id = 0;
  ANSWER(cuCtxGetId(ctx, &id));
  ANSWER(cuCtxGetFlags(&u));
  std::printf("%x\n", u);
  ANSWER(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  ANSWER(cuCtxGetFlags(&u));
  std::printf("%x\n", u);
  ANSWER(cuCtxSetFlags(0x1000));
  ANSWER(cuCtxGetApiVersion(ctx, &u));
  std::printf("%u\n", u);
  ANSWER(cuCtxGetLimit(&size, CU_LIMIT_MAX_L2_FETCH_GRANULARITY));
  std::printf("%zu\n", size);
  ANSWER(cuCtxGetLimit(&size, CU_LIMIT_CIG_ENABLED));
  ANSWER(cuCtxGetLimit(&size, CUlimit(99)));
  ANSWER(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128));
  ANSWER(cuCtxGetLimit(&size, CU_LIMIT_MAX_L2_FETCH_GRANULARITY));
  std::printf("%zu\n", size);
  ANSWER(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 4096));
  ANSWER(cuCtxGetLimit(&size, CU_LIMIT_MAX_L2_FETCH_GRANULARITY));
  std::printf("%zu\n", size);
  ANSWER(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  CUsharedconfig shared;
  ANSWER(cuCtxGetSharedMemConfig(&shared));
  std::printf("%d\n", shared);
  ANSWER(cuDevicePrimaryCtxGetState(0, &u, &i));
  std::printf("%u %d\n", u, i);
  ANSWER(cuDevicePrimaryCtxSetFlags(0, 99));
  ANSWER(cuDeviceGetExecAffinitySupport(&i, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  std::printf("%d\n", i);
}

static void modules() {
  CUmoduleLoadingMode lazy;
  ANSWER(cuModuleGetLoadingMode(&lazy));
  std::printf("%d\n", lazy);
  CUmodule module;
  ANSWER(cuModuleLoadData(&module, ptx));
  ANSWER(cuModuleGetFunctionCount(&u, module));
  std::printf("%u\n", u);
  CUfunction all[4]{};
  ANSWER(cuModuleEnumerateFunctions(all, 4, module));
  ANSWER(cuModuleGetFunction(&one, module, "one"));
  CUfunctionLoadingState state;
  ANSWER(cuFuncIsLoaded(&state, one));
  ANSWER(cuFuncLoad(one));
  ANSWER(cuFuncIsLoaded(&state, one));
  std::printf("%d\n", state);
  ANSWER(cuFuncGetName(&name, one));
  std::printf("%s\n", name);
  for (std::size_t k = 0; k < 3; ++k) {
    CUresult r = cuFuncGetParamInfo(one, k, &offset, &size);
    std::printf("param %zu: %d %zu %zu\n", k, r, r ? 0 : offset, r ? 0 : size);
  }
  CUmodule of;
  ANSWER(cuFuncGetModule(&of, one));
  std::printf("%d\n", of == module);
  ANSWER(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_NUM_REGS, 3));
  ANSWER(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
  ANSWER(cuFuncSetAttribute(one, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  ANSWER(cuFuncGetAttribute(&i, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, one));
  std::printf("%d\n", i);
  ANSWER(cuFuncGetAttribute(&i, CUfunction_attribute(99), one));
  ANSWER(cuFuncSetSharedMemConfig(one, CUsharedconfig(9)));
  CUlibrary library;
  ANSWER(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ANSWER(cuLibraryGetKernelCount(&u, library));
  std::printf("%u\n", u);
  CUkernel kernel_one;
  ANSWER(cuLibraryGetKernel(&kernel_one, library, "one"));
  ANSWER(cuKernelGetName(&name, kernel_one));
  std::printf("%s\n", name);
  ANSWER(cuKernelGetParamInfo(kernel_one, 1, &offset, &size));
  std::printf("%zu %zu\n", offset, size);
  ANSWER(cuKernelSetCacheConfig(kernel_one, CU_FUNC_CACHE_PREFER_SHARED, 0));
  CUlibrary whose;
  ANSWER(cuKernelGetLibrary(&whose, kernel_one));
  std::printf("%d\n", whose == library);
  CUdeviceptr address;
  ANSWER(cuLibraryGetGlobal(&address, &size, library, "g"));
  std::printf("%zu\n", size);
  ANSWER(cuLibraryGetManaged(&address, &size, library, "g"));
  void* unified;
  ANSWER(cuLibraryGetUnifiedFunction(&unified, library, "one"));
}

static void virtual_memory() {
  CUmemAllocationProp mp{};
  mp.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  mp.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  ANSWER(cuMemGetAllocationGranularity(&size, &mp, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  std::printf("%zu\n", size);
  CUmemGenericAllocationHandle h, h2;
  ANSWER(cuMemCreate(&h, size, &mp, 0));
  CUdeviceptr va;
  ANSWER(cuMemAddressReserve(&va, size, 0, 0, 0));
  ANSWER(cuMemMap(va, size, 0, h, 0));
  CUmemAccessDesc ad{};
  ad.location = mp.location;
  ad.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  ANSWER(cuMemSetAccess(va, size, &ad, 1));
  unsigned long long how;
  ANSWER(cuMemGetAccess(&how, &mp.location, va));
  std::printf("%llu\n", how);
  ANSWER(cuMemRetainAllocationHandle(&h2, (void*)va));
  CUmemAllocationProp mq{};
  ANSWER(cuMemGetAllocationPropertiesFromHandle(&mq, h2));
  std::printf("%d %d %d\n", h == h2, mq.type, mq.location.type);
  ANSWER(cuMemsetD8(va, 1, 4));
  ANSWER(cuMemUnmap(va, size));
  ANSWER(cuMemRelease(h));
  ANSWER(cuMemRelease(h2));
  ANSWER(cuMemRelease(h2));
  ANSWER(cuMemAddressFree(va, size));
  int sync = 1;
  ANSWER(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)d));
  sync = 0;
  ANSWER(cuPointerGetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)d));
  std::printf("%d\n", sync);
  ANSWER(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)d));
  ANSWER(cuMemsetD2D16Async((CUdeviceptr)d, 64, 0x1234, 8, 4, s));
  ANSWER(cuMemsetD2D16Async((CUdeviceptr)d + 1, 64, 0x1234, 8, 4, s));
  ANSWER(cuMemsetD2D32((CUdeviceptr)d, 62, 1, 8, 4));
  ANSWER(cuMemsetD32((CUdeviceptr)d + 2, 1, 4));
  ANSWER(cuCtxSynchronize());
}

static void the_rest() {
  CUevent ev;
  ANSWER(cuEventCreate(&ev, 64));
  ANSWER(cuStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus cs;
  ANSWER(cuStreamIsCapturing(s, &cs));
  std::printf("%d\n", cs);
  const char* text = nullptr;
  ANSWER(cuGetErrorString(CUresult(12345), &text));
  std::printf("%d\n", text == nullptr);
  ANSWER(cuGetErrorName(CUDA_ERROR_TIMEOUT, &text));
  std::printf("%s\n", text);
  ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&i, one, 64, 0, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
  std::printf("%d\n", i);
  ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&i, one, 64, 0, 9));
  ANSWER(cuOccupancyMaxPotentialBlockSize(&i, &j, one, nullptr, 0, 100));
  std::printf("%d %d\n", i, j);
  ANSWER(cuMemHostGetFlags(&u, pinned));
  std::printf("%u\n", u);
  ANSWER(cuMemHostRegister(&i, 4, CU_MEMHOSTREGISTER_IOMEMORY));
  ANSWER(cuStreamSetAttribute(s, CUstreamAttrID(77), nullptr));
  ANSWER(cuCtxDetach(nullptr));
  ANSWER(cuDeviceGetDefaultMemPool(nullptr, 0));
  ANSWER(cuTensorMapReplaceAddress(nullptr, nullptr));
  ANSWER(cuGraphDebugDotPrint(nullptr, "/tmp/x.dot", 0));
  ANSWER(cuGraphExecGetFlags(nullptr, nullptr));
  ANSWER(cuGraphGetNodes(nullptr, nullptr, nullptr));
}

int main() {
  devices();
  functions();
  streams();
  events();
  memory();
  pools_objects_and_arrays();
  contexts();
  modules();
  virtual_memory();
  the_rest();
  shared_memory();
}
