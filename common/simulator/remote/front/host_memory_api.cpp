// Memory of the program that the device uses at its own address.
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/cuda_api.h"

using namespace warpbook::simulator::remote;

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  Exchange exchange(Call::register_host);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(pointer));
  exchange.arguments().put<std::uint64_t>(bytes);
  exchange.arguments().put(flags);
  const auto error = static_cast<cudaError_t>(exchange.ask().get<std::uint64_t>());
  if (error != cudaSuccess) return error;
  if (!share_pages(pointer, bytes)) {
    cudaHostUnregister(pointer);
    return cudaErrorMemoryAllocation;
  }
  add_registered(pointer, bytes);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  Exchange exchange(Call::unregister_host);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(pointer));
  const auto error = static_cast<cudaError_t>(exchange.ask().get<std::uint64_t>());
  if (error == cudaSuccess) remove_registered(pointer);
  return error;
}
