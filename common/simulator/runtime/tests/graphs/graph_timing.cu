// Time: a graph costs the host one launch, its branches overlap, events in it record times, and other streams wait for
// it.
#include "common/simulator/runtime/tests/check.h"

__global__ void spin(long long ns, int* order, int* next, int place) {
  const long long start = clock64();
  while (clock64() - start < ns) {
  }
  order[atomicAdd(next, 1)] = place;
}
__global__ void empty() {}

cudaStream_t stream;
cudaEvent_t start, stop;
int *order, *next;

cudaGraphNode_t spin_node(cudaGraph_t graph, int place, const cudaGraphNode_t* before, size_t count) {
  long long cycles = 200000;
  void* arguments[] = {&cycles, &order, &next, &place};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(spin);
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  SUCCEEDS(cudaGraphAddKernelNode(&node, graph, before, count, &kernel));
  return node;
}

float time_of(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaMemset(next, 0, sizeof(int)));
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaEventRecord(start, stream));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaEventRecord(stop, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  float ms = 0;
  SUCCEEDS(cudaEventElapsedTime(&ms, start, stop));
  SUCCEEDS(cudaGraphExecDestroy(exec));
  return ms;
}

int main() {
  SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SUCCEEDS(cudaEventCreate(&start));
  SUCCEEDS(cudaEventCreate(&stop));
  SUCCEEDS(cudaMalloc(&order, 64));
  SUCCEEDS(cudaMalloc(&next, sizeof(int)));
  SUCCEEDS(cudaMemset(next, 0, sizeof(int)));
  SUCCEEDS(cudaDeviceSynchronize());

  // Three in a chain against one, three side by side, and one; a diamond.
  cudaGraph_t chain, branches, diamond;
  for (cudaGraph_t* graph : {&chain, &branches, &diamond}) SUCCEEDS(cudaGraphCreate(graph, 0));
  cudaGraphNode_t a = spin_node(chain, 1, nullptr, 0), b = spin_node(chain, 2, &a, 1);
  spin_node(chain, 3, &b, 1);
  for (int i = 0; i < 3; ++i) spin_node(branches, i, nullptr, 0);
  a = spin_node(diamond, 1, nullptr, 0);
  cudaGraphNode_t middle[2];
  for (cudaGraphNode_t& node : middle) node = spin_node(diamond, 2, &a, 1);
  spin_node(diamond, 3, middle, 2);
  const float chain_ms = time_of(chain), branches_ms = time_of(branches), diamond_ms = time_of(diamond);
  CHECK(chain_ms > 2.5f * branches_ms && chain_ms < 3.5f * branches_ms);
  CHECK(diamond_ms > 0.8f * chain_ms && diamond_ms < 1.2f * chain_ms);
  int done[4] = {};
  SUCCEEDS(cudaMemcpy(done, order, sizeof done, cudaMemcpyDefault));
  CHECK(done[0] == 1 && done[1] == 2 && done[2] == 2 && done[3] == 3);

  // Events in a graph: a record in the middle, and a graph that waits for an event.
  cudaGraph_t marked;
  SUCCEEDS(cudaGraphCreate(&marked, 0));
  cudaEvent_t middle_event, outside;
  SUCCEEDS(cudaEventCreate(&middle_event));
  SUCCEEDS(cudaEventCreate(&outside));
  cudaGraphNode_t wait, record;
  SUCCEEDS(cudaGraphAddEventWaitNode(&wait, marked, nullptr, 0, outside));
  a = spin_node(marked, 1, &wait, 1);
  SUCCEEDS(cudaGraphAddEventRecordNode(&record, marked, &a, 1, middle_event));
  spin_node(marked, 2, &record, 1);
  cudaEvent_t got = nullptr;
  SUCCEEDS(cudaGraphEventRecordNodeGetEvent(record, &got));
  CHECK(got == middle_event);
  cudaStream_t other;
  SUCCEEDS(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphInstantiate(&exec, marked, 0));
  SUCCEEDS(cudaEventRecord(start, stream));
  spin<<<1, 1, 0, other>>>(200000, order, next, 9);
  SUCCEEDS(cudaEventRecord(outside, other));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaEventRecord(stop, stream));
  SUCCEEDS(cudaEventSynchronize(stop));
  float to_middle = 0, whole = 0;
  SUCCEEDS(cudaEventElapsedTime(&to_middle, start, middle_event));
  SUCCEEDS(cudaEventElapsedTime(&whole, start, stop));
  CHECK(whole > 0.8f * chain_ms && whole < 1.2f * chain_ms);  // The other stream's, and two of its own.
  CHECK(to_middle > 0.6f * whole && to_middle < 0.75f * whole);

  // Sixty-four empty kernels: one launch of a graph against a loop of launches.
  cudaGraph_t many;
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 64; ++i) empty<<<1, 1, 0, stream>>>();
  SUCCEEDS(cudaStreamEndCapture(stream, &many));
  const float graph_ms = time_of(many);
  SUCCEEDS(cudaEventRecord(start, stream));
  for (int i = 0; i < 64; ++i) empty<<<1, 1, 0, stream>>>();
  SUCCEEDS(cudaEventRecord(stop, stream));
  SUCCEEDS(cudaEventSynchronize(stop));
  float loop_ms = 0;
  SUCCEEDS(cudaEventElapsedTime(&loop_ms, start, stop));
  CHECK(graph_ms < 0.9f * loop_ms);
  return report();
}
