// Any bytes as a program's calls on graphs (cudaGraph*): graphs, nodes of all types, updates, launches and captures,
// with null pointers, wrong sizes, destroyed and foreign handles. Each call returns, with an error if it is wrong.
//
// What CUDA leaves to the caller stays right: host memory that is long enough, handles that were once given out, and
// loops that end.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "common/simulator/fuzzing/fuzz_input.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using warpbook::simulator::FuzzInput;

constexpr const char* kSteps = "20000";  ///< Instructions of a launch.
constexpr unsigned kMostCalls = 200;
constexpr unsigned kMostChildren = 8;  ///< Each may double the nodes.
constexpr std::size_t kArrayBytes = 16384;
constexpr char kProgram[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<3>;\nld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
    "add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;\nret;\n}\n";

void do_nothing(void*) {}

class Calls {
 public:
  Calls(FuzzInput input, void* device, void* host) : input_(input), device_(device), host_(host) {
    cudaLibraryLoadData(&library_, kProgram, nullptr, nullptr, 0, nullptr, nullptr, 0);
    cudaLibraryGetKernel(&kernel_, library_, "k");
    for (unsigned i = 0; i < 2; ++i) {
      cudaStream_t stream = nullptr;
      cudaEvent_t event = nullptr;
      if (cudaStreamCreate(&stream) == cudaSuccess) streams_.push_back(stream);
      if (cudaEventCreate(&event) == cudaSuccess) events_.push_back(event);
    }
  }

  void run() {
    for (unsigned i = 0; i < kMostCalls && !input_.empty(); ++i) one();
    cudaLibraryUnload(library_);
  }

 private:
  bool rarely() { return input_.take() < 8; }

  /// One that was given out, perhaps destroyed since, or none.
  template <class Handle>
  Handle pick(const std::vector<Handle>& from) {
    const auto which = input_.take();
    return which < 4 || from.empty() ? Handle() : from[which % from.size()];
  }

  /// Where a call puts its result: @p place, or nowhere.
  template <class T>
  T* out(T& place) {
    return rarely() ? nullptr : &place;
  }

  template <class Handle>
  void keep(cudaError_t error, const Handle& made, std::vector<Handle>& in) {
    if (error == cudaSuccess && made != Handle()) in.push_back(made);
  }

  /// Device memory: in the array, at its end, at an address of a graph's allocation, or any number.
  void* device_address() {
    const auto which = input_.take();
    if (which < 8) return reinterpret_cast<void*>(input_.take<std::uint64_t>());
    if (which < 32 && !addresses_.empty()) return addresses_[which % addresses_.size()];
    return static_cast<std::byte*>(device_) + (which < 64 ? kArrayBytes - which % 8u : which % 16u * 4u);
  }

  bool is_devices(void* at) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(device_);
    return offset <= kArrayBytes || std::ranges::find(addresses_, at) != addresses_.end();
  }

  /// A size that may be far too large.
  std::size_t large() {
    const auto which = input_.take();
    return which < 240 ? which : input_.take<std::uint64_t>();
  }

  cudaMemcpyKind kind() { return static_cast<cudaMemcpyKind>(input_.take() % 8); }

  std::vector<cudaGraphNode_t> nodes(std::size_t count) {
    std::vector<cudaGraphNode_t> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(pick(nodes_));
    return list;
  }

  std::vector<cudaGraphEdgeData> edges(std::size_t count) {
    std::vector<cudaGraphEdgeData> list(count);
    for (cudaGraphEdgeData& edge : list) {
      edge.from_port = input_.take() % 4;
      edge.to_port = input_.take() % 2;
      edge.type = input_.take() % 3;
    }
    return list;
  }

  cudaKernelNodeParams kernel() {
    cudaKernelNodeParams parameters{};
    parameters.func = rarely() ? host_ : reinterpret_cast<void*>(kernel_);
    unsigned* const extents[] = {&parameters.gridDim.x,  &parameters.gridDim.y,  &parameters.gridDim.z,
                                 &parameters.blockDim.x, &parameters.blockDim.y, &parameters.blockDim.z};
    for (unsigned* extent : extents) *extent = rarely() ? input_.take<std::uint32_t>() : 1 + input_.take() % 3u;
    parameters.sharedMemBytes = rarely() ? input_.take<std::uint32_t>() : 0;
    pointer_ = device_address();
    number_ = input_.take();
    if (!rarely()) parameters.kernelParams = arguments_;
    if (rarely()) parameters.extra = extra_;
    return parameters;
  }

  /// Slices of memory on either side. If one side is the host's, what is copied fits in its array.
  cudaMemcpy3DParms copy() {
    cudaMemcpy3DParms parameters{};
    const auto sides = input_.take() % 8;
    const bool host = (sides & 3) != 0;
    const auto size = [&](unsigned bound) -> std::size_t { return host ? input_.take() % bound : large(); };
    const auto side = [&](bool is_host) {
      void* const at = is_host ? host_ : device_address();
      const std::size_t pitch = size(129), width = size(65), rows = size(9);
      return cudaPitchedPtr{at, pitch, width, rows};
    };
    parameters.srcPtr = side((sides & 1) != 0);
    parameters.dstPtr = side((sides & 2) != 0);
    const auto position = [&]() -> cudaPos {
      const std::size_t x = size(65), y = size(9), z = size(5);
      return {x, y, z};
    };
    if ((sides & 4) != 0) parameters.srcPos = position();
    if ((sides & 4) != 0) parameters.dstPos = position();
    const std::size_t width = size(65), height = size(9), depth = size(5);
    parameters.extent = {width, height, depth};
    parameters.kind = kind();
    // Any other address would be the host's, which has no memory there.
    if (parameters.kind != cudaMemcpyDeviceToDevice)
      for (void** const at : {&parameters.srcPtr.ptr, &parameters.dstPtr.ptr})
        if (*at != host_ && !is_devices(*at)) *at = device_;
    if (rarely()) parameters.srcArray = reinterpret_cast<cudaArray_t>(host_);
    return parameters;
  }

  cudaMemsetParams fill() {
    cudaMemsetParams parameters{};
    parameters.dst = rarely() ? host_ : device_address();
    parameters.pitch = large();
    parameters.value = input_.take<std::uint32_t>();
    parameters.elementSize = rarely() ? input_.take<std::uint32_t>() : 1u << input_.take() % 3;
    parameters.width = large();
    parameters.height = large();
    return parameters;
  }

  cudaHostNodeParams host_function() { return {rarely() ? nullptr : do_nothing, nullptr}; }

  cudaMemAllocNodeParams allocation() {
    cudaMemAllocNodeParams parameters{};
    parameters.poolProps.allocType = rarely() ? cudaMemAllocationTypeInvalid : cudaMemAllocationTypePinned;
    parameters.poolProps.location = {rarely() ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                     rarely() ? input_.take<std::int32_t>() : 0};
    parameters.poolProps.maxSize = large();
    parameters.bytesize = large();
    if (rarely()) {
      access_.location = {cudaMemLocationTypeDevice, input_.take<std::int8_t>()};
      access_.flags = cudaMemAccessFlagsProtReadWrite;
      parameters.accessDescs = &access_;
      parameters.accessDescCount = 1;
    }
    return parameters;
  }

  cudaGraph_t child() { return ++children_ > kMostChildren ? nullptr : pick(graphs_); }

  cudaGraphNodeParams any_node() {
    cudaGraphNodeParams parameters{};
    parameters.type = static_cast<cudaGraphNodeType>(input_.take() % 16);
    const auto put = [&](auto& to, const auto& from) {
      static_assert(sizeof to == sizeof from);
      std::memcpy(static_cast<void*>(&to), &from, sizeof from);
    };
    switch (parameters.type) {
      case cudaGraphNodeTypeKernel:
        put(parameters.kernel, kernel());
        break;
      case cudaGraphNodeTypeMemcpy:
        parameters.memcpy.flags = rarely();
        parameters.memcpy.copyParams = copy();
        break;
      case cudaGraphNodeTypeMemset:
        put(parameters.memset, fill());
        break;
      case cudaGraphNodeTypeHost:
        put(parameters.host, host_function());
        break;
      case cudaGraphNodeTypeGraph:
        parameters.graph.graph = child();
        parameters.graph.ownership = static_cast<cudaGraphChildGraphNodeOwnership>(input_.take() % 3);
        break;
      case cudaGraphNodeTypeWaitEvent:
        parameters.eventWait.event = pick(events_);
        break;
      case cudaGraphNodeTypeEventRecord:
        parameters.eventRecord.event = pick(events_);
        break;
      case cudaGraphNodeTypeMemAlloc:
        put(parameters.alloc, allocation());
        break;
      case cudaGraphNodeTypeMemFree:
        parameters.free.dptr = device_address();
        break;
      case cudaGraphNodeTypeConditional:
        parameters.conditional.handle = pick(conditions_);
        // A loop whose condition stays true would not end.
        parameters.conditional.type = input_.take() % 2 == 0 ? cudaGraphCondTypeIf : cudaGraphCondTypeSwitch;
        parameters.conditional.size = rarely() ? input_.take<std::uint32_t>() : 1 + input_.take() % 3u;
        break;
      default:
        break;
    }
    return parameters;
  }

  void add_node() {
    cudaGraph_t const graph = pick(graphs_);
    const std::size_t count = input_.take() % 4u;
    const std::vector<cudaGraphNode_t> after = nodes(count);
    const cudaGraphNode_t* const list = rarely() ? nullptr : after.data();
    cudaGraphNode_t node = nullptr;
    switch (input_.take() % 13) {
      case 0: {
        auto parameters = kernel();
        return keep(cudaGraphAddKernelNode(out(node), graph, list, count, out(parameters)), node, nodes_);
      }
      case 1: {
        auto parameters = copy();
        return keep(cudaGraphAddMemcpyNode(out(node), graph, list, count, out(parameters)), node, nodes_);
      }
      case 2: {
        const std::size_t bytes = large();
        return keep(cudaGraphAddMemcpyNode1D(out(node), graph, list, count, device_address(), device_address(), bytes,
                                             cudaMemcpyDeviceToDevice),
                    node, nodes_);
      }
      case 3: {
        auto parameters = fill();
        return keep(cudaGraphAddMemsetNode(out(node), graph, list, count, out(parameters)), node, nodes_);
      }
      case 4: {
        auto parameters = host_function();
        return keep(cudaGraphAddHostNode(out(node), graph, list, count, out(parameters)), node, nodes_);
      }
      case 5:
        return keep(cudaGraphAddChildGraphNode(out(node), graph, list, count, child()), node, nodes_);
      case 6:
        return keep(cudaGraphAddEmptyNode(out(node), graph, list, count), node, nodes_);
      case 7:
        return keep(cudaGraphAddEventRecordNode(out(node), graph, list, count, pick(events_)), node, nodes_);
      case 8:
        return keep(cudaGraphAddEventWaitNode(out(node), graph, list, count, pick(events_)), node, nodes_);
      case 9: {
        auto parameters = allocation();
        keep(cudaGraphAddMemAllocNode(out(node), graph, list, count, out(parameters)), node, nodes_);
        if (parameters.dptr != nullptr) addresses_.push_back(parameters.dptr);
        return;
      }
      case 10:
        return keep(cudaGraphAddMemFreeNode(out(node), graph, list, count, device_address()), node, nodes_);
      case 11: {
        const std::size_t bytes = large(), offset = large();
        return keep(cudaGraphAddMemcpyNodeToSymbol(out(node), graph, list, count, host_, device_address(), bytes,
                                                   offset, kind()),
                    node, nodes_);
      }
      default: {
        auto parameters = any_node();
        const std::vector<cudaGraphEdgeData> data = edges(count);
        const cudaError_t error =
            cudaGraphAddNode(out(node), graph, list, rarely() ? data.data() : nullptr, count, out(parameters));
        keep(error, node, nodes_);
        if (error != cudaSuccess) return;
        if (parameters.type == cudaGraphNodeTypeMemAlloc) addresses_.push_back(parameters.alloc.dptr);
        if (parameters.type == cudaGraphNodeTypeConditional)
          for (unsigned i = 0; i < parameters.conditional.size; ++i)
            graphs_.push_back(parameters.conditional.phGraph_out[i]);
      }
    }
  }

  void set_node() {
    cudaGraphNode_t const node = pick(nodes_);
    cudaGraphExec_t const exec = input_.take() % 2 == 0 ? nullptr : pick(execs_);
    switch (input_.take() % 8) {
      case 0: {
        auto parameters = kernel();
        exec == nullptr ? cudaGraphKernelNodeSetParams(node, out(parameters))
                        : cudaGraphExecKernelNodeSetParams(exec, node, out(parameters));
        return;
      }
      case 1: {
        auto parameters = copy();
        exec == nullptr ? cudaGraphMemcpyNodeSetParams(node, out(parameters))
                        : cudaGraphExecMemcpyNodeSetParams(exec, node, out(parameters));
        return;
      }
      case 2: {
        auto parameters = fill();
        exec == nullptr ? cudaGraphMemsetNodeSetParams(node, out(parameters))
                        : cudaGraphExecMemsetNodeSetParams(exec, node, out(parameters));
        return;
      }
      case 3: {
        auto parameters = host_function();
        exec == nullptr ? cudaGraphHostNodeSetParams(node, out(parameters))
                        : cudaGraphExecHostNodeSetParams(exec, node, out(parameters));
        return;
      }
      case 4:
        exec == nullptr ? cudaGraphEventRecordNodeSetEvent(node, pick(events_))
                        : cudaGraphExecEventRecordNodeSetEvent(exec, node, pick(events_));
        return;
      case 5:
        cudaGraphExecChildGraphNodeSetParams(exec, node, child());
        return;
      case 6: {
        cudaLaunchAttributeValue value{};
        value.clusterDim.x = input_.take();
        value.clusterDim.y = input_.take() % 4u;
        value.clusterDim.z = input_.take() % 4u;
        cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(input_.take() % 16), out(value));
        cudaGraphKernelNodeCopyAttributes(node, pick(nodes_));
        return;
      }
      default: {
        auto parameters = any_node();
        exec == nullptr ? cudaGraphNodeSetParams(node, out(parameters))
                        : cudaGraphExecNodeSetParams(exec, node, out(parameters));
      }
    }
  }

  void ask_about_node() {
    cudaGraphNode_t const node = pick(nodes_);
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(node, out(type));
    switch (input_.take() % 8) {
      case 0: {
        cudaKernelNodeParams parameters{};
        cudaGraphKernelNodeGetParams(node, out(parameters));
        return;
      }
      case 1: {
        cudaMemcpy3DParms parameters{};
        cudaGraphMemcpyNodeGetParams(node, out(parameters));
        return;
      }
      case 2: {
        cudaMemsetParams parameters{};
        cudaGraphMemsetNodeGetParams(node, out(parameters));
        return;
      }
      case 3: {
        cudaMemAllocNodeParams parameters{};
        cudaGraphMemAllocNodeGetParams(node, out(parameters));
        return;
      }
      case 4: {
        cudaGraph_t graph = nullptr;
        keep(cudaGraphChildGraphNodeGetGraph(node, out(graph)), graph, graphs_);
        return;
      }
      case 5: {
        cudaLaunchAttributeValue value{};
        cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(input_.take() % 16), out(value));
        return;
      }
      case 6: {
        cudaGraphNode_t found = nullptr;
        keep(cudaGraphNodeFindInClone(out(found), node, pick(graphs_)), found, nodes_);
        return;
      }
      default: {
        std::array<cudaGraphNode_t, 4> list{};
        std::array<cudaGraphEdgeData, 4> data{};
        std::size_t count = input_.take() % 5u;
        cudaGraphEdgeData* const to = rarely() ? nullptr : data.data();
        input_.take() % 2 == 0 ? cudaGraphNodeGetDependencies(node, rarely() ? nullptr : list.data(), to, out(count))
                               : cudaGraphNodeGetDependentNodes(node, rarely() ? nullptr : list.data(), to, out(count));
      }
    }
  }

  void ask_about_graph() {
    cudaGraph_t const graph = pick(graphs_);
    std::array<cudaGraphNode_t, 4> from{}, to{};
    std::array<cudaGraphEdgeData, 4> data{};
    std::size_t count = input_.take() % 5u;
    const std::size_t room = count;
    cudaGraphNode_t* const list = rarely() ? nullptr : from.data();
    switch (input_.take() % 3) {
      case 0:
        if (cudaGraphGetNodes(graph, list, out(count)) != cudaSuccess || list == nullptr) return;
        for (std::size_t i = 0; i < std::min(count, room); ++i) keep(cudaSuccess, from[i], nodes_);
        return;
      case 1:
        cudaGraphGetRootNodes(graph, list, out(count));
        return;
      default:
        cudaGraphGetEdges(graph, list, rarely() ? nullptr : to.data(), rarely() ? data.data() : nullptr, out(count));
    }
  }

  void change_edges() {
    cudaGraph_t const graph = pick(graphs_);
    const std::size_t count = input_.take() % 4u;
    const std::vector<cudaGraphNode_t> from = nodes(count), to = nodes(count);
    const std::vector<cudaGraphEdgeData> data = edges(count);
    const cudaGraphEdgeData* const with = rarely() ? data.data() : nullptr;
    const auto change = input_.take() % 2 == 0 ? cudaGraphAddDependencies : cudaGraphRemoveDependencies;
    change(graph, rarely() ? nullptr : from.data(), rarely() ? nullptr : to.data(), with, count);
  }

  void instantiate() {
    cudaGraphExec_t exec = nullptr;
    cudaGraph_t const graph = pick(graphs_);
    const std::uint64_t flags = rarely() ? input_.take<std::uint64_t>() : input_.take() % 16u;
    cudaGraphInstantiateParams parameters{};
    parameters.flags = flags;
    parameters.uploadStream = pick(streams_);
    const bool plain = input_.take() % 2 == 0;
    keep(plain ? cudaGraphInstantiate(out(exec), graph, flags)
               : cudaGraphInstantiateWithParams(out(exec), graph, out(parameters)),
         exec, execs_);
  }

  void use_exec() {
    cudaGraphExec_t const exec = pick(execs_);
    switch (input_.take() % 7) {
      case 0:
        cudaGraphUpload(exec, pick(streams_));
        return;
      case 1: {
        unsigned enabled = input_.take() % 3;
        cudaGraphNode_t const node = pick(nodes_);
        cudaGraphNodeSetEnabled(exec, node, enabled);
        cudaGraphNodeGetEnabled(exec, node, out(enabled));
        return;
      }
      case 2: {
        cudaGraphExecUpdateResultInfo info{};
        cudaGraphExecUpdate(exec, pick(graphs_), out(info));
        return;
      }
      case 3: {
        unsigned long long flags = 0;
        cudaGraphExecGetFlags(exec, out(flags));
        return;
      }
      case 4:
        cudaGraphExecDestroy(exec);
        return;
      default:
        cudaGraphLaunch(exec, pick(streams_));
        cudaGetLastError();
    }
  }

  void capture() {
    cudaStream_t const stream = pick(streams_);
    cudaGraph_t graph = nullptr;
    switch (input_.take() % 9) {
      case 0:
        cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(input_.take() % 4));
        return;
      case 1: {
        const std::size_t count = input_.take() % 3u;
        const std::vector<cudaGraphNode_t> after = nodes(count);
        const std::vector<cudaGraphEdgeData> data = edges(count);
        cudaStreamBeginCaptureToGraph(stream, pick(graphs_), rarely() ? nullptr : after.data(),
                                      rarely() ? data.data() : nullptr, count,
                                      static_cast<cudaStreamCaptureMode>(input_.take() % 4));
        return;
      }
      case 2:
        keep(cudaStreamEndCapture(stream, out(graph)), graph, graphs_);
        return;
      case 3:
        cudaMemsetAsync(device_address(), input_.take(), large(), stream);
        return;
      case 4: {
        const auto parameters = kernel();
        cudaLaunchKernel(parameters.func, parameters.gridDim, parameters.blockDim, arguments_,
                         parameters.sharedMemBytes, stream);
        cudaGetLastError();
        return;
      }
      case 5:
        cudaEventRecord(pick(events_), stream);
        return;
      case 6:
        cudaStreamWaitEvent(stream, pick(events_), input_.take() % 2);
        return;
      case 7: {
        void* address = nullptr;
        if (cudaMallocAsync(out(address), large(), stream) == cudaSuccess) addresses_.push_back(address);
        return;
      }
      default:
        cudaFreeAsync(device_address(), stream);
    }
  }

  void one() {
    switch (input_.take() % 16) {
      case 0: {
        cudaGraph_t graph = nullptr;
        return keep(cudaGraphCreate(out(graph), rarely()), graph, graphs_);
      }
      case 1: {
        cudaGraph_t graph = nullptr;
        return keep(cudaGraphClone(out(graph), child()), graph, graphs_);
      }
      case 2:
        cudaGraphDestroy(pick(graphs_));
        return;
      case 3:
        cudaGraphDestroyNode(pick(nodes_));
        return;
      case 4: {
        cudaGraphConditionalHandle condition = 0;
        return keep(
            cudaGraphConditionalHandleCreate(out(condition), pick(graphs_), input_.take() % 4u, input_.take() % 4u),
            condition, conditions_);
      }
      case 5:
        return change_edges();
      case 6:
        return ask_about_node();
      case 7:
        return ask_about_graph();
      case 8:
      case 9:
        return instantiate();
      case 10:
        return use_exec();
      case 11:
        return set_node();
      case 12:
        return capture();
      default:
        return add_node();
    }
  }

  FuzzInput input_;
  void* device_;
  void* host_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
  unsigned children_ = 0;
  void* pointer_ = nullptr;
  std::uint32_t number_ = 0;
  void* arguments_[2] = {&pointer_, &number_};
  std::size_t extra_bytes_ = sizeof pointer_;
  void* extra_[5] = {reinterpret_cast<void*>(1), &pointer_, reinterpret_cast<void*>(2), &extra_bytes_, nullptr};
  cudaMemAccessDesc access_{};
  std::vector<cudaGraph_t> graphs_;
  std::vector<cudaGraphNode_t> nodes_;
  std::vector<cudaGraphExec_t> execs_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_;
  std::vector<cudaGraphConditionalHandle> conditions_;
  std::vector<void*> addresses_;
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  ::setenv("WARPBOOK_STEP_LIMIT", kSteps, 1);
  ::setenv("WARPBOOK_THREADS", "1", 1);
  ::unsetenv("WARPBOOK_PROFILE");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  void* array = nullptr;
  if (cudaMalloc(&array, kArrayBytes) != cudaSuccess) std::abort();
  std::vector<std::byte> host(kArrayBytes);
  Calls(FuzzInput(data, size), array, host.data()).run();
  cudaDeviceReset();
  return 0;
}
