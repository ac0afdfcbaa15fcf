// Hands out, fills and takes back the arrays of a case.
#include "grader/core/case_arrays.h"

#include <algorithm>
#include <cstring>

#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/runtime.h"
#include "grader/core/poison.h"

namespace warpbook::grader {

namespace {

namespace runtime = simulator::runtime;
using simulator::Allocation;
using simulator::MemoryKind;
using simulator::remote::ArrayError;
using simulator::remote::ArrayKind;

constexpr std::size_t kMostArrays = 64;
constexpr std::uint64_t kLargestArray = std::uint64_t{1} << 30;

/// The bytes of live memory that begins at @p address; empty if there is none of that size.
std::span<std::byte> live(std::uint64_t address, std::uint64_t bytes) {
  const Allocation* const found = runtime::Runtime::instance().memory.find(address);
  if (found == nullptr || found->address != address || found->bytes < bytes) return {};
  return {found->host, bytes};
}

}  // namespace

CaseArrays::CaseArrays(const Case& given)
    : given_(given), poison_(static_cast<std::uint64_t>(given.integer(kPoisonSeed))) {}

ArrayError CaseArrays::on_device(Array& array) {
  runtime::Runtime& device = runtime::Runtime::instance();
  device.primary_context = true;
  void* pointer = nullptr;
  // At least one byte, so that an array without elements has an address, too.
  const auto bytes = std::max<std::uint64_t>(array.bytes, 1);
  if (runtime::allocate(device, &pointer, bytes, MemoryKind::device, "cudaMalloc") != cudaSuccess)
    return ArrayError::no_memory;
  array.address = reinterpret_cast<std::uint64_t>(pointer);
  return ArrayError::none;
}

/// Pinned and managed memory that the program made for it: the device has its bytes from now on.
ArrayError CaseArrays::in_program(Array& array, std::uint64_t address) {
  runtime::Runtime& device = runtime::Runtime::instance();
  const Allocation* const found = device.memory.find(address);
  const bool fits = found != nullptr && found->address == address && found->bytes >= array.bytes &&
                    (found->kind == MemoryKind::pinned || found->kind == MemoryKind::managed);
  if (!fits || simulator::remote::remote_host().is_bound(address)) return ArrayError::no_such_place;
  if (found->kind == MemoryKind::pinned) device.memory.place(address, reinterpret_cast<std::byte*>(address));
  array.address = address;
  return ArrayError::none;
}

void CaseArrays::fill(const std::string& name, const Array& array, bool is_input) const {
  const std::span<std::byte> place = live(array.address, array.bytes);
  if (place.empty()) return;
  if (is_input) {
    const Value& value = given_.value(name);
    std::memcpy(place.data(), value.bytes.data(), place.size());
  } else {
    fill_poison(place, poison_, name);
  }
}

simulator::remote::ArrayOwner::Answer CaseArrays::ask(ArrayKind kind, const std::string& name, int element,
                                                      std::uint64_t bytes, std::uint64_t address) {
  if (kind == ArrayKind::take) {
    take();
    return {};
  }
  const bool is_input =
      kind != ArrayKind::device_output && kind != ArrayKind::device_filled && kind != ArrayKind::bind_output;
  const Value* const known = given_.has(name) ? &given_.value(name) : nullptr;
  if (is_input && (known == nullptr || known->scalar)) return {ArrayError::unknown, 0, {}};
  if ((is_input && known->bytes.size() != bytes) || bytes > kLargestArray) return {ArrayError::wrong_size, 0, {}};
  if (arrays_.count(name) > 0 || arrays_.size() >= kMostArrays || taken_) return {ArrayError::taken, 0, {}};

  Array array;
  array.bytes = bytes;
  if (element < 0 || element >= static_cast<int>(Element::text)) return {ArrayError::unknown, 0, {}};
  array.element = static_cast<Element>(element);
  ArrayError error = ArrayError::none;
  bool is_bound = false;
  switch (kind) {
    case ArrayKind::host_contents:
      arrays_[name] = array;
      return {ArrayError::none, 0, known->bytes};
    case ArrayKind::device_input:
    case ArrayKind::device_output:
    case ArrayKind::device_in_out:
    case ArrayKind::device_filled:
      error = on_device(array);
      break;
    default:
      error = in_program(array, address);
      is_bound = true;
  }
  if (error != ArrayError::none) return {error, 0, {}};
  const bool is_output = kind != ArrayKind::device_input && kind != ArrayKind::bind_input;
  array.role = is_output ? Value::Role::output_buffer : Value::Role::input_buffer;
  fill(name, array, is_input);
  if (const auto place = live(array.address, array.bytes); kind == ArrayKind::device_filled && !place.empty())
    std::memset(place.data(), static_cast<int>(address & 0xff), place.size());
  if (is_bound) {
    const Allocation* const memory = runtime::Runtime::instance().memory.find(array.address);
    simulator::remote::remote_host().bind(memory->address, memory->bytes, memory->kind == MemoryKind::pinned);
  }
  arrays_[name] = array;
  return {ArrayError::none, array.address, {}};
}

void CaseArrays::take() {
  if (taken_) return;
  taken_ = true;
  for (const auto& [name, array] : arrays_) {
    if (array.role == Value::Role::plain) continue;
    const std::span<const std::byte> now = live(array.address, array.bytes);
    if (now.empty() && array.bytes != 0) continue;  // Freed: the output is missing, which the test will say.
    const bool is_input = array.role == Value::Role::input_buffer;
    if (is_input && std::equal(now.begin(), now.end(), given_.value(name).bytes.begin())) continue;
    Value value;
    value.role = array.role;
    value.element = array.element;
    value.bytes.assign(now.begin(), now.end());
    results_.put(name, std::move(value));
  }
}

Reply CaseArrays::results() {
  take();
  return std::move(results_);
}

}  // namespace warpbook::grader
