// Green contexts: a device split in two, kernels that keep to their part and run beside each other, and events that
// stand for all work of a context. Sizes and errors are those of an H100 (driver 580.159, 2026-11-27).
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "sample.h"

namespace {

/// Each block writes the multiprocessor that it ran on, and adds for a while.
constexpr char kKernel[] = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry where(.param .u64 out, .param .u32 rounds)
{
  .reg .b32 %r<6>;
  .reg .b64 %l<4>;
  .reg .f32 %f<3>;
  .reg .pred %p;
  ld.param.u64 %l1, [out];
  cvta.to.global.u64 %l1, %l1;
  ld.param.u32 %r1, [rounds];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %smid;
  mov.f32 %f1, 0f3F800000;
again:
  fma.rn.f32 %f1, %f1, %f1, 0f3F000000;
  add.u32 %r1, %r1, -1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra again;
  setp.eq.f32 %p, %f1, 0f00000000;
  @%p mov.u32 %r3, 0;
  mul.wide.u32 %l2, %r2, 4;
  add.u64 %l3, %l1, %l2;
  st.global.u32 [%l3], %r3;
  ret;
}
)";

constexpr unsigned kBlocks = 4224;  // As many as an H200 has room for at once, so that half of it takes several rounds.

struct Program {
  CUfunction where = nullptr;
  CUdeviceptr out[2] = {};
  CUevent start = nullptr, end = nullptr;

  void launch(CUstream stream, unsigned buffer, unsigned rounds) const {
    CUdeviceptr to = out[buffer];
    void* parameters[] = {&to, &rounds};
    CU(cuLaunchKernel(where, kBlocks, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr));
  }
  std::set<unsigned> multiprocessors(unsigned buffer) const {
    std::vector<unsigned> ids(kBlocks);
    CU(cuMemcpyDtoH(ids.data(), out[buffer], kBlocks * sizeof(unsigned)));
    return {ids.begin(), ids.end()};
  }
  float time(CUstream stream, unsigned rounds) const {
    float milliseconds = 0;
    CU(cuEventRecord(start, stream));
    launch(stream, 0, rounds);
    CU(cuEventRecord(end, stream));
    CU(cuEventSynchronize(end));
    CU(cuEventElapsedTime(&milliseconds, start, end));
    return milliseconds;
  }
};

/// Two parts of @p least multiprocessors at least.
std::vector<CUdevResource> split(const CUdevResource& whole, unsigned least) {
  unsigned groups = 0;
  CU(cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, 0, least));
  REQUIRE(groups >= 2);
  groups = 2;
  std::vector<CUdevResource> parts(2);
  CUdevResource rest{};
  CU(cuDevSmResourceSplitByCount(parts.data(), &groups, &whole, &rest, 0, least));
  REQUIRE(groups == 2 && parts[0].sm.smCount >= least && parts[0].sm.smCount == parts[1].sm.smCount);
  REQUIRE(parts[0].sm.smCount % whole.sm.smCoscheduledAlignment == 0);
  const unsigned left = whole.sm.smCount - 2 * parts[0].sm.smCount;
  REQUIRE(left == 0 ? rest.type == CU_DEV_RESOURCE_TYPE_INVALID : rest.sm.smCount == left);
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
           cuDevSmResourceSplitByCount(nullptr, &groups, parts.data(), nullptr, 0, 8));
  return parts;
}

