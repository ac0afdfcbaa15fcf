// Pointer attributes, and access rights to mapped memory: calls with lists.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/pointer_attributes.h"
#include "common/simulator/remote/front/process.h"

namespace {

using namespace warpbook::simulator::remote;
using warpbook::simulator::driver::pointer_attribute_bytes;

CUresult ask(ListKind kind, unsigned count, const CUpointer_attribute* attributes, void** data, CUdeviceptr pointer) {
  for (unsigned i = 0; i < count; ++i) {
    if (data[i] == nullptr || pointer_attribute_bytes(attributes[i]) == 0) return CUDA_ERROR_INVALID_VALUE;
  }
  Exchange exchange(Call::lists);
  exchange.arguments().put(kind);
  exchange.arguments().put(pointer);
  exchange.arguments().block(attributes, count * sizeof *attributes);
  Reader answer = exchange.ask();
  const auto error = static_cast<CUresult>(answer.get<std::uint32_t>());
  const auto values = answer.block();
  if (error != CUDA_SUCCESS) return error;
  for (unsigned i = 0; i < count; ++i)
    std::memcpy(data[i], values.data() + i * sizeof(std::uint64_t), pointer_attribute_bytes(attributes[i]));
  return error;
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return ask(ListKind::pointer_attribute, 1, &attribute, &data, pointer);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data, CUdeviceptr pointer) {
  if (count == 0 || attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return ask(ListKind::pointer_attributes, count, attributes, data, pointer);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* descriptions, size_t count) {
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(ListKind::set_access);
  to.put(address);
  to.put<std::uint64_t>(bytes);
  to.block(descriptions, descriptions == nullptr ? 0 : count * sizeof *descriptions);
  return static_cast<CUresult>(exchange.ask().get<std::uint32_t>());
}
