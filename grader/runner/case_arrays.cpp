// Hands out, fills and takes back the arrays of a case.
#include "grader/runner/case_arrays.h"

#include <algorithm>
#include <cstring>

#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/runtime.h"
#include "grader/judge/poison.h"

namespace warpbook::grader {

namespace {

namespace runtime = simulator::runtime;
using simulator::Allocation;
using simulator::MemoryKind;
using simulator::remote::ArrayError;
using simulator::remote::ArrayKind;

/// std::equal() would compare byte by byte.
bool are_equal(std::span<const std::byte> one, std::span<const std::byte> other) {
  return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
}

/// If the program copies an input back from the device, it sees the contents as changed on arrival.
bool is_of_either(std::span<const std::byte> seen, std::span<const std::byte> one, std::span<const std::byte> other) {
  if (are_equal(seen, one)) return true;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != one[i] && seen[i] != other[i]) return false;
  return true;
}

constexpr std::size_t kMostArrays = 64;
constexpr std::uint64_t kLargestArray = std::uint64_t{1} << 30;
/// The most memory that a program may register around an array: the device keeps as much.
constexpr std::uint64_t kMostAround = std::uint64_t{1} << 20;

}  // namespace

/// The bytes of an array; none if its memory is gone.
std::span<std::byte> CaseArrays::live(Array& array) {
  if (!array.pageable.empty()) return array.pageable;
  const Allocation* const found = runtime::Runtime::instance().memory.find(array.address);
  if (found == nullptr || found->address != array.address || found->bytes < array.bytes) return {};
  return {found->host, array.bytes};
}

CaseArrays::CaseArrays(const Case& given)
    : given_(given), poison_(static_cast<std::uint64_t>(given.integer(kPoisonSeed))) {
  for (Change& change : changes_of(given)) changes_.push_back({std::move(change)});
  if (changes_.empty()) return;
  // The first caller creates the device, with the settings of the environment; it is always needed.
  runtime::Runtime::instance().before_grid = [this](const runtime::GridStart& start) { before_grid(start); };
}

void CaseArrays::before_grid(const runtime::GridStart& start) {
  if (start.in_tail) return make_changes(Moment::tail());
  if (start.depth > 0) return make_changes(Moment::child(start.depth));
  make_changes(Moment::host_launch(host_launches_++));
}

void CaseArrays::make_changes(Moment moment, const std::string& only) {
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    PlannedChange& planned = changes_[i];
    if (planned.made || planned.change.moment != moment) continue;
    if (!only.empty() && planned.change.array != only) continue;
    planned.made = true;
    if (make(planned.change)) results_.set(name_of_made_change(i), 1);
  }
}

bool CaseArrays::make(Change& change) {
  runtime::Runtime& device = runtime::Runtime::instance();
  if (change.array == kHeap) {
    if (!device.here().heap) return false;
    for (const auto& piece : device.here().heap->given_out()) {
      const Allocation* const heap = device.memory.find(piece.address);
      change.apply({heap->host + (piece.address - heap->address), piece.bytes});
    }
    return true;
  }
  if (change.array == kAnywhere) {
    bool found = false;
    for (const Allocation* const memory : device.memory.live())
      if (memory->kind == MemoryKind::device) found |= change.replace_all({memory->host, memory->bytes});
    return found;
  }
  const auto known = arrays_.find(change.array);
  if (known == arrays_.end()) return false;  // The program never asked for it.
  Array& array = known->second;
  if (const auto place = live(array); !place.empty()) change.apply(place);
  array.changed_on_arrival |= change.moment == Moment::arrival();
  if (array.role != Value::Role::input_buffer && !array.changed_on_arrival) return true;
  if (array.changed.empty()) array.changed = given_.value(change.array).bytes;
  change.apply(array.changed);
  return true;
}

void CaseArrays::arriving(std::span<std::byte> bytes) {
  constexpr std::size_t kFewest = 16;  // So many equal bytes are not a coincidence.
  for (const auto& [name, array] : arrays_) {
    if (!array.changed_on_arrival || array.bytes < kFewest) continue;
    Value both;
    both.bytes = given_.value(name).bytes;
    both.bytes.insert(both.bytes.end(), array.changed.begin(), array.changed.end());
    Change there;
    there.values = &both;
    there.replace_all(bytes);
  }
}