CUgreenCtx make_green(CUdevResource part) {
  CUdevResourceDesc descriptor = nullptr;
  CUgreenCtx green = nullptr;
  CU(cuDevResourceGenerateDesc(&descriptor, &part, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGreenCtxCreate(&green, descriptor, 0, 0));
  CU(cuGreenCtxCreate(&green, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  CUdevResource has{};
  CU(cuGreenCtxGetDevResource(green, &has, CU_DEV_RESOURCE_TYPE_SM));
  REQUIRE(has.sm.smCount == part.sm.smCount);
  return green;
}

void check_refusals(CUdevResource whole) {
  unsigned groups = 0;
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
           cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, 0, whole.sm.smCount + 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, 3, 8));
  // The least number of multiprocessors, how many parts, and how large they are.
  constexpr std::array<unsigned, 3> kSplits[] = {{0, 15, 8}, {9, 8, 16}, {66, 1, 72}, {131, 1, 132}};
  for (const auto& [least, parts, size] : kSplits) {
    CU(cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, 8, least));  // Flag 8 is ignored.
    REQUIRE(groups == parts);
    CUdevResource first{};
    groups = 1;
    CU(cuDevSmResourceSplitByCount(&first, &groups, &whole, nullptr, 0, least));
    REQUIRE(first.sm.smCount == size);
  }
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDevSmResourceSplitByCount(nullptr, nullptr, &whole, nullptr, 0, 8));
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_INVALID));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDevResource(99, &whole, CU_DEV_RESOURCE_TYPE_SM));
  CUdevResource none{};
  CUdevResourceDesc descriptor = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDevSmResourceSplitByCount(nullptr, &groups, &none, nullptr, 0, 8));
  CU_FAILS(CUDA_ERROR_INVALID_RESOURCE_TYPE, cuDevResourceGenerateDesc(&descriptor, &none, 1));
  // Without clusters in mind the parts may be smaller.
  CU(cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING,
                                 2));
  REQUIRE(groups == whole.sm.smCount / 2);
}

/// Kernels of each part keep to it, and the two do not slow each other down.
void check_parts(const Program& program, CUgreenCtx const (&greens)[2], unsigned count) {
  CUstream streams[2] = {};
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGreenCtxStreamCreate(&streams[0], greens[0], CU_STREAM_DEFAULT, 0));
  for (unsigned i = 0; i < 2; ++i) CU(cuGreenCtxStreamCreate(&streams[i], greens[i], CU_STREAM_NON_BLOCKING, 0));
  constexpr unsigned kRounds = 2000;
  program.time(nullptr, 1);  // The first launch loads the kernel.
  const float whole = program.time(nullptr, kRounds), alone = program.time(streams[0], kRounds);
  REQUIRE(alone > 1.5f * whole);
  CUevent all = nullptr;
  CU(cuEventCreate(&all, CU_EVENT_DEFAULT));
  CU(cuEventRecord(program.start, streams[0]));
  for (unsigned i = 0; i < 2; ++i) program.launch(streams[i], i, kRounds);
  CU(cuStreamSynchronize(streams[1]));
  CU(cuEventRecord(all, streams[0]));
  CU(cuEventSynchronize(all));
  float both = 0;
  CU(cuEventElapsedTime(&both, program.start, all));
  REQUIRE(both < 1.3f * alone);
  const std::set<unsigned> first = program.multiprocessors(0), second = program.multiprocessors(1);
  REQUIRE(first.size() == count && second.size() == count);
  for (const unsigned id : first) REQUIRE(second.count(id) == 0);

  CUcontext context = nullptr, primary = nullptr;
  CUgreenCtx green = nullptr;
  CU(cuDevicePrimaryCtxRetain(&primary, 0));
  CU(cuStreamGetCtx_v2(streams[1], &context, &green));
  REQUIRE(green == greens[1] && context == primary);
  CU(cuStreamGetGreenCtx(streams[0], &green));
  REQUIRE(green == greens[0]);
  for (const CUstream stream : streams) CU(cuStreamDestroy(stream));
  CU(cuEventDestroy(all));
  CU(cuDevicePrimaryCtxRelease(0));
}

/// What a thread does to which the green context is current: its default stream, and streams that it makes.
void check_current(const Program& program, CUgreenCtx green, unsigned count) {
  CUcontext before = nullptr, context = nullptr, now = nullptr;
  CUdevResource has{};
  CU(cuCtxGetCurrent(&before));
  CU(cuCtxFromGreenCtx(&context, green));
  CU(cuCtxPushCurrent(context));
  CU(cuCtxGetCurrent(&now));
  REQUIRE(now == context);
  CU(cuCtxGetDevResource(context, &has, CU_DEV_RESOURCE_TYPE_SM));
  REQUIRE(has.sm.smCount == count);
  program.launch(nullptr, 0, 1);
  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  program.launch(stream, 1, 1);
  CU(cuCtxSynchronize());
  REQUIRE(program.multiprocessors(0).size() == count && program.multiprocessors(1) == program.multiprocessors(0));
  CU(cuStreamDestroy(stream));
  CU(cuCtxPopCurrent(&now));
  REQUIRE(now == context);
  program.launch(nullptr, 0, 1);
  REQUIRE(program.multiprocessors(0).size() > count);
}

