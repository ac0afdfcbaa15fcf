// Kernels inside NVTX ranges and after cudaProfilerStart: what a profile records of them, and how it can be filtered.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <thread>

#include "check.h"

namespace {

template <int Number>
__global__ void work(int* out) {
  atomicAdd(out, Number);
}

__global__ void finish(int* out) { *out *= 2; }

nvtxEventAttributes_t attributes(const char* text, nvtxStringHandle_t registered = nullptr) {
  nvtxEventAttributes_t all{};
  all.version = NVTX_VERSION;
  all.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  all.messageType = registered == nullptr ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_REGISTERED;
  if (registered == nullptr)
    all.message.ascii = text;
  else
    all.message.registered = registered;
  return all;
}

}  // namespace

int main(int argc, char**) {
  // Without a tool the calls answer NVTX_NO_PUSH_POP_TRACKING: with arguments the test says that there is none.
  const bool tracked = argc == 1;
  const auto level = [&](int wanted) { return tracked ? wanted : NVTX_NO_PUSH_POP_TRACKING; };
  int* out = nullptr;
  SUCCEEDS(cudaMalloc(&out, sizeof *out));
  SUCCEEDS(cudaMemset(out, 0, sizeof *out));
  cudaStream_t stream;
  SUCCEEDS(cudaStreamCreate(&stream));
  nvtxNameCudaStreamA(stream, "side");
  nvtxNameCategoryA(7, "seven");

  CHECK(nvtxRangePushA("outer") == level(0));
  work<1><<<1, 1>>>(out);
  CHECK(nvtxRangePushW(L"inn\u00e9r \u2202") == level(1));
  work<2><<<1, 1>>>(out);
  const nvtxDomainHandle_t library = nvtxDomainCreateA("library");
  nvtxEventAttributes_t all = attributes(nullptr, nvtxDomainRegisterStringA(library, "registered"));
  all.category = 7;
  all.colorType = NVTX_COLOR_ARGB;
  all.color = 0xff00ff00;
  all.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  all.payload.iValue = -5;
  CHECK(nvtxDomainRangePushEx(library, &all) == level(0));
  work<3><<<1, 1, 0, stream>>>(out);
  CHECK(nvtxDomainRangePop(library) == level(0));
  CHECK(nvtxDomainRangePop(library) == (tracked ? -1 : NVTX_NO_PUSH_POP_TRACKING));
  CHECK(nvtxRangePop() == level(1));
  CHECK(nvtxRangePop() == level(0));

  const nvtxRangeId_t a = nvtxRangeStartA("a"), b = nvtxRangeStartA("b");
  work<4><<<1, 1>>>(out);
  nvtxRangeEnd(a);
  std::thread([&] {
    nvtxRangePushA("thread");
    work<5><<<1, 1>>>(out);
    nvtxRangePop();
  }).join();
  nvtxRangeEnd(b);
  nvtxMarkA("a mark");

  SUCCEEDS(cudaProfilerStart());
  work<6><<<1, 1>>>(out);
  // A graph launch belongs to the ranges around it, not to those around its capture.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  nvtxRangePushA("capture");
  finish<<<1, 1, 0, stream>>>(out);
  nvtxRangePop();
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph));
  nvtxRangePushA("graph");
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaProfilerStop());
  work<7><<<1, 1>>>(out);
  // "graph" is never popped.

  int result = 0;
  SUCCEEDS(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(result == 2 * 21 + 7);
  return report();
}
