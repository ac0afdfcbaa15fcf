// Queries what the runtime returns for calls on graphs and captures: one line each. Independent of addresses and time.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

static int number = 0;
static void say(const char* what, cudaError_t error) {
  std::printf("%3d %s: %d\n", ++number, what, static_cast<int>(error));
  cudaGetLastError();
}
static void tell(const char* what, long long value) { std::printf("%3d %s = %lld\n", ++number, what, value); }
#define ASK(call) say(#call, call)

__global__ void add(int* p, int v) { atomicAdd(p, v); }
__global__ void other(int* p, int v, int w) { atomicAdd(p, v + w); }
__global__ void set_condition(cudaGraphConditionalHandle h, int* p) { cudaGraphSetConditional(h, atomicSub(p, 1) > 1); }
__global__ void set_value(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
static void bump(void* p) { ++*static_cast<int*>(p); }
__device__ int symbol[4];

static cudaStream_t s, t;
static int* d;
static cudaEvent_t e, f;

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  const cudaError_t error = cudaStreamBeginCapture(s, mode);
  if (error != cudaSuccess) say("  begin", error);
}
/// Ends the capture of s and prints the result and the number of nodes.
static void end(const char* what) {
  cudaGraph_t g = nullptr;
  const cudaError_t error = cudaStreamEndCapture(s, &g);
  size_t nodes = 0;
  if (g != nullptr) cudaGraphGetNodes(g, nullptr, &nodes);
  std::printf("%3d   end after %s: %d, graph %d, %zu nodes\n", ++number, what, static_cast<int>(error), g != nullptr,
              nodes);
  if (g != nullptr) cudaGraphDestroy(g);
  cudaGetLastError();
}
/// What a call returns while s is capturing, and what happens to the capture.
#define WHILE(mode, call)            \
  do {                               \
    begin(mode);                     \
    add<<<1, 1, 0, s>>>(d, 1);       \
    say(#call " [" #mode "]", call); \
    end(#call);                      \
  } while (0)
#define G cudaStreamCaptureModeGlobal
#define L cudaStreamCaptureModeThreadLocal
#define R cudaStreamCaptureModeRelaxed

static cudaError_t launch_legacy() {
  add<<<1, 1>>>(d, 1);
  return cudaGetLastError();
}
static cudaError_t launch_in(cudaStream_t x) {
  add<<<1, 1, 0, x>>>(d, 1);
  return cudaGetLastError();
}
static cudaError_t bad_launch() {
  add<<<1, 2048, 0, s>>>(d, 1);
  return cudaGetLastError();
}
static cudaError_t malloc_and_free() {
  void* p;
  cudaError_t r = cudaMalloc(&p, 64);
  if (!r) {
    cudaGetLastError();
    r = cudaFree(p);
  }
  return r;
}
static cudaError_t in_thread(cudaError_t (*f)()) {
  cudaError_t r;
  std::thread([&] { r = f(); }).join();
  return r;
}
static cudaError_t async_memory() {
  void* p;
  cudaError_t r = cudaMallocAsync(&p, 64, s);
  return r ? r : cudaFreeAsync(p, s);
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int host[4] = {1, 2, 3, 4};
  static int counter = 0;
  int* pinned;
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaGraph_t g = nullptr, g2 = nullptr, clone = nullptr;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaStream_t u;
  cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  cudaMalloc(&d, 64);
  cudaMallocHost(&pinned, 64);
  cudaMemset(d, 0, 64);
  cudaDeviceSynchronize();

  // Capture: arguments and states.
  ASK(cudaStreamBeginCapture(nullptr, G));
  ASK(cudaStreamBeginCapture(cudaStreamLegacy, R));
  ASK(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)7));
  ASK(cudaStreamEndCapture(s, &g));
  ASK(cudaStreamIsCapturing(s, nullptr));
  ASK(cudaStreamIsCapturing(nullptr, &status));
  ASK(cudaStreamGetCaptureInfo(s, &status, &id, nullptr, nullptr, nullptr, nullptr));
  tell("status", status);
  begin();
  ASK(cudaStreamBeginCapture(s, G));
  ASK(cudaStreamIsCapturing(s, &status));
  tell("status", status);
  ASK(cudaStreamIsCapturing(nullptr, &status));
  ASK(cudaStreamIsCapturing(t, &status));
  tell("status", status);
  end("nothing");
  begin();
  ASK(cudaStreamEndCapture(t, &g));
  end("ending another");
  begin();
  ASK(cudaStreamEndCapture(s, nullptr));
  ASK(cudaStreamIsCapturing(s, &status));
  tell("status", status);
  end("ending without a place");

  // Calls while capturing.
  WHILE(G, cudaStreamSynchronize(s));
  WHILE(R, cudaStreamSynchronize(s));
  WHILE(G, cudaStreamSynchronize(t));
  WHILE(G, cudaStreamQuery(s));
  WHILE(G, cudaStreamQuery(t));
  WHILE(G, cudaDeviceSynchronize());
  WHILE(L, cudaDeviceSynchronize());
  WHILE(R, cudaDeviceSynchronize());
  WHILE(G, cudaMalloc((void**)&g2, 64));
  WHILE(L, cudaMalloc((void**)&g2, 64));
  WHILE(R, malloc_and_free());
  WHILE(G, in_thread(malloc_and_free));
  WHILE(L, in_thread(malloc_and_free));
  WHILE(R, in_thread(malloc_and_free));
  WHILE(G, cudaFree(nullptr));
  WHILE(G, cudaMallocHost((void**)&g2, 64));
  WHILE(G, cudaHostRegister(host, 16, 0));
  WHILE(G, cudaMemcpy(d, host, 4, cudaMemcpyHostToDevice));
  WHILE(L, cudaMemcpy(d, host, 4, cudaMemcpyHostToDevice));
  WHILE(R, cudaMemcpy(d, host, 4, cudaMemcpyHostToDevice));
  WHILE(G, cudaMemset(d, 0, 4));
  WHILE(G, cudaMemcpyToSymbol(symbol, host, 4));
  WHILE(G, launch_legacy());
  WHILE(R, launch_legacy());
  WHILE(G, launch_in(t));
  WHILE(G, launch_in(u));
  WHILE(G, bad_launch());
  WHILE(G, cudaMemcpyAsync(d, host, 4, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemcpyAsync(host, d, 4, cudaMemcpyDeviceToHost, s));
  WHILE(G, cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemcpyAsync(d, nullptr, 4, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemcpyAsync(d, host, 0, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemcpyAsync(host, host + 2, 4, cudaMemcpyHostToHost, s));
  WHILE(G, cudaMemcpy2DAsync(d, 16, host, 8, 8, 2, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemcpyToSymbolAsync(symbol, host, 4, 0, cudaMemcpyHostToDevice, s));
  WHILE(G, cudaMemsetAsync(d, 0, 4, s));
  WHILE(G, cudaMemset2DAsync(d, 16, 1, 8, 2, s));
  WHILE(G, cudaLaunchHostFunc(s, bump, &counter));
  WHILE(G, cudaStreamAddCallback(
               s, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  WHILE(G, async_memory());
  WHILE(G, cudaEventRecord(e, s));
  WHILE(G, cudaEventRecord(e, nullptr));
  WHILE(G, cudaEventRecord(e, t));
  WHILE(G, cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
  WHILE(G, cudaStreamWaitEvent(s, f, cudaEventWaitExternal));
  WHILE(G, cudaStreamWaitEvent(s, f, 0));
  cudaEventRecord(f, t);
  WHILE(G, cudaStreamWaitEvent(s, f, 0));
  WHILE(R, cudaStreamWaitEvent(s, f, 0));
  WHILE(G, cudaEventQuery(f));
  WHILE(G, cudaEventSynchronize(f));
  WHILE(R, cudaEventSynchronize(f));
  WHILE(G, cudaEventCreate(&e));
  WHILE(G, cudaStreamCreate(&t));
  WHILE(G, cudaStreamDestroy(t));
  cudaStreamCreate(&t);
  WHILE(G, cudaGetLastError());
  WHILE(G, cudaStreamGetPriority(s, &number));
  number = 1000;
  WHILE(G, cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  cudaPointerAttributes pa;
  WHILE(G, cudaPointerGetAttributes(&pa, d));
  size_t fr, to;
  WHILE(G, cudaMemGetInfo(&fr, &to));
  WHILE(G, cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  WHILE(G, cudaMemPrefetchAsync(d, 64, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, s));
  WHILE(G, cudaGraphCreate(&g, 0));

  // Events of a capture.
  begin();
  cudaEventRecord(e, s);
  ASK(cudaEventQuery(e));
  end("cudaEventQuery of a captured event");
  begin();
  cudaEventRecord(e, s);
  ASK(cudaEventSynchronize(e));
  end("cudaEventSynchronize of a captured event");
  ASK(cudaEventQuery(e));
  ASK(cudaStreamWaitEvent(t, e, 0));
  float ms;
  ASK(cudaEventElapsedTime(&ms, e, e));
  begin();
  cudaEventRecord(e, s);
  ASK(cudaStreamWaitEvent(nullptr, e, 0));
  end("the legacy stream waits");

  // Cross-stream capture.
  begin();
  add<<<1, 1, 0, s>>>(d, 1);
  cudaEventRecord(e, s);
  ASK(cudaStreamWaitEvent(t, e, 0));
  ASK(cudaStreamIsCapturing(t, &status));
  tell("status", status);
  add<<<1, 1, 0, t>>>(d, 1);
  ASK(cudaStreamEndCapture(t, &g));
  cudaEventRecord(f, t);
  ASK(cudaStreamWaitEvent(s, f, 0));
  end("fork and join");
  begin();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  add<<<1, 1, 0, t>>>(d, 1);
  end("unjoined work");
  ASK(cudaStreamIsCapturing(t, &status));
  tell("status", status);
  begin();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  end("a fork without work");
  begin();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  cudaEventRecord(f, t);
  cudaStreamWaitEvent(s, f, 0);
  add<<<1, 1, 0, t>>>(d, 1);
  end("work after the join");
  begin();
  ASK(cudaStreamBeginCapture(u, G));
  cudaEventRecord(e, s);
  ASK(cudaStreamWaitEvent(u, e, 0));
  ASK(cudaStreamEndCapture(u, &g));
  end("merge");
  begin();
  std::thread([] {
    cudaGraph_t x;
    say("EndCapture in another thread", cudaStreamEndCapture(s, &x));
  }).join();
  end("another thread's end");
  begin(R);
  std::thread([] {
    cudaGraph_t x;
    say("EndCapture in another thread, relaxed", cudaStreamEndCapture(s, &x));
  }).join();
  ASK(cudaStreamIsCapturing(s, &status));
  tell("status", status);
  begin();
  cudaDeviceSynchronize();
  ASK(cudaStreamIsCapturing(s, &status));
  tell("status", status);
  ASK(launch_in(s));
  ASK(cudaStreamSynchronize(s));
  ASK(cudaStreamGetCaptureInfo(s, &status, &id, nullptr, nullptr, nullptr, nullptr));
  end("an invalidated capture");
  begin();
  ASK(cudaStreamDestroy(s));
  cudaStreamCreate(&s);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  begin();
  ASK(cudaThreadExchangeStreamCaptureMode(&mode));
  tell("mode", mode);
  ASK(malloc_and_free());
  cudaThreadExchangeStreamCaptureMode(&mode);
  end("an exchange of modes");

  // Dependencies of a capture.
  {
    begin();
    add<<<1, 1, 0, s>>>(d, 1);
    const cudaGraphNode_t* deps;
    size_t n;
    ASK(cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, nullptr, &n));
    tell("dependencies", n);
    cudaGraphNode_t first = deps[0], empty;
    ASK(cudaGraphAddEmptyNode(&empty, g, &first, 1));
    ASK(cudaStreamUpdateCaptureDependencies(s, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
    ASK(cudaStreamUpdateCaptureDependencies(s, &first, nullptr, 1, cudaStreamAddCaptureDependencies));
    ASK(cudaStreamUpdateCaptureDependencies(s, &first, nullptr, 1, 5));
    ASK(cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, nullptr, &n));
    tell("dependencies", n);
    cudaGraphExec_t x;
    ASK(cudaGraphInstantiate(&x, g, 0));
    end("new dependencies");
    ASK(cudaStreamUpdateCaptureDependencies(s, &first, nullptr, 0, 0));
  }
  {
    cudaGraphCreate(&g, 0);
    ASK(cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, G));
    add<<<1, 1, 0, s>>>(d, 1);
    ASK(cudaStreamEndCapture(s, &g2));
    tell("the same graph", g == g2);
    ASK(cudaStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0, G));
  }

  // Graphs built by hand.
  ASK(cudaGraphCreate(nullptr, 0));
  ASK(cudaGraphCreate(&g, 1));
  ASK(cudaGraphDestroy(nullptr));
  ASK(cudaGraphExecDestroy(nullptr));
  ASK(cudaGraphLaunch(nullptr, s));
  cudaGraphCreate(&g, 0);
  cudaGraphExec_t x = nullptr, x2 = nullptr;
  ASK(cudaGraphInstantiate(&x, g, 0));
  ASK(cudaGraphLaunch(x, s));
  ASK(cudaGraphLaunch(x, nullptr));
  cudaGraphExecDestroy(x);
  ASK(cudaGraphInstantiate(&x, g, 1024));
  ASK(cudaGraphInstantiate(nullptr, g, 0));
  ASK(cudaGraphInstantiate(&x, nullptr, 0));
  int one = 1;
  void* args[] = {&d, &one};
  cudaKernelNodeParams k{};
  k.func = (void*)add;
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphNode_t a, b, c, n4;
  ASK(cudaGraphAddKernelNode(&a, g, nullptr, 0, &k));
  ASK(cudaGraphAddKernelNode(&b, g, &a, 1, &k));
  ASK(cudaGraphAddKernelNode(nullptr, g, &a, 1, &k));
  ASK(cudaGraphAddKernelNode(&c, g, nullptr, 1, &k));
  ASK(cudaGraphAddKernelNode(&c, nullptr, nullptr, 0, &k));
  cudaKernelNodeParams bad = k;
  bad.blockDim = dim3(2048);
  ASK(cudaGraphAddKernelNode(&c, g, nullptr, 0, &bad));
  bad = k;
  bad.gridDim = dim3(0);
  ASK(cudaGraphAddKernelNode(&c, g, nullptr, 0, &bad));
  bad = k;
  bad.func = (void*)&one;
  ASK(cudaGraphAddKernelNode(&c, g, nullptr, 0, &bad));
  bad = k;
  bad.kernelParams = nullptr;
  ASK(cudaGraphAddKernelNode(&c, g, nullptr, 0, &bad));
  cudaGraphNode_t twice[] = {a, a};
  ASK(cudaGraphAddKernelNode(&c, g, twice, 2, &k));
  size_t count = 0;
  ASK(cudaGraphGetNodes(g, nullptr, &count));
  tell("nodes", count);
  ASK(cudaGraphGetNodes(g, nullptr, nullptr));
  ASK(cudaGraphAddDependencies(g, &b, &a, nullptr, 1));
  ASK(cudaGraphInstantiate(&x, g, 0));
  cudaGraphInstantiateParams ip{};
  ASK(cudaGraphInstantiateWithParams(&x, g, &ip));
  tell("result", ip.result_out);
  tell("error node", ip.errNode_out != nullptr);
  ASK(cudaGraphRemoveDependencies(g, &b, &a, nullptr, 1));
  ASK(cudaGraphRemoveDependencies(g, &b, &a, nullptr, 1));
  ASK(cudaGraphAddDependencies(g, &a, &b, nullptr, 1));
  ASK(cudaGraphAddDependencies(g, &a, &a, nullptr, 1));
  cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &count);
  tell("edges", count);
  cudaGraphGetRootNodes(g, nullptr, &count);
  tell("roots", count);
  cudaGraphNode_t many[8] = {};
  count = 8;
  ASK(cudaGraphGetNodes(g, many, &count));
  tell("nodes", count);
  tell("beyond are null", many[4] == nullptr);
  cudaGraphNodeType type;
  ASK(cudaGraphNodeGetType(a, &type));
  ASK(cudaGraphNodeGetDependencies(b, nullptr, nullptr, &count));
  tell("dependencies", count);
  cudaKernelNodeParams got{};
  ASK(cudaGraphKernelNodeGetParams(a, &got));
  tell("value", got.kernelParams ? *(int*)got.kernelParams[1] : -1);
  tell("function", got.func == (void*)add);
  cudaMemsetParams m{};
  ASK(cudaGraphMemsetNodeGetParams(a, &m));
  m.dst = d;
  m.elementSize = 4;
  m.width = 4;
  m.height = 1;
  ASK(cudaGraphAddMemsetNode(&c, g, nullptr, 0, &m));
  m.elementSize = 3;
  ASK(cudaGraphAddMemsetNode(&c, g, nullptr, 0, &m));
  m.elementSize = 4;
  m.dst = host;
  ASK(cudaGraphAddMemsetNode(&c, g, nullptr, 0, &m));
  m.dst = d;
  ASK(cudaGraphAddMemcpyNode1D(&n4, g, nullptr, 0, d + 4, host, 8, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms cp{};
  ASK(cudaGraphMemcpyNodeGetParams(n4, &cp));
  tell("extent", cp.extent.width * 100 + cp.extent.height * 10 + cp.extent.depth);
  tell("kind", cp.kind);
  ASK(cudaGraphAddMemcpyNode1D(&n4, g, nullptr, 0, d + 4, nullptr, 8, cudaMemcpyHostToDevice));
  ASK(cudaGraphAddMemcpyNode1D(&n4, g, nullptr, 0, d + 4, host, 0, cudaMemcpyHostToDevice));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&n4, g, nullptr, 0, symbol, host, 8, 12, cudaMemcpyHostToDevice));
  cudaHostNodeParams hp{nullptr, nullptr};
  ASK(cudaGraphAddHostNode(&n4, g, nullptr, 0, &hp));
  hp = {bump, &counter};
  ASK(cudaGraphAddHostNode(&n4, g, nullptr, 0, &hp));
  ASK(cudaGraphInstantiate(&x, g, 0));
  ASK(cudaGraphLaunch(x, s));
  ASK(cudaStreamSynchronize(s));
  tell("host functions", counter);
  unsigned long long flags = 99;
  ASK(cudaGraphExecGetFlags(x, &flags));
  tell("flags", flags);
  ASK(cudaGraphUpload(x, s));
  ASK(cudaGraphUpload(nullptr, s));

  // Updates of instantiated graphs.
  bad = k;
  bad.func = (void*)other;
  int two = 2;
  void* args3[] = {&d, &one, &two};
  bad.kernelParams = args3;
  ASK(cudaGraphExecKernelNodeSetParams(x, a, &bad));
  ASK(cudaGraphKernelNodeSetParams(a, &bad));
  ASK(cudaGraphKernelNodeSetParams(a, &k));
  k.gridDim = dim3(2);
  ASK(cudaGraphExecKernelNodeSetParams(x, a, &k));
  k.gridDim = dim3(1);
  ASK(cudaGraphExecKernelNodeSetParams(x, c, &k));
  m.width = 2;
  ASK(cudaGraphExecMemsetNodeSetParams(x, c, &m));
  m.height = 2;
  m.pitch = 16;
  ASK(cudaGraphExecMemsetNodeSetParams(x, c, &m));
  unsigned enabled = 9;
  ASK(cudaGraphNodeGetEnabled(x, a, &enabled));
  tell("enabled", enabled);
  ASK(cudaGraphNodeSetEnabled(x, a, 0));
  ASK(cudaGraphNodeSetEnabled(x, n4, 0));
  ASK(cudaGraphNodeGetEnabled(x, a, &enabled));
  tell("enabled", enabled);
  cudaGraphExecUpdateResultInfo info{};
  ASK(cudaGraphExecUpdate(x, g, &info));
  tell("result", info.result);
  cudaGraphClone(&clone, g);
  cudaGraphNode_t found = nullptr;
  ASK(cudaGraphNodeFindInClone(&found, a, clone));
  tell("found another", found != nullptr && found != a);
  ASK(cudaGraphNodeFindInClone(&found, found, g));
  ASK(cudaGraphExecUpdate(x, clone, &info));
  tell("result", info.result);
  cudaGraphNodeFindInClone(&found, a, clone);
  ASK(cudaGraphKernelNodeSetParams(found, &bad));
  ASK(cudaGraphExecUpdate(x, clone, &info));
  tell("result", info.result);
  tell("error node", info.errorNode == found);
  ASK(cudaGraphDestroyNode(found));
  ASK(cudaGraphExecUpdate(x, clone, &info));
  tell("result", info.result);
  ASK(cudaGraphNodeFindInClone(&found, a, clone));
  ASK(cudaGraphAddEmptyNode(&n4, clone, nullptr, 0));
  ASK(cudaGraphExecUpdate(x, clone, &info));
  tell("result", info.result);
  ASK(cudaGraphDestroy(clone));

  // Children.
  cudaGraphCreate(&g2, 0);
  ASK(cudaGraphAddChildGraphNode(&n4, g2, nullptr, 0, g));
  cudaGraph_t child = nullptr;
  cudaGraphNode_t nodes2[4];
  size_t c2 = 4;
  cudaGraphGetNodes(g2, nodes2, &c2);
  ASK(cudaGraphChildGraphNodeGetGraph(nodes2[0], &child));
  tell("another graph", child != g && child != nullptr);
  ASK(cudaGraphInstantiate(&x2, g2, 0));
  ASK(cudaGraphExecChildGraphNodeSetParams(x2, nodes2[0], g));
  ASK(cudaGraphLaunch(x2, s));
  ASK(cudaStreamSynchronize(s));
  tell("host functions", counter);
  ASK(cudaGraphExecDestroy(x2));
  ASK(cudaGraphDestroy(g2));

  // A graph that is launched while a stream is capturing.
  begin();
  ASK(cudaGraphLaunch(x, s));
  cudaGraph_t captured = nullptr;
  ASK(cudaStreamEndCapture(s, &captured));
  c2 = captured == nullptr ? 0 : 4;
  if (captured != nullptr) cudaGraphGetNodes(captured, nodes2, &c2);
  tell("nodes", c2);
  if (c2 > 0) {
    cudaGraphNodeGetType(nodes2[0], &type);
    tell("type", type);
  }
  cudaGraphDestroy(captured);

  // Memory.
  cudaGraphCreate(&g2, 0);
  cudaMemAllocNodeParams ap{};
  ap.poolProps.allocType = cudaMemAllocationTypePinned;
  ap.poolProps.location = {cudaMemLocationTypeDevice, 0};
  ap.bytesize = 1024;
  cudaGraphNode_t alloc, freed;
  ASK(cudaGraphAddMemAllocNode(&alloc, g2, nullptr, 0, &ap));
  tell("address", ap.dptr != nullptr);
  ASK(cudaGraphClone(&clone, g2));
  ASK(cudaGraphInstantiate(&x2, g2, 0));
  ASK(cudaGraphLaunch(x2, s));
  ASK(cudaGraphLaunch(x2, s));
  cudaStreamSynchronize(s);
  ASK(cudaMemcpy(ap.dptr, host, 16, cudaMemcpyHostToDevice));
  ASK(cudaFree(ap.dptr));
  ASK(cudaGraphLaunch(x2, s));
  ASK(cudaFreeAsync(ap.dptr, s));
  ASK(cudaGraphExecDestroy(x2));
  ASK(cudaGraphAddMemFreeNode(&freed, g2, &alloc, 1, ap.dptr));
  ASK(cudaGraphAddMemFreeNode(&n4, g2, &alloc, 1, ap.dptr));
  ASK(cudaGraphInstantiate(&x2, g2, 0));
  ASK(cudaGraphLaunch(x2, s));
  ASK(cudaGraphLaunch(x2, s));
  ASK(cudaStreamSynchronize(s));
  cudaGraphExec_t x3;
  ASK(cudaGraphInstantiate(&x3, g2, 0));
  ASK(cudaGraphDestroyNode(freed));
  unsigned long long used = 99;
  ASK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  tell("used", used);
  ASK(cudaDeviceGraphMemTrim(0));
  ASK(cudaGraphExecDestroy(x2));
  ASK(cudaGraphDestroy(g2));

  // Conditional nodes.
  cudaGraphCreate(&g2, 0);
  cudaGraphConditionalHandle h;
  ASK(cudaGraphConditionalHandleCreate(&h, g2, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams cn = {cudaGraphNodeTypeConditional};
  cn.conditional.handle = h;
  cn.conditional.type = cudaGraphCondTypeWhile;
  cn.conditional.size = 2;
  ASK(cudaGraphAddNode(&n4, g2, nullptr, nullptr, 0, &cn));
  cn.conditional.size = 1;
  ASK(cudaGraphAddNode(&n4, g2, nullptr, nullptr, 0, &cn));
  ASK(cudaGraphAddNode(&c, g2, nullptr, nullptr, 0, &cn));
  cudaGraph_t body = cn.conditional.phGraph_out[0];
  ASK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, G));
  set_condition<<<1, 1, 0, s>>>(h, d);
  ASK(cudaStreamEndCapture(s, nullptr));
  cudaGraph_t unused;
  ASK(cudaStreamEndCapture(s, &unused));
  cudaHostNodeParams hp2{bump, &counter};
  cudaGraphNode_t in_body;
  ASK(cudaGraphAddHostNode(&in_body, body, nullptr, 0, &hp2));
  ASK(cudaGraphInstantiate(&x2, g2, 0));
  if (x2 == nullptr) cudaGraphDestroyNode(in_body);
  tell("body has nodes", (cudaGraphGetNodes(body, nullptr, &count), count));
  if (cudaGraphInstantiate(&x2, g2, 0) == cudaSuccess) {
    one = 5;
    cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);
    ASK(cudaGraphLaunch(x2, s));
    ASK(cudaStreamSynchronize(s));
    cudaMemcpy(&one, d, 4, cudaMemcpyDeviceToHost);
    tell("left of 5", one);
  }
  ASK(cudaGraphClone(&clone, g2));
  ASK(cudaGraphDestroy(g2));
  cudaGraphCreate(&g2, 0);
  ASK(cudaGraphConditionalHandleCreate(&h, g2, 0, 7));
  ASK(cudaGraphConditionalHandleCreate(&h, g2, 0, 0));
  ASK(cudaGraphInstantiate(&x2, g2, 0));
  ip = {};
  ASK(cudaGraphInstantiateWithParams(&x2, g2, &ip));
  tell("result", ip.result_out);
  cudaGraphDestroy(g2);

  // User objects.
  static int destroyed = 0;
  cudaUserObject_t object;
  ASK(cudaUserObjectCreate(&object, &destroyed, bump, 1, 0));
  ASK(cudaUserObjectCreate(&object, &destroyed, bump, 1, cudaUserObjectNoDestructorSync));
  cudaGraphCreate(&g2, 0);
  ASK(cudaGraphRetainUserObject(g2, object, 1, cudaGraphUserObjectMove));
  ASK(cudaGraphDestroy(g2));
  ASK(cudaGraphDestroy(g));
  ASK(cudaGraphLaunch(x, s));
  ASK(cudaStreamSynchronize(s));
  ASK(cudaGraphExecDestroy(x));
  ASK(cudaDeviceSynchronize());
  return 0;
}