/// An event behind all streams of a context, and streams that wait for it.
void check_events(const Program& program, CUgreenCtx const (&greens)[2]) {
  CUstream a = nullptr, b = nullptr, other = nullptr;
  CUevent all = nullptr, behind = nullptr;
  CU(cuGreenCtxStreamCreate(&a, greens[0], CU_STREAM_NON_BLOCKING, 0));
  CU(cuGreenCtxStreamCreate(&b, greens[0], CU_STREAM_NON_BLOCKING, 0));
  CU(cuGreenCtxStreamCreate(&other, greens[1], CU_STREAM_NON_BLOCKING, 0));
  CU(cuEventCreate(&all, CU_EVENT_DEFAULT));
  CU(cuEventCreate(&behind, CU_EVENT_DEFAULT));
  const float short_time = program.time(a, 100), long_time = program.time(b, 4000);
  CU(cuCtxSynchronize());
  CU(cuEventRecord(program.start, a));
  program.launch(a, 0, 100);
  program.launch(b, 1, 4000);
  CU(cuGreenCtxRecordEvent(greens[0], all));
  CU(cuGreenCtxWaitEvent(greens[1], all));
  CU(cuEventRecord(behind, other));
  CU(cuEventSynchronize(behind));
  float until = 0;
  CU(cuEventElapsedTime(&until, program.start, behind));
  REQUIRE(until > 0.9f * long_time && long_time > 2 * short_time);
  // The primary context stands for its green ones, too.
  CUcontext primary = nullptr;
  CU(cuDevicePrimaryCtxRetain(&primary, 0));
  CU(cuEventRecord(program.start, b));
  program.launch(b, 1, 4000);
  CU(cuCtxRecordEvent(primary, all));
  CU(cuCtxWaitEvent(primary, all));
  CU(cuEventRecord(behind, other));
  CU(cuEventSynchronize(behind));
  CU(cuEventElapsedTime(&until, program.start, behind));
  REQUIRE(until > 0.9f * long_time);
  CU(cuDevicePrimaryCtxRelease(0));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxRecordEvent(nullptr, all));
  for (const CUstream stream : {a, b, other}) CU(cuStreamDestroy(stream));
}

}  // namespace

int main() {
  CU(cuInit(0));
  CUcontext primary = nullptr;
  CU(cuDevicePrimaryCtxRetain(&primary, 0));
  CU(cuCtxSetCurrent(primary));
  CUdevResource whole{};
  int multiprocessors = 0;
  CU(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
  CU(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  REQUIRE(whole.type == CU_DEV_RESOURCE_TYPE_SM && whole.sm.smCount == static_cast<unsigned>(multiprocessors));
  check_refusals(whole);

  Program program;
  CUmodule module = nullptr;
  CU(cuModuleLoadData(&module, kKernel));
  CU(cuModuleGetFunction(&program.where, module, "where"));
  for (CUdeviceptr& out : program.out) CU(cuMemAlloc(&out, kBlocks * sizeof(unsigned)));
  CU(cuEventCreate(&program.start, CU_EVENT_DEFAULT));
  CU(cuEventCreate(&program.end, CU_EVENT_DEFAULT));
  const std::vector<CUdevResource> parts = split(whole, whole.sm.smCount / 2 - 8);
  const unsigned count = parts[0].sm.smCount;
  CUgreenCtx greens[2] = {make_green(parts[0]), make_green(parts[1])};
  unsigned long long ids[2] = {};
  for (unsigned i = 0; i < 2; ++i) CU(cuGreenCtxGetId(greens[i], &ids[i]));
  REQUIRE(ids[0] != ids[1]);
  check_parts(program, greens, count);
  check_current(program, greens[1], count);
  check_events(program, greens);
  for (const CUgreenCtx green : greens) CU(cuGreenCtxDestroy(green));
  CU_FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGreenCtxGetId(greens[0], &ids[0]));
  CU(cuModuleUnload(module));
  CU(cuDevicePrimaryCtxRelease(0));
  return passed("green_contexts");
}
