// Calls with texts and arrays of variable length, unsupported calls, and the owner's arrays.
#include <cstring>
#include <string>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/unsupported_calls.h"
#include "common/simulator/remote/annotation_wire.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/pools.h"
#include "common/simulator/runtime/unsupported_calls.h"

namespace warpbook::simulator::remote {
namespace {

constexpr std::uint64_t kLongestText = 256, kLongestList = 1 << 20;

std::string call_name(Reader& from) {
  std::string name = from.text();
  if (name.size() > kLongestText) throw WireError("a call has a name of " + std::to_string(name.size()) + " letters");
  return name;
}

template <class Element>
std::vector<Element> elements_of(std::span<const std::byte> bytes) {
  std::vector<Element> all(bytes.size() / sizeof(Element));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), bytes.data(), all.size() * sizeof(Element));
  return all;
}

void pool_attribute(ListKind kind, Reader& from, Writer& to) {
  auto* const pool = reinterpret_cast<cudaMemPool_t>(from.get<std::uint64_t>());
  const auto attribute = static_cast<cudaMemPoolAttr>(from.get<std::int32_t>());
  const bool given = from.get<std::uint8_t>() != 0;
  auto word = from.get<std::uint64_t>();
  void* const value = given ? &word : nullptr;
  to.put(kind == ListKind::pool_get_attribute ? cudaMemPoolGetAttribute(pool, attribute, value)
                                              : cudaMemPoolSetAttribute(pool, attribute, value));
  to.put(word);
}

/// Handles of the kernels of a module or library.
template <class Owner, class Handle, class Error>
void enumerate(Error (*call)(Handle*, unsigned, Owner), Reader& from, Writer& to) {
  auto* const owner = reinterpret_cast<Owner>(from.get<std::uint64_t>());
  const auto count = from.get<std::uint32_t>();
  const bool given = from.get<std::uint8_t>() != 0;
  if (count > kLongestList) throw WireError("a list has room for " + std::to_string(count) + " kernels");
  std::vector<Handle> found(count);
  const Error error = call(given ? found.data() : nullptr, count, owner);
  to.put<std::uint32_t>(error);
  to.block(found.data(), error == 0 && given ? found.size() * sizeof(Handle) : 0);
}

/// One attribute of a pointer, or several; each value takes 8 bytes.
void pointer_attributes(bool several, Reader& from, Writer& to) {
  const auto pointer = from.get<CUdeviceptr>();
  auto attributes = elements_of<CUpointer_attribute>(from.block());
  if (!several && attributes.size() != 1) throw WireError("one attribute of a pointer was to be asked for");
  std::vector<std::uint64_t> values(attributes.size());
  std::vector<void*> places;
  for (std::uint64_t& value : values) places.push_back(&value);
  to.put<std::uint32_t>(several ? cuPointerGetAttributes(static_cast<unsigned>(attributes.size()), attributes.data(),
                                                         places.data(), pointer)
                                : cuPointerGetAttribute(values.data(), attributes[0], pointer));
  to.block(values.data(), values.size() * sizeof(std::uint64_t));
}

/// Executes @p call of the runtime, as a driver call if it came from there.
template <class Body>
cudaError_t call_for(bool of_driver, const Body& call) {
  cudaError_t error = cudaSuccess;
  if (!of_driver) return call();
  const CUresult result = driver::forward([&] { return error = call(); });
  return error == cudaSuccess ? static_cast<cudaError_t>(result) : error;
}

void export_pool(Reader& from, Writer& to) {
  const bool of_driver = from.get<std::uint8_t>() != 0;
  auto* const pool = reinterpret_cast<cudaMemPool_t>(from.get<std::uint64_t>());
  const auto type = static_cast<cudaMemAllocationHandleType>(from.get<std::int32_t>());
  const auto flags = from.get<unsigned>();
  runtime::PoolDescription description;
  to.put(call_for(of_driver, [&] { return runtime::export_pool(pool, type, flags, description); }));
  to.put(description);
}

void import_pool(Reader& from, Writer& to) {
  const bool of_driver = from.get<std::uint8_t>() != 0;
  const bool wanted = from.get<std::uint8_t>() != 0, known = from.get<std::uint8_t>() != 0;
  const auto description = from.get<runtime::PoolDescription>();
  const auto type = static_cast<cudaMemAllocationHandleType>(from.get<std::int32_t>());
  const auto flags = from.get<unsigned>();
  const bool fits = wanted && type == cudaMemHandleTypePosixFileDescriptor && flags == 0;
  cudaMemPool_t pool = nullptr;
  to.put(call_for(of_driver, [&] {
    if (!fits) return runtime::remember(cudaErrorInvalidValue);
    return known ? runtime::import_pool(description, &pool) : runtime::remember(cudaErrorUnknown);
  }));
  to.put(reinterpret_cast<std::uint64_t>(pool));
}

}  // namespace

void answer_unsupported(Session&, Reader& from, Writer& to) {
  to.put<std::int32_t>(runtime::unsupported_call(call_name(from).c_str()));
}

void answer_unsupported_driver(Session&, Reader& from, Writer& to) {
  to.put<std::int32_t>(driver::unsupported_call(call_name(from).c_str()));
}