ArrayError CaseArrays::on_device(Array& array) {
  runtime::Runtime& device = runtime::Runtime::instance();
  device.here().primary_context = true;
  void* pointer = nullptr;
  // At least one byte, so that an array without elements has an address, too.
  const auto bytes = std::max<std::uint64_t>(array.bytes, 1);
  if (runtime::allocate(device, &pointer, bytes, MemoryKind::device, "an array of the case") != cudaSuccess)
    return ArrayError::no_memory;
  array.address = reinterpret_cast<std::uint64_t>(pointer);
  return ArrayError::none;
}

/// Memory that the program allocated for it, pinned, registered, managed or pageable: from now on the device has its
/// bytes.
ArrayError CaseArrays::in_program(Array& array, std::uint64_t address) {
  runtime::Runtime& device = runtime::Runtime::instance();
  const Allocation* const found = device.memory.find(address);
  if (found == nullptr && address != 0 && !simulator::GlobalMemory::is_device(address)) {
    array.address = address;
    array.pageable.resize(array.bytes);
    return ArrayError::none;
  }
  const bool fits = found != nullptr && found->address == address && found->bytes >= array.bytes &&
                    (found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered ||
                     found->kind == MemoryKind::managed);
  if (!fits || simulator::remote::remote_host().is_bound(address)) return ArrayError::no_such_place;
  if (found->kind == MemoryKind::pinned) device.memory.place(address, reinterpret_cast<std::byte*>(address));
  if (found->kind == MemoryKind::registered) {
    if (found->bytes - array.bytes > kMostAround) return ArrayError::no_such_place;
    array.registered.resize(found->bytes);
    device.memory.place(address, array.registered.data());
  }
  array.address = address;
  return ArrayError::none;
}

/// The device's memory holds the case's values: for a checker, as if they had been copied there.
void CaseArrays::note_written(const Array& array) {
  if (const auto& checker = runtime::Runtime::instance().checker) checker->copied(array.address, 0, array.bytes);
}

void CaseArrays::fill(const std::string& name, Array& array, bool is_input) const {
  const std::span<std::byte> place = live(array);
  if (place.empty()) return;
  if (is_input) {
    const Value& value = given_.value(name);
    std::memcpy(place.data(), value.bytes.data(), place.size());
    note_written(array);
  } else {
    fill_poison(place, poison_, name);
  }
}

void CaseArrays::observe(ArrayKind kind, const std::string& name, std::uint64_t address) {
  runtime::Runtime& device = runtime::Runtime::instance();
  if (kind == ArrayKind::observe_memory) {
    const Allocation* const found = device.memory.find(address);
    const bool is_pinned =
        found != nullptr && (found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered);
    results_.set(name, is_pinned ? 1 : 0);
    unsigned flags = 0;
    if (is_pinned && cudaHostGetFlags(&flags, reinterpret_cast<void*>(address)) == cudaSuccess)
      results_.set(name + ".flags", static_cast<std::int64_t>(flags));
  } else if (kind == ArrayKind::observe_stream) {
    const auto handle = reinterpret_cast<cudaStream_t>(address);
    const runtime::Stream* const stream = device.find_stream(handle);
    if (stream == nullptr) return;  // The test will report what is missing in the reply.
    results_.set(name + ".priority", stream->priority);
    results_.set(name + ".non_blocking", (stream->flags & cudaStreamNonBlocking) != 0 ? 1 : 0);
    results_.set(name + ".default", stream->owned_by_program ? 0 : 1);
    const bool is_idle = device.timeline.finished(stream->number) && !device.backlog.has_work(*stream);
    results_.set(name + ".busy", is_idle ? 0 : 1);
  } else if (kind == ArrayKind::observe_limits) {
    results_.set(name + ".pending_launches", static_cast<std::int64_t>(device.here().limits.pending_launches));
    results_.set(name + ".set", static_cast<std::int64_t>(device.here().limits.times_set));
  } else {
    double end = 0;
    for (const simulator::Activity& activity : device.timeline.activities()) end = std::max(end, activity.end_us);
    results_.set(name, std::max(0.0, end - device.timeline.now_us()));
  }
}

/// Memory of the program's own holds the array; what lies behind it is poison.
void CaseArrays::bind(const Array& array, const std::string& name) const {
  const Allocation* const memory = runtime::Runtime::instance().memory.find(array.address);
  const std::uint64_t mixed = poison_seed_of(poison_, name);
  for (std::uint64_t i = array.bytes; i < memory->bytes; ++i) memory->host[i] = std::byte{poison_byte(mixed, i)};
  simulator::remote::remote_host().bind(memory->address, memory->bytes, memory->host,
                                        memory->kind != MemoryKind::managed);
}

