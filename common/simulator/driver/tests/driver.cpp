// A program of the CUDA driver API: contexts, modules, memory, launches, streams, errors. Arguments: PTX, fat binary.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

int checks = 0, failures = 0;

const char* name_of(CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  return name;
}

void answers(CUresult wanted, CUresult answer, int line, const char* call) {
  ++checks;
  if (answer == wanted) return;
  ++failures;
  std::printf("line %d: %s answered %s, not %s\n", line, call, name_of(answer), name_of(wanted));
}

void check(bool holds, int line, const char* what) {
  ++checks;
  if (holds) return;
  ++failures;
  std::printf("line %d: failed: %s\n", line, what);
}

#define ANSWERS(wanted, call) answers(wanted, call, __LINE__, #call)
#define SUCCEEDS(call) answers(CUDA_SUCCESS, call, __LINE__, #call)
#define CHECK(expression) check(expression, __LINE__, #expression)

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Fills a surface and reads it back through a texture, four texels at once, in hand-written PTX without nvcc.
const char* const kImageModule = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 to)
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; shl.b32 %r3, %r1, 2;
  mad.lo.u32 %r1, %r2, 100, %r1;
  sust.b.2d.b32.trap [%rd1, {%r3, %r2}], {%r1};
  ret;
}
.visible .entry take(.param .u64 from, .param .u64 to)
{
  .reg .b32 %r<12>; .reg .f32 %f<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; cvt.rn.f32.u32 %f1, %r1; cvt.rn.f32.u32 %f2, %r2;
  tex.2d.v4.s32.f32 {%r4, %r5, %r6, %r7}, [%rd1, {%f1, %f2}];
  mad.lo.u32 %r3, %r2, 8, %r1; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd2, %rd2, %rd3;
  st.global.b32 [%rd2], %r4;
  ret;
}
)";

void check_images() {
  CUmodule module = nullptr;
  CUfunction fill = nullptr, take = nullptr;
  SUCCEEDS(cuModuleLoadData(&module, kImageModule));
  SUCCEEDS(cuModuleGetFunction(&fill, module, "fill"));
  SUCCEEDS(cuModuleGetFunction(&take, module, "take"));
  CUDA_ARRAY3D_DESCRIPTOR shape = {8, 4, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST}, found = {};
  CUarray array = nullptr, plain = nullptr;
  SUCCEEDS(cuArray3DCreate(&array, &shape));
  SUCCEEDS(cuArray3DGetDescriptor(&found, array));
  CHECK(found.Width == shape.Width && found.Height == shape.Height && found.Depth == shape.Depth);
  CHECK(found.Format == shape.Format && found.NumChannels == shape.NumChannels && found.Flags == shape.Flags);
  CUDA_RESOURCE_DESC resource = {}, asked = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  CUtexObject texture = 0;
  CUDA_TEXTURE_DESC sampling = {};
  sampling.flags = CU_TRSF_READ_AS_INTEGER;
  SUCCEEDS(cuSurfObjectCreate(&surface, &resource));
  SUCCEEDS(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  SUCCEEDS(cuTexObjectGetResourceDesc(&asked, texture));
  CHECK(asked.resType == CU_RESOURCE_TYPE_ARRAY && asked.res.array.hArray == array);
  CUdeviceptr out = 0;
  SUCCEEDS(cuMemAlloc(&out, 128));
  void* to_fill[] = {&surface};
  void* to_take[] = {&texture, &out};
  SUCCEEDS(cuLaunchKernel(fill, 1, 1, 1, 8, 4, 1, 0, nullptr, to_fill, nullptr));
  SUCCEEDS(cuLaunchKernel(take, 1, 1, 1, 8, 4, 1, 0, nullptr, to_take, nullptr));
  int got[32] = {}, rows[4][6] = {};
  SUCCEEDS(cuMemcpyDtoH(got, out, 128));
  bool right = true;
  for (int i = 0; i < 32; ++i) right = right && got[i] == i / 8 * 100 + i % 8;
  CHECK(right);
  // Two columns of the array, to the middle of the host's rows.
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = rows;
  copy.dstXInBytes = 4;
  copy.dstPitch = sizeof rows[0];
  copy.WidthInBytes = 8;
  copy.Height = 4;
  SUCCEEDS(cuMemcpy2D(&copy));
  for (int y = 0; y < 4; ++y)
    right = right && rows[y][0] == 0 && rows[y][1] == 100 * y + 3 && rows[y][2] == 100 * y + 4 && rows[y][3] == 0;
  CHECK(right);
  copy.srcXInBytes = 28;
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  CUDA_ARRAY_DESCRIPTOR flat = {16, 0, CU_AD_FORMAT_HALF, 4};
  SUCCEEDS(cuArrayCreate(&plain, &flat));
  resource.res.array.hArray = plain;
  CUsurfObject none = 0;
  SUCCEEDS(cuSurfObjectCreate(&none, &resource));  // Even though the array's flags do not allow it.
  SUCCEEDS(cuSurfObjectDestroy(none));
  SUCCEEDS(cuArrayDestroy(plain));
  SUCCEEDS(cuTexObjectDestroy(texture));
  SUCCEEDS(cuSurfObjectDestroy(surface));
  SUCCEEDS(cuArrayDestroy(array));
  SUCCEEDS(cuMemFree(out));
  SUCCEEDS(cuModuleUnload(module));
}

void check_before_initialisation() {
  int count = 0;
  ANSWERS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  SUCCEEDS(cuInit(0));
  SUCCEEDS(cuDeviceGetCount(&count));
  CHECK(count == 1);
  CUdeviceptr memory = 0;
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
  CUcontext none = nullptr;
  SUCCEEDS(cuCtxGetCurrent(&none));
  CHECK(none == nullptr);
  ANSWERS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&count, 1));
}

