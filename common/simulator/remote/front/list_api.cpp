// Calls with texts and arrays of variable length.
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "common/simulator/remote/front/pool_files.h"
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/pool_file.h"

namespace {

using namespace warpbook::simulator::remote;
using warpbook::simulator::runtime::make_pool_file;
using warpbook::simulator::runtime::PoolDescription;
using warpbook::simulator::runtime::read_pool_file;

/// The size of a pool attribute: an int or a 64-bit number.
std::size_t pool_attribute_bytes(cudaMemPoolAttr attribute) {
  const bool is_switch = attribute == cudaMemPoolReuseFollowEventDependencies ||
                         attribute == cudaMemPoolReuseAllowOpportunistic ||
                         attribute == cudaMemPoolReuseAllowInternalDependencies;
  return is_switch ? sizeof(int) : sizeof(std::uint64_t);
}

cudaError_t pool_attribute(ListKind kind, cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(kind);
  to.put(reinterpret_cast<std::uint64_t>(pool));
  to.put<std::int32_t>(attribute);
  std::uint64_t word = 0;
  if (value != nullptr) std::memcpy(&word, value, pool_attribute_bytes(attribute));
  to.put<std::uint8_t>(value != nullptr);
  to.put(word);
  Reader answer = exchange.ask();
  const auto error = answer.get<cudaError_t>();
  word = answer.get<std::uint64_t>();
  if (error == cudaSuccess && value != nullptr && kind == ListKind::pool_get_attribute)
    std::memcpy(value, &word, pool_attribute_bytes(attribute));
  return error;
}

}  // namespace

namespace warpbook::simulator::remote {

cudaError_t export_pool_file(bool of_driver, void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                             unsigned flags) {
  // The program provides the file; the device says what is in it.
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(ListKind::pool_export);
  to.put<std::uint8_t>(of_driver);
  to.put<std::uint64_t>(handle == nullptr ? 0 : reinterpret_cast<std::uint64_t>(pool));
  to.put<std::int32_t>(type);
  to.put(flags);
  Reader answer = exchange.ask();
  const auto error = answer.get<cudaError_t>();
  const auto description = answer.get<PoolDescription>();
  if (error != cudaSuccess) return error;
  const int file = make_pool_file(description);
  if (file < 0) return cudaErrorUnknown;
  *static_cast<int*>(handle) = file;
  return cudaSuccess;
}

cudaError_t import_pool_file(bool of_driver, cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                             unsigned flags) {
  PoolDescription description;
  const bool known = read_pool_file(static_cast<int>(reinterpret_cast<std::intptr_t>(handle)), description);
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(ListKind::pool_import);
  to.put<std::uint8_t>(of_driver);
  to.put<std::uint8_t>(pool != nullptr);
  to.put<std::uint8_t>(known);
  to.put(description);
  to.put<std::int32_t>(type);
  to.put(flags);
  Reader answer = exchange.ask();
  const auto error = answer.get<cudaError_t>();
  const auto made = answer.get<std::uint64_t>();
  if (error == cudaSuccess) *pool = reinterpret_cast<cudaMemPool_t>(made);
  return error;
}

}  // namespace warpbook::simulator::remote

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  Exchange exchange(Call::texts);
  exchange.arguments().put(TextKind::function_name);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(function));
  exchange.arguments().put<std::int32_t>(name != nullptr);
  Reader answer = exchange.ask();
  const auto error = static_cast<cudaError_t>(answer.get<std::uint64_t>());
  const std::string text = answer.text();
  if (error != cudaSuccess || name == nullptr) return error;
  // Names live as long as the process.
  static std::mutex lock;
  static auto* names = new std::map<std::string, int>;
  const std::lock_guard guard(lock);
  *name = names->emplace(text, 0).first->first.c_str();
  return error;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  Exchange exchange(Call::texts);
  exchange.arguments().put(TextKind::pci_bus_id);
  exchange.arguments().put<std::uint64_t>(text == nullptr ? 0 : static_cast<std::uint64_t>(length));
  exchange.arguments().put<std::int32_t>(device);
  Reader answer = exchange.ask();
  const auto error = static_cast<cudaError_t>(answer.get<std::uint64_t>());
  const std::string id = answer.text();
  if (error == cudaSuccess) std::memcpy(text, id.c_str(), id.size() + 1);
  return error;
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  Exchange exchange(Call::lists);
  exchange.arguments().put(ListKind::set_valid_devices);
  exchange.arguments().put(count);
  const std::size_t known = devices == nullptr || count < 0 ? 0 : static_cast<std::size_t>(count);
  exchange.arguments().block(devices, known * sizeof(int));
  return exchange.ask().get<cudaError_t>();
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return pool_attribute(ListKind::pool_get_attribute, pool, attribute, value);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return pool_attribute(ListKind::pool_set_attribute, pool, attribute, value);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, size_t count) {
  Exchange exchange(Call::lists);
  exchange.arguments().put(ListKind::pool_set_access);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(pool));
  exchange.arguments().put<std::uint64_t>(count);
  exchange.arguments().block(descriptions, descriptions == nullptr ? 0 : count * sizeof(cudaMemAccessDesc));
  return exchange.ask().get<cudaError_t>();
}

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                               unsigned flags) {
  return export_pool_file(false, handle, pool, type, flags);
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                                                 unsigned flags) {
  return import_pool_file(false, pool, handle, type, flags);
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  Exchange exchange(Call::lists);
  Writer& to = exchange.arguments();
  to.put(ListKind::range_attribute);
  to.put<std::uint64_t>(data == nullptr ? 0 : data_bytes);
  to.put<std::int32_t>(attribute);
  to.put(reinterpret_cast<std::uint64_t>(pointer));
  to.put<std::uint64_t>(bytes);
  Reader answer = exchange.ask();
  const auto error = answer.get<cudaError_t>();
  const auto found = answer.block();
  if (error == cudaSuccess) std::memcpy(data, found.data(), found.size());
  return error;
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
    return cudaMemRangeGetAttribute(nullptr, 0, cudaMemRangeAttributeReadMostly, pointer, bytes);
  for (size_t i = 0; i < count; ++i) {
    const cudaError_t error = cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
