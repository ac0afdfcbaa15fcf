// Conditional nodes: a loop in a graph, inside it a branch with an else, after it a switch; one body is captured.
#include "sample.h"

struct State {
  unsigned value, steps, odd, branch;
};
__global__ void look(State* s, cudaGraphConditionalHandle odd) {
  cudaGraphSetConditional(odd, s->value & 1);
  s->steps++;
}
__global__ void halve(State* s) { s->value /= 2; }
__global__ void triple(State* s) {
  s->value = 3 * s->value + 1;
  s->odd++;
}
__global__ void again(State* s, cudaGraphConditionalHandle loop, cudaGraphConditionalHandle which) {
  cudaGraphSetConditional(loop, s->value != 1);
  if (s->value == 1) cudaGraphSetConditional(which, s->steps % 3);
}
__global__ void mark(State* s, unsigned v) { s->branch = v; }
static cudaGraphNode_t conditional(cudaGraph_t graph, cudaGraphNode_t* before, cudaGraphConditionalHandle handle,
                                   cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t* bodies) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  cudaGraphNode_t node;
  CUDA(cudaGraphAddNode(&node, graph, before, nullptr, before ? 1 : 0, &p));
  for (unsigned i = 0; i < size; ++i) bodies[i] = p.conditional.phGraph_out[i];
  return node;
}
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t* before, void* f, void** arguments) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = f;
  p.kernel.gridDim = dim3(1);
  p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA(cudaGraphAddNode(&node, graph, before, nullptr, before ? 1 : 0, &p));
  return node;
}
int main() {
  State* state;
  CUDA(cudaMalloc(&state, sizeof(State)));
  cudaGraph_t graph, body, arms[2], cases[3];
  CUDA(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle loop, odd, which;
  CUDA(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
  CUDA(cudaGraphConditionalHandleCreate(&odd, graph, 0, 0));
  CUDA(cudaGraphConditionalHandleCreate(&which, graph, 9, cudaGraphCondAssignDefault));
  cudaGraphNode_t whole = conditional(graph, nullptr, loop, cudaGraphCondTypeWhile, 1, &body);
  void* one[] = {&state, &odd};
  cudaGraphNode_t node = kernel(body, nullptr, (void*)look, one);
  node = conditional(body, &node, odd, cudaGraphCondTypeIf, 2, arms);
  void* three[] = {&state, &loop, &which};
  kernel(body, &node, (void*)again, three);
  void* alone[] = {&state};
  kernel(arms[0], nullptr, (void*)triple, alone);
  cudaStream_t s;
  CUDA(cudaStreamCreate(&s));
  CUDA(cudaStreamBeginCaptureToGraph(s, arms[1], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  halve<<<1, 1, 0, s>>>(state);
  CUDA(cudaStreamEndCapture(s, nullptr));
  conditional(graph, &whole, which, cudaGraphCondTypeSwitch, 3, cases);
  for (unsigned i = 0; i < 3; ++i) {
    unsigned v = 100 + i;
    void* two[] = {&state, &v};
    kernel(cases[i], nullptr, (void*)mark, two);
  }
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  bool right = true;
  for (unsigned start : {27u, 97u, 6u, 1u}) {
    State h{start, 0, 0, 0};
    CUDA(cudaMemcpy(state, &h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaGraphLaunch(exec, s));
    CUDA(cudaStreamSynchronize(s));
    CUDA(cudaMemcpy(&h, state, sizeof h, cudaMemcpyDeviceToHost));
    unsigned v = start, steps = 0;
    do {
      v = v & 1 ? 3 * v + 1 : v / 2;
      ++steps;
    } while (v != 1);
    right = right && h.value == 1 && h.steps == steps && h.branch == 100 + steps % 3;
    std::printf("%u: %u steps, %u of them odd, case %u\n", start, h.steps, h.odd, h.branch);
  }
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  sample::holds("all as on the host", right);
  return sample::passed();
}