void answer_texts(Session&, Reader& from, Writer& to) {
  const auto kind = from.get<TextKind>();
  const auto first = from.get<std::uint64_t>();
  const auto second = from.get<std::int32_t>();
  from.end();
  char text[kLongestText] = "";
  // A length that is too short stays too short.
  const int length = static_cast<int>(std::min<std::uint64_t>(first, kLongestText));
  char* const place = first == 0 ? nullptr : text;
  const char* name = text;
  std::uint64_t error = 0;
  switch (kind) {
    case TextKind::function_name:
      error = cudaFuncGetName(second != 0 ? &name : nullptr, reinterpret_cast<const void*>(first));
      break;
    case TextKind::pci_bus_id:
      error = cudaDeviceGetPCIBusId(place, length, second);
      break;
    case TextKind::driver_device_name:
      error = cuDeviceGetName(place, length, second);
      break;
    case TextKind::driver_pci_bus_id:
      error = cuDeviceGetPCIBusId(place, length, second);
      break;
    default:
      throw WireError("there is no such text");
  }
  to.put(error);
  to.text(error == 0 ? name : "");
}

void answer_lists(Session&, Reader& from, Writer& to) {
  const auto kind = from.get<ListKind>();
  switch (kind) {
    case ListKind::set_valid_devices: {
      const auto count = from.get<int>();
      auto devices = elements_of<int>(from.block());
      const bool whole = count >= 0 && devices.size() == static_cast<std::size_t>(count);
      to.put(cudaSetValidDevices(whole ? devices.data() : nullptr, count));
      break;
    }
    case ListKind::pool_get_attribute:
    case ListKind::pool_set_attribute:
      pool_attribute(kind, from, to);
      break;
    case ListKind::pool_set_access: {
      auto* const pool = reinterpret_cast<cudaMemPool_t>(from.get<std::uint64_t>());
      const auto count = from.get<std::uint64_t>();
      const auto descriptions = elements_of<cudaMemAccessDesc>(from.block());
      to.put(
          cudaMemPoolSetAccess(pool, descriptions.size() == count && count > 0 ? descriptions.data() : nullptr, count));
      break;
    }
    case ListKind::pool_export:
      export_pool(from, to);
      break;
    case ListKind::pool_import:
      import_pool(from, to);
      break;
    case ListKind::range_attribute: {
      const auto bytes_wanted = from.get<std::uint64_t>();
      if (bytes_wanted > kLongestList) throw WireError("an attribute has " + std::to_string(bytes_wanted) + " bytes");
      std::vector<std::byte> data(bytes_wanted);
      const auto attribute = static_cast<cudaMemRangeAttribute>(from.get<std::int32_t>());
      const auto* const pointer = reinterpret_cast<const void*>(from.get<std::uint64_t>());
      const auto bytes = from.get<std::uint64_t>();
      const cudaError_t error =
          cudaMemRangeGetAttribute(data.empty() ? nullptr : data.data(), data.size(), attribute, pointer, bytes);
      to.put(error);
      to.block(data.data(), error == cudaSuccess ? data.size() : 0);
      break;
    }
    case ListKind::module_functions:
      enumerate(&cuModuleEnumerateFunctions, from, to);
      break;
    case ListKind::library_kernels:
      enumerate(&cuLibraryEnumerateKernels, from, to);
      break;
    case ListKind::runtime_library_kernels:
      enumerate(&cudaLibraryEnumerateKernels, from, to);
      break;
    case ListKind::pointer_attribute:
    case ListKind::pointer_attributes:
      pointer_attributes(kind == ListKind::pointer_attributes, from, to);
      break;
    case ListKind::set_access: {
      const auto address = from.get<CUdeviceptr>();
      const auto bytes = from.get<std::uint64_t>();
      const auto descriptions = elements_of<CUmemAccessDesc>(from.block());
      to.put<std::uint32_t>(
          cuMemSetAccess(address, bytes, descriptions.empty() ? nullptr : descriptions.data(), descriptions.size()));
      break;
    }
    default:
      throw WireError("there is no such list");
  }
  from.end();
}

void answer_annotation(Session&, Reader& from, Writer& to) {
  const runtime::AnnotationCall call = get_annotation_call(from);
  from.end();
  to.put(runtime::annotate(call));
}

void answer_array(Session& session, Reader& from, Writer& to) {
  const auto kind = from.get<ArrayKind>();
  const std::string name = call_name(from);
  const auto element = from.get<std::int32_t>();
  const auto bytes = from.get<std::uint64_t>(), address = from.get<std::uint64_t>();
  from.end();
  if (kind >= ArrayKind::count_) throw WireError("there is no such use of an array");
  ArrayOwner::Answer answer{ArrayError::unknown, 0, {}};
  const std::lock_guard guard(runtime::runtime_lock());
  if (session.owner != nullptr) answer = session.owner->ask(kind, name, element, bytes, address);
  to.put(answer.error);
  to.put(answer.address);
  to.block(answer.contents.data(), answer.contents.size());
}

}  // namespace warpbook::simulator::remote
