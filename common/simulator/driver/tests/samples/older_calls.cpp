// Calls as older versions of CUDA had them: each is found by its name and version, and works.
#include <cudaTypedefs.h>
#include <dlfcn.h>

#include <cstring>
#include <initializer_list>

#include "sample.h"

namespace {

/// The call that version @p version of CUDA means by @p name.
template <class Call>
Call find(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  CU(cuGetProcAddress(name, &found, version, flags, &status));
  REQUIRE(status == CU_GET_PROC_ADDRESS_SUCCESS && found != nullptr);
  return reinterpret_cast<Call>(found);
}

struct Row {
  const char* name;
  int version;
  cuuint64_t flags;
  const char* exported;  ///< The symbol that is meant; nullptr: the version is too old.
};

/// As an H100 answered (driver 580.159, CUDA 13.0, 2026-11-27).
constexpr Row kRows[] = {
    {"cuMemAlloc", 3020, 0, "cuMemAlloc_v2"},
    {"cuMemAlloc", 13000, 0, "cuMemAlloc_v2"},
    {"cuMemAlloc", 2000, 0, "cuMemAlloc"},
    {"cuMemAlloc", 1000, 0, nullptr},
    {"cuMemAllocAsync", 11020, 0, "cuMemAllocAsync"},
    {"cuMemAllocAsync", 11020, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, "cuMemAllocAsync_ptsz"},
    {"cuMemAllocAsync", 11020, CU_GET_PROC_ADDRESS_LEGACY_STREAM, "cuMemAllocAsync"},
    {"cuMemAllocAsync", 11010, 0, nullptr},
    {"cuMemcpyHtoD", 12000, 0, "cuMemcpyHtoD_v2"},
    {"cuMemcpyHtoD", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, "cuMemcpyHtoD_v2_ptds"},
    {"cuMemPrefetchAsync", 12010, 0, "cuMemPrefetchAsync"},
    {"cuMemPrefetchAsync", 12010, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, "cuMemPrefetchAsync_ptsz"},
    {"cuMemPrefetchAsync", 12020, 0, "cuMemPrefetchAsync_v2"},
    {"cuMemcpyBatchAsync", 12080, 0, "cuMemcpyBatchAsync"},
    {"cuMemcpyBatchAsync", 13000, 0, "cuMemcpyBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 12070, 0, nullptr},
    {"cuCtxCreate", 3010, 0, "cuCtxCreate"},
    {"cuCtxCreate", 11030, 0, "cuCtxCreate_v2"},
    {"cuCtxCreate", 11040, 0, "cuCtxCreate_v3"},
    {"cuCtxCreate", 13000, 0, "cuCtxCreate_v4"},
    {"cuCtxCreate", -5, 0, "cuCtxCreate_v4"},
    {"cuGraphAddKernelNode", 10000, 0, "cuGraphAddKernelNode"},
    {"cuGraphAddKernelNode", 12000, 0, "cuGraphAddKernelNode_v2"},
    {"cuStreamGetCaptureInfo", 11020, 0, "cuStreamGetCaptureInfo"},
    {"cuStreamGetCaptureInfo", 11030, 0, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCaptureInfo", 12030, 0, "cuStreamGetCaptureInfo_v3"},
    {"cuLaunchKernel", 7000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, "cuLaunchKernel_ptsz"},
    {"cuLaunchKernel", 6050, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr},
    {"cuLaunchKernel", 4000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, "cuLaunchKernel"},
    {"cuDeviceGet", 2000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, "cuDeviceGet"},
    {"cuGetProcAddress", 11030, 0, "cuGetProcAddress"},
    {"cuGetProcAddress", 12000, 0, "cuGetProcAddress_v2"},
    {"cuGreenCtxCreate", 12030, 0, nullptr},
    {"cuGreenCtxCreate", 12040, 0, "cuGreenCtxCreate"},
};

void check_names() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  for (const Row& row : kRows) {
    void* found = &found;
    CUdriverProcAddressQueryResult status{};
    const CUresult answer = cuGetProcAddress(row.name, &found, row.version, row.flags, &status);
    const bool right = row.exported == nullptr ? answer == CUDA_SUCCESS && found == nullptr &&
                                                     status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                               : answer == CUDA_SUCCESS && status == CU_GET_PROC_ADDRESS_SUCCESS &&
                                                     found == ::dlsym(library, row.exported);
    if (!right)
      std::printf("%s of %d with flags %llu\n", row.name, row.version, static_cast<unsigned long long>(row.flags));
    REQUIRE(right);
  }
  void* found = nullptr;
  for (const char* name : {"cuNoSuchCall", "cuMemAlloc_v2", ""}) {
    CUdriverProcAddressQueryResult status{};
    CU(cuGetProcAddress(name, &found, 13000, 0, &status));
    REQUIRE(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && found == nullptr);
  }
  const auto version_1 = find<PFN_cuGetProcAddress_v11030>("cuGetProcAddress", 11030);
  found = &found;
  CU_FAILS(CUDA_ERROR_NOT_FOUND, version_1("cuMemAlloc", &found, 1000, 0));
  REQUIRE(found == &found);
  CU(version_1("cuMemAlloc", &found, 13000, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", &found, 13010, 0, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", &found, 13000, 4, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuInit", nullptr, 13000, 0, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress(nullptr, &found, 13000, 0, nullptr));
}

/// Managed memory, by calls of CUDA 8.
void check_managed() {
  CUdeviceptr managed = 0;
  CU(cuMemAllocManaged(&managed, 1 << 20, CU_MEM_ATTACH_GLOBAL));
  std::memset(reinterpret_cast<void*>(managed), 3, 1 << 20);
  const auto advise = find<PFN_cuMemAdvise_v8000>("cuMemAdvise", 8000);
  const auto prefetch = find<PFN_cuMemPrefetchAsync_v8000>("cuMemPrefetchAsync", 8000);
  CU(advise(managed, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  CU(prefetch(managed, 1 << 20, 0, nullptr));
  CU(prefetch(managed, 1 << 20, CU_DEVICE_CPU, nullptr));
  CU(cuCtxSynchronize());
  REQUIRE(reinterpret_cast<const char*>(managed)[4095] == 3);
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, prefetch(managed, 1 << 20, 77, nullptr));
  CU(cuMemFree(managed));
}

/// As CUDA 11 had it; cuda.h names another call so.
using Instantiate = CUresult (*)(CUgraphExec*, CUgraph, CUgraphNode*, char*, size_t);

/// A graph of one kernel node, by calls of CUDA 10 and 11.
void check_graph(CUfunction add) {
  constexpr int kCount = 64;
  CUdeviceptr a = 0, b = 0, c = 0;
  for (CUdeviceptr* const pointer : {&a, &b, &c}) CU(cuMemAlloc(pointer, kCount * sizeof(float)));
  CU(cuMemsetD32(a, 0x3f800000, kCount));
  CU(cuMemsetD32(b, 0x40000000, kCount));
  int count = kCount;
  void* arguments[] = {&a, &b, &c, &count};
  CUDA_KERNEL_NODE_PARAMS_v1 parameters{};
  parameters.func = add;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.blockDimX = kCount;
  parameters.kernelParams = arguments;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr, second = nullptr;
  CU(cuGraphCreate(&graph, 0));
  const auto add_node = find<PFN_cuGraphAddKernelNode_v10000>("cuGraphAddKernelNode", 11000);
  CU(add_node(&node, graph, nullptr, 0, &parameters));
  CU(cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  CU(find<PFN_cuGraphAddDependencies_v10000>("cuGraphAddDependencies", 10000)(graph, &node, &second, 1));
  size_t edges = 0, before = 0;
  CU(find<PFN_cuGraphGetEdges_v10000>("cuGraphGetEdges", 12000)(graph, nullptr, nullptr, &edges));
  CU(find<PFN_cuGraphNodeGetDependencies_v10000>("cuGraphNodeGetDependencies", 12000)(second, nullptr, &before));
  REQUIRE(edges == 1 && before == 1);
  CUDA_KERNEL_NODE_PARAMS_v1 read{};
  CU(find<PFN_cuGraphKernelNodeGetParams_v10000>("cuGraphKernelNodeGetParams", 11000)(node, &read));
  REQUIRE(read.func == add && read.blockDimX == kCount);
  CUgraphExec exec = nullptr;
  char log[16] = "unchanged";
  CU(find<Instantiate>("cuGraphInstantiate", 11000)(&exec, graph, nullptr, log, sizeof log));
  REQUIRE(log[0] == '\0');
  CU(cuGraphLaunch(exec, nullptr));
  float sum = 0;
  CU(cuMemcpyDtoH(&sum, c + 40, sizeof sum));
  REQUIRE(sum == 3);
  // Updated, it adds other arrays.
  arguments[1] = &c;
  CU(find<PFN_cuGraphKernelNodeSetParams_v10000>("cuGraphKernelNodeSetParams", 11000)(node, &parameters));
  CUgraphNode failed = node;
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
  CU(find<PFN_cuGraphExecUpdate_v10020>("cuGraphExecUpdate", 11000)(exec, graph, &failed, &result));
  REQUIRE(result == CU_GRAPH_EXEC_UPDATE_SUCCESS && failed == nullptr);
  CU(cuGraphLaunch(exec, nullptr));
  CU(cuMemcpyDtoH(&sum, c + 40, sizeof sum));
  REQUIRE(sum == 4);
  CU(cuGraphExecDestroy(exec));
  CU(cuGraphDestroy(graph));
  for (const CUdeviceptr pointer : {a, b, c}) CU(cuMemFree(pointer));
}

/// A capture as CUDA 10.0 began it, and values that streams wait for as CUDA 8 had them.
void check_streams() {
  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr word = 0;
  CU(cuMemAlloc(&word, sizeof(cuuint32_t)));
  CU(find<CUresult (*)(CUstream)>("cuStreamBeginCapture", 10000)(stream));
  CU(cuMemsetD32Async(word, 5, 1, stream));
  CUstreamCaptureStatus status{};
  cuuint64_t id = 0;
  CU(find<PFN_cuStreamGetCaptureInfo_v10010>("cuStreamGetCaptureInfo", 10010)(stream, &status, &id));
  REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0);
  CUgraph captured = nullptr, graph = nullptr;
  const CUgraphNode* last = nullptr;
  size_t count = 0;
  CU(find<PFN_cuStreamGetCaptureInfo_v11030>("cuStreamGetCaptureInfo", 12000)(stream, &status, &id, &captured, &last,
                                                                              &count));
  REQUIRE(count == 1 && last != nullptr && captured != nullptr);
  CU(cuStreamEndCapture(stream, &graph));
  CU(cuGraphDestroy(graph));
  CU(find<PFN_cuStreamWriteValue32_v8000>("cuStreamWriteValue32", 8000)(stream, word, 9, 0));
  CU(find<PFN_cuStreamWaitValue32_v8000>("cuStreamWaitValue32", 8000)(stream, word, 9, CU_STREAM_WAIT_VALUE_EQ));
  CU(cuStreamSynchronize(stream));
  cuuint32_t value = 0;
  CU(cuMemcpyDtoH(&value, word, sizeof value));
  REQUIRE(value == 9);
  CU(cuMemFree(word));
  CU(cuStreamDestroy(stream));
}

}  // namespace

int main(int, char** arguments) {
  const CUcontext context = make_context();
  check_names();
  check_managed();
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  CU(cuModuleLoad(&module, beside(arguments[0], "kernels.ptx").c_str()));
  CU(cuModuleGetFunction(&add, module, "vector_add"));
  check_graph(add);
  check_streams();
  CU(cuModuleUnload(module));
  CU(cuCtxDestroy(context));
  return passed("older_calls");
}
