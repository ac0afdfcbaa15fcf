// What must not be done while a stream captures, according to the documentation of CUDA 13: errors 900 to 908 and the
// state of the capture afterwards.
#include <thread>

#include "common/simulator/runtime/tests/check.h"

__global__ void add(int* sum, int value) { atomicAdd(sum, value); }

cudaStream_t stream, other;
cudaEvent_t event, second;
int* sum;

void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  SUCCEEDS(cudaStreamBeginCapture(stream, mode));
  add<<<1, 1, 0, stream>>>(sum, 1);
}

/// Ends the capture of `stream`. @returns nodes of the graph
size_t end(cudaError_t wanted) {
  cudaGraph_t graph = nullptr;
  ANSWERS(wanted, cudaStreamEndCapture(stream, &graph));
  CHECK((graph != nullptr) == (wanted == cudaSuccess));
  size_t nodes = 0;
  if (graph != nullptr) {
    SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
    SUCCEEDS(cudaGraphDestroy(graph));
  }
  cudaStreamCaptureStatus status;
  SUCCEEDS(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  cudaGetLastError();
  return nodes;
}

#define INVALIDATES(error, mode, call)      \
  do {                                      \
    begin(mode);                            \
    ANSWERS(error, call);                   \
    end(cudaErrorStreamCaptureInvalidated); \
  } while (0)

#define ALLOWED(mode, call) \
  do {                      \
    begin(mode);            \
    SUCCEEDS(call);         \
    end(cudaSuccess);       \
  } while (0)

cudaError_t allocate() {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, 64);
  return error != cudaSuccess ? error : cudaFree(memory);
}

cudaError_t in_thread(cudaError_t (*call)()) {
  cudaError_t error;
  std::thread([&] { error = call(); }).join();
  return error;
}

cudaError_t launch_in_legacy_stream() {
  add<<<1, 1>>>(sum, 1);
  return cudaGetLastError();
}