void check_device() {
  char name[64];
  int warp = 0, major = 0;
  std::size_t bytes = 0;
  SUCCEEDS(cuDeviceGetName(name, sizeof name, 0));
  CHECK(std::strstr(name, "H200") != nullptr);
  SUCCEEDS(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  SUCCEEDS(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  SUCCEEDS(cuDeviceTotalMem(&bytes, 0));
  CHECK(warp == 32 && major == 9 && bytes > (std::size_t{100} << 30));
  const char* text = nullptr;
  SUCCEEDS(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  CHECK(std::string(text) == "invalid argument");
  CHECK(std::string(name_of(CUDA_ERROR_NOT_FOUND)) == "CUDA_ERROR_NOT_FOUND");
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(static_cast<CUresult>(12345), &text));
}

/// Runs scale and count_up of a loaded module.
void check_module(CUmodule module) {
  CUfunction scale = nullptr, count_up = nullptr, none = nullptr;
  SUCCEEDS(cuModuleGetFunction(&scale, module, "scale"));
  SUCCEEDS(cuModuleGetFunction(&count_up, module, "count_up"));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "no_such_kernel"));
  int registers = 0, threads = 0, grid = 0, block = 0;
  SUCCEEDS(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
  SUCCEEDS(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
  CHECK(registers > 0 && threads == 1024);
  SUCCEEDS(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0));
  CHECK(grid == 132 * 2 && block == 1024);
  SUCCEEDS(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 32));
  CHECK(grid == 132 * 32 && block == 32);

  constexpr int kCount = 1000;
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i;
  CUdeviceptr data = 0, base = 0;
  std::size_t bytes = 0;
  SUCCEEDS(cuMemAlloc(&data, kCount * sizeof(int)));
  SUCCEEDS(cuMemGetAddressRange(&base, &bytes, data + 40));
  CHECK(base == data && bytes == kCount * sizeof(int));
  SUCCEEDS(cuMemcpyHtoD(data, values.data(), bytes));
  int count = kCount, add = 7;
  void* parameters[] = {&data, &count, &add};
  SUCCEEDS(cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  struct {
    CUdeviceptr data;
    int count, add;
  } packed{data, kCount, -1};
  std::size_t packed_bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                   CU_LAUNCH_PARAM_END};
  SUCCEEDS(cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, parameters, extra));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 4, 1, 1, 2048, 1, 1, 0, nullptr, parameters, nullptr));
  SUCCEEDS(cuMemcpyDtoH(values.data(), data, bytes));
  bool same = true;
  for (int i = 0; i < kCount; ++i) same = same && values[i] == (i * 3 + 7) * 3 - 1;
  CHECK(same);

  CUdeviceptr counter = 0;
  SUCCEEDS(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
  CHECK(bytes == sizeof(int));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&counter, &bytes, module, "nothing"));
  SUCCEEDS(cuLaunchKernel(count_up, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  int value = 0;
  SUCCEEDS(cuMemcpyDtoH(&value, counter, sizeof value));
  CHECK(value == 5 + 64);

  SUCCEEDS(cuMemsetD32(data, 0x01020304, kCount));
  SUCCEEDS(cuMemsetD8(data + 4, 9, 4));
  SUCCEEDS(cuMemcpyDtoH(values.data(), data, 16));
  CHECK(values[0] == 0x01020304 && values[1] == 0x09090909 && values[2] == 0x01020304);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(data + 1, 0, 1));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(data, values.data(), kCount * sizeof(int) + 1));
  SUCCEEDS(cuMemFree(data));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(data));
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, data));
}