simulator::remote::ArrayOwner::Answer CaseArrays::ask(ArrayKind kind, const std::string& name, int element,
                                                      std::uint64_t bytes, std::uint64_t address) {
  if (kind == ArrayKind::take) {
    take();
    return {};
  }
  if (kind >= ArrayKind::observe_memory) {
    if (results_.all().size() < 4 * kMostArrays) observe(kind, name, address);
    return {};
  }
  const bool is_input =
      kind != ArrayKind::device_output && kind != ArrayKind::device_filled && kind != ArrayKind::bind_output;
  const Value* const known = given_.has(name) ? &given_.value(name) : nullptr;
  if (is_input && (known == nullptr || known->scalar)) return {ArrayError::unknown, 0, {}};
  if ((is_input && known->bytes.size() != bytes) || bytes > kLargestArray) return {ArrayError::wrong_size, 0, {}};
  if (arrays_.count(name) > 0 || arrays_.size() >= kMostArrays) return {ArrayError::taken, 0, {}};

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
  if (const auto place = live(array); kind == ArrayKind::device_filled && !place.empty()) {
    std::memset(place.data(), static_cast<int>(address & 0xff), place.size());
    note_written(array);
  }
  const bool is_pageable = !array.pageable.empty();
  if (!is_pageable) runtime::Runtime::instance().profile.is_array(array.address, name);
  if (is_bound && !is_pageable && array.bytes > 0) bind(array, name);
  Array& kept = arrays_[name] = std::move(array);
  host_launches_ = 0;
  if (is_pageable) simulator::remote::remote_host().bind_pageable(kept.address, kept.pageable);
  const std::uint64_t place = kept.address;
  make_changes(Moment::arrival(), name);
  // Of an input that changed on arrival, the program sees the old contents.
  return {ArrayError::none, place, is_pageable && is_input ? std::span<const std::byte>(known->bytes) : kept.pageable};
}

/// The program's memory may be longer than the array: counts bytes of the rest that are no longer poison.
std::size_t CaseArrays::changed_behind(const std::string& name, const Array& array) const {
  const Allocation* const memory = runtime::Runtime::instance().memory.find(array.address);
  const std::uint64_t mixed = poison_seed_of(poison_, name);
  std::size_t changed = 0;
  for (std::uint64_t i = array.bytes; memory != nullptr && i < memory->bytes; ++i)
    changed += std::to_integer<std::uint8_t>(memory->host[i]) != poison_byte(mixed, i) ? 1 : 0;
  return changed;
}

void CaseArrays::take() {
  for (auto& [name, array] : arrays_) {
    if (array.role == Value::Role::plain || array.taken) continue;
    array.taken = true;
    const std::span<const std::byte> now = live(array);
    if (now.empty() && array.bytes != 0) continue;  // Freed: the output is missing, which the test will report.
    const bool is_input = array.role == Value::Role::input_buffer;
    const auto& remote = simulator::remote::remote_host();
    // Neither the device nor the program may change an input in the program's memory.
    const bool is_bound = remote.is_bound(array.address);
    std::span<const std::byte> given;
    if (is_input) given = given_.value(name).bytes;
    const std::span<const std::byte> expected = array.changed.empty() ? given : array.changed;
    if (is_input && are_equal(now, expected) &&
        (!is_bound || !remote.is_pinned_copy(array.address) ||
         is_of_either({remote.copy_of(array.address), given.size()}, given, expected)))
      continue;
    Value value;
    value.role = array.role;
    value.element = array.element;
    value.bytes.assign(now.begin(), now.end());
    if (is_bound && !is_input && !are_equal(now, {remote.copy_of(array.address), now.size()})) {
      Value seen;
      seen.element = array.element;
      seen.bytes.assign(remote.copy_of(array.address), remote.copy_of(array.address) + array.bytes);
      results_.put(name + kHostsView, std::move(seen));
    }
    results_.put(name, std::move(value));
    if (is_bound && !is_input) {
      const auto behind = changed_behind(name, array);
      if (behind > 0) results_.set(name + kChangedBehind, behind);
    }
  }
}

Reply CaseArrays::results() {
  take();
  return std::move(results_);
}

}  // namespace warpbook::grader