int main() {
  constexpr auto kGlobal = cudaStreamCaptureModeGlobal, kLocal = cudaStreamCaptureModeThreadLocal,
                 kRelaxed = cudaStreamCaptureModeRelaxed;
  cudaStreamCaptureStatus status;
  int host = 3;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamCreate(&other));
  SUCCEEDS(cudaEventCreate(&event));
  SUCCEEDS(cudaEventCreate(&second));
  SUCCEEDS(cudaMalloc(&sum, sizeof(int)));
  SUCCEEDS(cudaMemset(sum, 0, sizeof(int)));
  cudaGraph_t graph;

  // States.
  ANSWERS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, kGlobal));
  ANSWERS(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  begin();
  ANSWERS(cudaErrorIllegalState, cudaStreamBeginCapture(stream, kGlobal));
  ANSWERS(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(nullptr, &status));
  SUCCEEDS(cudaStreamIsCapturing(other, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  CHECK(end(cudaSuccess) == 1);

  // Waiting for work that does not run.
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kRelaxed, cudaStreamSynchronize(stream));
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kRelaxed, cudaStreamQuery(stream));
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kRelaxed, cudaDeviceSynchronize());
  // The legacy stream would wait for it.
  INVALIDATES(cudaErrorStreamCaptureImplicit, kRelaxed, launch_in_legacy_stream());
  INVALIDATES(cudaErrorStreamCaptureImplicit, kGlobal, cudaMemset(sum, 0, sizeof(int)));
  INVALIDATES(cudaErrorStreamCaptureImplicit, kRelaxed, cudaMemcpy(sum, &host, sizeof host, cudaMemcpyHostToDevice));
  // Unsafe calls, and the three modes.
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kGlobal, allocate());
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kLocal, allocate());
  ALLOWED(kRelaxed, allocate());
  INVALIDATES(cudaErrorStreamCaptureUnsupported, kGlobal, in_thread(allocate));
  ALLOWED(kLocal, in_thread(allocate));
  ALLOWED(kRelaxed, in_thread(allocate));
  cudaStreamCaptureMode mode = kRelaxed;
  begin();
  SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == kGlobal);
  SUCCEEDS(allocate());
  SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == kRelaxed);
  end(cudaSuccess);
  // After that every call that would add work returns this error.
  begin();
  ANSWERS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  SUCCEEDS(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusInvalidated);
  ANSWERS(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(sum, 0, sizeof(int), stream));
  end(cudaErrorStreamCaptureInvalidated);

  // Events.
  SUCCEEDS(cudaEventRecord(event, other));
  INVALIDATES(cudaErrorStreamCaptureIsolation, kGlobal, cudaStreamWaitEvent(stream, event, 0));
  begin(kRelaxed);
  SUCCEEDS(cudaEventRecord(event, stream));
  ANSWERS(cudaErrorCapturedEvent, cudaEventSynchronize(event));
  ANSWERS(cudaErrorInvalidValue, cudaEventQuery(event));  // That invalidated the capture.
  cudaGetLastError();
  cudaGraph_t ignored = nullptr;
  cudaStreamEndCapture(stream, &ignored);
  if (ignored != nullptr) SUCCEEDS(cudaGraphDestroy(ignored));
  cudaGetLastError();

  // Several streams.
  begin();
  SUCCEEDS(cudaEventRecord(event, stream));
  SUCCEEDS(cudaStreamWaitEvent(other, event, 0));
  SUCCEEDS(cudaStreamIsCapturing(other, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  add<<<1, 1, 0, other>>>(sum, 1);
  SUCCEEDS(cudaEventRecord(second, other));
  SUCCEEDS(cudaStreamWaitEvent(stream, second, 0));
  CHECK(end(cudaSuccess) == 2);
  SUCCEEDS(cudaStreamIsCapturing(other, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  begin();
  SUCCEEDS(cudaEventRecord(event, stream));
  SUCCEEDS(cudaStreamWaitEvent(other, event, 0));
  add<<<1, 1, 0, other>>>(sum, 1);
  end(cudaErrorStreamCaptureUnjoined);
  for (const bool joined : {true, false}) {  // Of a stream that is gone the work remains.
    cudaStream_t brief;
    SUCCEEDS(cudaStreamCreate(&brief));
    begin();
    SUCCEEDS(cudaEventRecord(event, stream));
    SUCCEEDS(cudaStreamWaitEvent(brief, event, 0));
    add<<<1, 1, 0, brief>>>(sum, 1);
    if (joined) {
      SUCCEEDS(cudaEventRecord(second, brief));
      SUCCEEDS(cudaStreamWaitEvent(stream, second, 0));
    }
    SUCCEEDS(cudaStreamDestroy(brief));
    SUCCEEDS(cudaStreamIsCapturing(stream, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    CHECK(end(joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined) == (joined ? 2 : 0));
  }
  begin();
  SUCCEEDS(cudaEventRecord(event, stream));
  SUCCEEDS(cudaStreamWaitEvent(other, event, 0));
  ANSWERS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
  end(cudaErrorStreamCaptureInvalidated);
  begin();
  SUCCEEDS(cudaStreamBeginCapture(other, kGlobal));
  SUCCEEDS(cudaEventRecord(event, stream));
  ANSWERS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(other, event, 0));
  ANSWERS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(other, &graph));
  end(cudaErrorStreamCaptureInvalidated);

  // Threads.
  begin();
  ANSWERS(cudaErrorStreamCaptureWrongThread, in_thread([] {
            cudaGraph_t captured;
            return cudaStreamEndCapture(stream, &captured);
          }));
  cudaStreamEndCapture(stream, &ignored);
  cudaGetLastError();
  begin(kRelaxed);
  SUCCEEDS(in_thread([] {
    cudaGraph_t captured;
    const cudaError_t error = cudaStreamEndCapture(stream, &captured);
    return error != cudaSuccess ? error : cudaGraphDestroy(captured);
  }));

  // Dependencies set explicitly.
  begin();
  const cudaGraphNode_t* dependencies;
  size_t count;
  unsigned long long id;
  SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
  CHECK(count == 1 && graph != nullptr && id != 0);
  cudaGraphNode_t first = dependencies[0], empty;
  SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  SUCCEEDS(cudaStreamUpdateCaptureDependencies(stream, &empty, nullptr, 1, cudaStreamAddCaptureDependencies));
  SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
  CHECK(count == 2);
  SUCCEEDS(cudaStreamUpdateCaptureDependencies(stream, &first, nullptr, 1, cudaStreamSetCaptureDependencies));
  SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
  CHECK(count == 1);
  CHECK(end(cudaSuccess) == 2);

  // None of this has run.
  SUCCEEDS(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDefault));
  CHECK(host == 0);
  SUCCEEDS(cudaStreamDestroy(stream));
  SUCCEEDS(cudaStreamDestroy(other));
  return report();
}