void check_links(const std::string& ptx) {
  // The second unit calls a function of the first, and both have a module-local variable of the same name.
  const char* const head = ".version 7.0\n.target sm_80\n.address_size 64\n.global .u32 local_value = ";
  const std::string callee = std::string(head) +
                             "4;\n.visible .func (.param .u32 r) four()\n{\n.reg .u32 %a;\nld.global.u32 %a, "
                             "[local_value];\nst.param.u32 [r], %a;\nret;\n}\n";
  const std::string caller = std::string(head) +
                             "30;\n.extern .func (.param .u32 r) four();\n.visible .entry sum(.param .u64 p)\n{\n"
                             ".reg .u32 %a<3>;\n.reg .u64 %p;\n{\n.param .u32 v;\ncall (v), four;\n"
                             "ld.param.u32 %a0, [v];\n}\nld.global.u32 %a1, [local_value];\nadd.u32 %a2, %a0, %a1;\n"
                             "ld.param.u64 %p, [p];\nst.global.u32 [%p], %a2;\nret;\n}\n";
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUlinkState state = nullptr;
  SUCCEEDS(cuLinkCreate(2, options, values, &state));
  for (const std::string* text : {&caller, &callee}) {
    SUCCEEDS(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text->c_str()), text->size() + 1, "unit", 0,
                           nullptr, nullptr));
  }
  ANSWERS(CUDA_ERROR_INVALID_PTX,
          cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>("nonsense"), 9, "bad.ptx", 0, nullptr, nullptr));
  CHECK(std::strstr(log, "bad.ptx: ptx line 1") != nullptr);
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED,
          cuLinkAddData(state, CU_JIT_INPUT_CUBIN, const_cast<char*>(ptx.data()), ptx.size(), "", 0, nullptr, nullptr));
  void* image = nullptr;
  std::size_t bytes = 0;
  SUCCEEDS(cuLinkComplete(state, &image, &bytes));
  CUmodule module = nullptr;
  SUCCEEDS(cuModuleLoadData(&module, image));
  SUCCEEDS(cuLinkDestroy(state));
  CUfunction sum = nullptr;
  SUCCEEDS(cuModuleGetFunction(&sum, module, "sum"));
  CUdeviceptr out = 0;
  SUCCEEDS(cuMemAlloc(&out, sizeof(int)));
  void* parameters[] = {&out};
  SUCCEEDS(cuLaunchKernel(sum, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  int value = 0;
  SUCCEEDS(cuMemcpyDtoH(&value, out, sizeof value));
  CHECK(value == 34);
  SUCCEEDS(cuMemFree(out));
  SUCCEEDS(cuModuleUnload(module));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
}

void check_streams() {
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  SUCCEEDS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SUCCEEDS(cuEventCreate(&start, CU_EVENT_DEFAULT));
  SUCCEEDS(cuEventCreate(&end, CU_EVENT_DEFAULT));
  void* pinned = nullptr;
  CUdeviceptr device = 0;
  constexpr std::size_t kBytes = 8 << 20;
  SUCCEEDS(cuMemHostAlloc(&pinned, kBytes, 0));
  SUCCEEDS(cuMemAlloc(&device, kBytes));
  SUCCEEDS(cuEventRecord(start, stream));
  SUCCEEDS(cuMemcpyHtoDAsync(device, pinned, kBytes, stream));
  SUCCEEDS(cuEventRecord(end, stream));
  ANSWERS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  struct Seen {
    CUresult status = CUDA_ERROR_UNKNOWN, inside = CUDA_SUCCESS;
  } seen;
  const auto callback = [](CUstream, CUresult status, void* data) {
    CUdevice device_of_thread;
    static_cast<Seen*>(data)->status = status;
    static_cast<Seen*>(data)->inside = cuCtxGetDevice(&device_of_thread);
  };
  SUCCEEDS(cuStreamAddCallback(stream, callback, &seen, 0));
  SUCCEEDS(cuStreamSynchronize(stream));
  CHECK(seen.status == CUDA_SUCCESS && seen.inside == CUDA_ERROR_NOT_PERMITTED);
  float milliseconds = 0;
  SUCCEEDS(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds > 0.1f && milliseconds < 1.0f);  // 8 MiB at some 55 GB/s
  SUCCEEDS(cuMemFreeHost(pinned));
  SUCCEEDS(cuMemFree(device));
  SUCCEEDS(cuEventDestroy(start));
  SUCCEEDS(cuEventDestroy(end));
  SUCCEEDS(cuStreamDestroy(stream));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
}

/// How many clusters fit on the device, and a shared pool, here shared with this process itself.
void check_clusters_and_pools(CUmodule module) {
  CUfunction scale = nullptr;
  SUCCEEDS(cuModuleGetFunction(&scale, module, "scale"));
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config{};
  config.gridDimX = 64;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 1024;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0, size = 0;
  SUCCEEDS(cuOccupancyMaxActiveClusters(&clusters, scale, &config));
  SUCCEEDS(cuOccupancyMaxPotentialClusterSize(&size, scale, &config));
  CHECK(clusters == 132 && size == 8);
  attribute.value.clusterDim.x = 3;
  ANSWERS(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuOccupancyMaxActiveClusters(&clusters, scale, &config));

  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr, imported = nullptr;
  SUCCEEDS(cuMemPoolCreate(&pool, &properties));
  int file = -1;
  ANSWERS(CUDA_ERROR_INVALID_VALUE,
          cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
  SUCCEEDS(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CUdeviceptr memory = 0, same = 0;
  SUCCEEDS(cuMemAllocFromPoolAsync(&memory, 4096, pool, nullptr));
  CUmemPoolPtrExportData data;
  SUCCEEDS(cuMemPoolExportPointer(&data, memory));
  void* const handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(file));
  SUCCEEDS(cuMemPoolImportFromShareableHandle(&imported, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  SUCCEEDS(cuMemPoolImportPointer(&same, imported, &data));
  CUmemLocation place{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccess_flags access{};
  SUCCEEDS(cuMemPoolGetAccess(&access, imported, &place));
  CHECK(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE && same != memory);
  SUCCEEDS(cuMemsetD32(same, 1234, 1));
  int value = 0;
  SUCCEEDS(cuMemcpyDtoH(&value, memory, sizeof value));
  CHECK(value == 1234);
  SUCCEEDS(cuMemFreeAsync(same, nullptr));
  SUCCEEDS(cuMemFreeAsync(memory, nullptr));
  SUCCEEDS(cuMemPoolDestroy(pool));
}

void check_both_interfaces() {
  // There is one device: the driver knows the runtime's memory. The runtime's last error is not changed by the driver.
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 64) == cudaSuccess);
  std::size_t bytes = 0;
  SUCCEEDS(cuMemGetAddressRange(nullptr, &bytes, reinterpret_cast<CUdeviceptr>(memory)));
  CHECK(bytes == 64);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(nullptr, 1));
  CHECK(cudaGetLastError() == cudaSuccess);
  SUCCEEDS(cuMemFree(reinterpret_cast<CUdeviceptr>(memory)));
  CHECK(cudaFree(memory) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

void check_contexts(CUcontext first) {
  CUcontext second = nullptr, current = nullptr;
  SUCCEEDS(cuCtxCreate(&second, nullptr, 0, 0));
  CUdeviceptr memory = 0;
  SUCCEEDS(cuMemAlloc(&memory, 100));
  SUCCEEDS(cuCtxGetCurrent(&current));
  CHECK(current == second);
  SUCCEEDS(cuCtxDestroy(second));
  SUCCEEDS(cuCtxGetCurrent(&current));
  CHECK(current == first);
  ANSWERS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&memory, nullptr, memory));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(second));
  void* call = nullptr;
  CUdriverProcAddressQueryResult status;
  SUCCEEDS(cuGetProcAddress("cuMemAlloc", &call, 13000, 0, &status));
  CHECK(call == reinterpret_cast<void*>(&cuMemAlloc) && status == CU_GET_PROC_ADDRESS_SUCCESS);
}

}  // namespace

