// Launches: the layout of parameters, and the calls behind a message.
#include <array>
#include <cstring>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/kernel_resources.h"

namespace warpbook::simulator::remote {
namespace {

/// The parameters of the kernel with this host function or handle; nullptr if it is not a kernel that can run.
const std::vector<Parameter>* parameters_of(std::uint64_t function) {
  const std::lock_guard guard(runtime::runtime_lock());
  runtime::Kernel* const kernel = runtime::registry().find_kernel(reinterpret_cast<const void*>(function));
  if (kernel == nullptr) return nullptr;
  try {
    runtime::KernelResources resources;
    const bool runs = find_resources(runtime::Runtime::instance(), *kernel, resources) == cudaSuccess;
    return runs ? &resources.function->parameters : nullptr;
  } catch (const std::exception&) {
    return nullptr;  // The launch fails in the same way, and reports it.
  }
}

dim3 extent(const std::array<std::uint32_t, 3>& dim) { return {dim[0], dim[1], dim[2]}; }

}  // namespace

void answer_parameters(Session&, Reader& from, Writer& to) {
  const auto* const parameters = parameters_of(from.get<std::uint64_t>());
  to.put<std::uint8_t>(parameters != nullptr);
  to.put<std::uint32_t>(parameters == nullptr ? 0 : static_cast<std::uint32_t>(parameters->size()));
  if (parameters == nullptr) return;
  for (const Parameter& parameter : *parameters) {
    to.put<std::uint32_t>(parameter.offset);
    to.put<std::uint32_t>(parameter.bytes);
  }
}

void answer_launch(Session&, Reader& from, Writer& to) {
  const auto kind = from.get<LaunchKind>();
  const auto function = from.get<std::uint64_t>();
  const auto grid = from.get<std::array<std::uint32_t, 3>>(), block = from.get<std::array<std::uint32_t, 3>>();
  const auto shared_bytes = from.get<std::uint64_t>();
  auto* const stream = reinterpret_cast<cudaStream_t>(from.get<std::uint64_t>());
  const bool given = from.get<std::uint8_t>() != 0;
  const auto packed = from.block(), attributes = from.block();
  from.end();
  if (attributes.size() % sizeof(cudaLaunchAttribute) != 0) throw WireError("launch attributes have an odd size");

  std::vector<std::byte> values(packed.begin(), packed.end());
  std::vector<void*> arguments;
  // If it is not a kernel that can run, the launch will ignore the arguments.
  const auto* const parameters = given ? parameters_of(function) : nullptr;
  if (parameters != nullptr) {
    for (const Parameter& parameter : *parameters) {
      // The program got the layout of the parameters from this process. If it sent too few bytes, the rest is zero.
      const std::size_t end = std::size_t{parameter.offset} + parameter.bytes;
      if (values.size() < end) values.resize(end);
    }
    for (const Parameter& parameter : *parameters) arguments.push_back(values.data() + parameter.offset);
    arguments.push_back(nullptr);
  }
  void** const list = parameters != nullptr ? arguments.data() : nullptr;
  const auto* const host = reinterpret_cast<const void*>(function);
  auto* const handle = reinterpret_cast<CUfunction>(function);
  const auto dynamic = static_cast<unsigned>(shared_bytes);
  std::uint64_t error = 0;
  switch (kind) {
    case LaunchKind::runtime:
      error = cudaLaunchKernel(host, extent(grid), extent(block), list, shared_bytes, stream);
      break;
    case LaunchKind::runtime_handle:
      error = __cudaLaunchKernel(reinterpret_cast<cudaKernel_t>(function), extent(grid), extent(block), list,
                                 shared_bytes, stream);
      break;
    case LaunchKind::runtime_cooperative:
      error = cudaLaunchCooperativeKernel(host, extent(grid), extent(block), list, shared_bytes, stream);
      break;
    case LaunchKind::runtime_attributes: {
      std::vector<cudaLaunchAttribute> all(attributes.size() / sizeof(cudaLaunchAttribute));
      if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), attributes.data(), attributes.size());
      cudaLaunchConfig_t config{};
      config.gridDim = extent(grid);
      config.blockDim = extent(block);
      config.dynamicSmemBytes = shared_bytes;
      config.stream = stream;
      config.attrs = all.data();
      config.numAttrs = static_cast<unsigned>(all.size());
      error = cudaLaunchKernelExC(&config, host, list);
      break;
    }
    case LaunchKind::driver:
      error = cuLaunchKernel(handle, grid[0], grid[1], grid[2], block[0], block[1], block[2], dynamic, stream, list,
                             nullptr);
      break;
    case LaunchKind::driver_cooperative:
      error = cuLaunchCooperativeKernel(handle, grid[0], grid[1], grid[2], block[0], block[1], block[2], dynamic,
                                        stream, list);
      break;
    case LaunchKind::driver_attributes: {
      std::vector<CUlaunchAttribute> all(attributes.size() / sizeof(CUlaunchAttribute));
      if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), attributes.data(), attributes.size());
      const CUlaunchConfig config{grid[0],  grid[1], grid[2], block[0],   block[1],
                                  block[2], dynamic, stream,  all.data(), static_cast<unsigned>(all.size())};
      error = cuLaunchKernelEx(&config, handle, list, nullptr);
      break;
    }
    default:
      throw WireError("there is no such launch");
  }
  to.put(error);
}

}  // namespace warpbook::simulator::remote