int main(int, char** argv) {
  const std::string ptx = read_file(argv[1]), fat = read_file(argv[2]);
  check_before_initialisation();
  check_device();
  CUcontext context = nullptr;
  SUCCEEDS(cuCtxCreate(&context, nullptr, 0, 0));
  CUmodule module = nullptr;
  SUCCEEDS(cuModuleLoadData(&module, ptx.c_str()));
  check_module(module);
  SUCCEEDS(cuModuleUnload(module));
  SUCCEEDS(cuModuleLoadData(&module, fat.data()));
  check_module(module);
  SUCCEEDS(cuModuleUnload(module));
  SUCCEEDS(cuModuleLoad(&module, argv[1]));
  ANSWERS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nonexistent.ptx"));
  check_clusters_and_pools(module);
  check_links(ptx);
  check_images();
  check_streams();
  check_contexts(context);
  check_both_interfaces();
  CUarray plane = nullptr;
  for (int i = 0; i < 2; ++i) ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuArrayGetPlane(&plane, nullptr, 0));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // Texture references.
  CUtexref reference = nullptr;
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuModuleGetTexRef(&reference, module, "image"));
  ANSWERS(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetFlags(reference, 0));
#pragma GCC diagnostic pop

  CUfunction bad = nullptr;
  CUdeviceptr data = 0;
  SUCCEEDS(cuModuleGetFunction(&bad, module, "out_of_bounds"));
  SUCCEEDS(cuMemAlloc(&data, 4));
  void* parameters[] = {&data};
  SUCCEEDS(cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  ANSWERS(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&data, 4));
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
