// Copies and fills. The bytes are moved immediately, in issue order, unless work is deferred (backlog.h); only the
// virtual clock models overlap.
#include "common/simulator/runtime/copy.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "common/simulator/runtime/graph_capture.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/misuse.h"

namespace warpbook::simulator::runtime {
namespace {

bool wants_device_source(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}
bool wants_device_target(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

bool is_pageable(const Place& place) { return place.allocation == nullptr; }

const char* profile_kind(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_device:
      return "host_to_device";
    case CopyKind::device_to_host:
      return "device_to_host";
    case CopyKind::device_to_device:
      return "device_to_device";
    case CopyKind::host_to_host:
      break;
  }
  return "";
}

void record(Runtime& runtime, const Activity& activity, const char* kind, std::uint64_t bytes, const Stream& stream,
            const char* host_memory = "", int from_device = -1, int to_device = -1) {
  if (!runtime.profile.enabled() || *kind == '\0') return;
  runtime.profile.add(CopyRecord{kind, bytes, stream.number, activity.start_us, activity.end_us - activity.start_us,
                                 host_memory, from_device, to_device});
}

/// For the profile: which host memory a copy reads or writes.
const char* host_memory_of(CopyKind direction, const Place& target, const Place& source) {
  if (direction != CopyKind::host_to_device && direction != CopyKind::device_to_host) return "";
  const Place& place = direction == CopyKind::host_to_device ? source : target;
  const auto address =
      place.allocation == nullptr ? reinterpret_cast<std::uint64_t>(place.bytes) : place.allocation->address;
  if (host().is_array(address)) return "array";
  if (place.allocation == nullptr) return "pageable";
  return place.allocation->kind == MemoryKind::registered ? "registered" : "pinned";
}

/// The copy engines and memset access managed memory like a kernel: pages that are not on the device move there.
PageTraffic touch(Runtime& runtime, const Place& place, const Box& box, const BoxSize& size, PageUse use) {
  if (place.allocation == nullptr || place.allocation->kind != MemoryKind::managed) return {};
  ManagedRange* range = runtime.managed.model.find(place.allocation->address);
  if (range == nullptr || ManagedMemory::settled(*range, active_device())) return {};
  std::vector<PageUse> uses(range->pages.size());
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(box.base) - range->address;
  for (std::uint64_t slice = 0; slice < size.depth; ++slice) {
    for (std::uint64_t row = 0; row < size.height; ++row) {
      const std::uint64_t at = begin + (slice * box.slice_rows + row) * box.pitch;
      for (std::uint64_t page = at / kPageBytes; page <= (at + size.width - 1) / kPageBytes; ++page) uses[page] |= use;
    }
  }
  const PageTraffic traffic =
      ManagedMemory::device_touches(*range, uses, FaultWindow::of_copies(), nullptr, active_device());
  runtime.profile.add(range->address, traffic);
  return traffic;
}

/// Shows the program what the device wrote, if the program's code works on copies of that memory.
void show(const Place& place, const Box& box, const BoxSize& size) {
  if (place.allocation == nullptr || !host().is_apart()) return;
  const auto same = [&](const Host::Range& range) { return range.address == place.allocation->address; };
  const auto copied = host().copied_pinned();
  if (place.allocation->kind != MemoryKind::managed && std::none_of(copied.begin(), copied.end(), same)) return;
  for (std::uint64_t slice = 0; slice < size.depth; ++slice) {
    for (std::uint64_t row = 0; row < size.height; ++row)
      host().show(reinterpret_cast<std::uint64_t>(box.base) + (slice * box.slice_rows + row) * box.pitch, size.width);
  }
}

/// Adds the faults that a copy or fill causes to its stream, before it.
void serve(Runtime& runtime, const PageTraffic& traffic, const Stream& stream) {
  if (!traffic.faulted()) return;
  const Activity activity = runtime.timeline.copy_fault(stream.number, traffic);
  if (traffic.bytes_to_device == 0) return;
  runtime.profile.add(MigrationRecord{"host_to_device", "gpu_page_faults", traffic.bytes_to_device, stream.number,
                                      activity.start_us, activity.end_us - activity.start_us});
}

/// Tells the checkers which rows are read and written.
void check(Runtime& runtime, const Checker::HostCall& call, const Box& to, const Box& from, const BoxSize& size,
           const Checker::Moved& moved) {
  if (!runtime.checker) return;
  // Whoever waits for a word that a stream writes reads it without a race.
  if (call.name.rfind("cuStreamWriteValue", 0) == 0)
    return runtime.checker->copied(reinterpret_cast<std::uint64_t>(to.base), 0, size.width);
  if (from.base != nullptr) runtime.checker->look_at_host_stores();
  const auto row_of = [](const Box& box, std::uint64_t slice, std::uint64_t row) {
    return box.base == nullptr ? 0
                               : reinterpret_cast<std::uint64_t>(box.base) + (slice * box.slice_rows + row) * box.pitch;
  };
  for (std::uint64_t slice = 0; slice < size.depth; ++slice) {
    for (std::uint64_t row = 0; row < size.height; ++row) {
      Checker::Moved of_row = moved;
      if (moved.period == 0) of_row.bytes += (slice * from.slice_rows + row) * from.pitch;
      runtime.checker->host_work(call, row_of(to, slice, row), row_of(from, slice, row), size.width, of_row);
    }
  }
  if (!runtime.watch) return;
  runtime.watch->used(row_of(to, 0, 0), span_of(to, size), kPageRead | kPageWritten);
  if (from.base != nullptr) runtime.watch->used(row_of(from, 0, 0), span_of(from, size), kPageRead);
}

/// The current call, as findings name it; for a graph node its kind.
Checker::HostCall call_of(Runtime& runtime, const char* node) {
  if (!runtime.checker) return {};
  return {node != nullptr ? node : runtime.call_name, runtime.places.here()};
}

/// A validated copy whose places have been resolved.
struct Transfer {
  Place target, source;
  Box to, from;
  BoxSize size;
  CopyKind direction = CopyKind::host_to_host;
  bool is_between_devices = false;
  const char* host_memory = "";
  std::shared_ptr<const std::vector<std::byte>> kept;  ///< The contents of the source when the copy was submitted.
  Checker::HostCall call;

  /// Copies from pageable memory are staged: later writes there do not count.
  void keep_source() {
    kept = std::make_shared<const std::vector<std::byte>>(source.bytes, source.bytes + span_of(from, size));
  }

  void run(Runtime& runtime, const Stream& stream) const {
    const OnDevice there(stream.device());
    const OpenManagedPages open(runtime.managed);
    check(runtime, call, to, from, size, {kept != nullptr ? kept->data() : source.bytes, 0});
    PageTraffic traffic = touch(runtime, source, from, size, kPageRead);
    traffic.add(touch(runtime, target, to, size, kPageRead | kPageWritten));
    serve(runtime, traffic, stream);
    const std::byte* const bytes = kept != nullptr ? kept->data() : source.bytes;
    for (std::uint64_t slice = 0; slice < size.depth; ++slice) {
      for (std::uint64_t row = 0; row < size.height; ++row) {
        std::memmove(target.bytes + (slice * to.slice_rows + row) * to.pitch,
                     bytes + (slice * from.slice_rows + row) * from.pitch, size.width);
      }
    }
    show(target, to, size);
    const bool pageable = is_pageable(source) || is_pageable(target);
    if (is_between_devices) {
      const unsigned owner = source.allocation->device, receiver = target.allocation->device;
      const bool direct = (runtime.device_at(owner).peers & only_device(receiver)) != 0 ||
                          (runtime.device_at(receiver).peers & only_device(owner)) != 0;
      const Activity activity = runtime.timeline.peer_copy(stream.number, owner, receiver, size.bytes(), direct);
      record(runtime, activity, profile_kind(direction), size.bytes(), stream, "", static_cast<int>(owner),
             static_cast<int>(receiver));
      return;
    }
    const Activity activity = runtime.timeline.copy(stream.number, direction, size.bytes(), pageable);
    record(runtime, activity, profile_kind(direction), size.bytes(), stream, host_memory);
  }
};

/// A validated fill.
struct Fill {
  Place target;
  Box to;
  BoxSize size;
  std::uint32_t value = 0;
  unsigned element = 1;
  Checker::HostCall call;

  void run(Runtime& runtime, const Stream& stream) const {
    const OnDevice there(stream.device());
    const OpenManagedPages open(runtime.managed);
    check(runtime, call, to, Box{nullptr, 0, 0}, size, {reinterpret_cast<const std::byte*>(&value), element});
    serve(runtime, touch(runtime, target, to, size, kPageRead | kPageWritten), stream);
    for (std::uint64_t slice = 0; slice < size.depth; ++slice) {
      for (std::uint64_t row = 0; row < size.height; ++row) {
        std::byte* const at = target.bytes + (slice * to.slice_rows + row) * to.pitch;
        if (element == 1) {
          std::memset(at, static_cast<int>(value), size.width);
        } else {
          for (std::uint64_t x = 0; x + element <= size.width; x += element) std::memcpy(at + x, &value, element);
        }
      }
    }
    show(target, to, size);
    const Activity activity = runtime.timeline.memset(stream.number, size.bytes());
    record(runtime, activity, "memset", size.bytes(), stream);
  }
};

/// Resolves the places of a copy. @returns CUDA's error for an invalid one
cudaError_t plan(Runtime& runtime, const Box& to, const Box& from, const BoxSize& size, cudaMemcpyKind kind,
                 bool planned, Transfer& transfer) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (runtime.options.checks.has(Check::memory) && !planned)
    check_copy(runtime, to.base, span_of(to, size), from.base, span_of(from, size), kind);
  const auto target = locate(runtime, to.base, span_of(to, size), planned);
  const auto source = locate(runtime, from.base, span_of(from, size), planned);
  if (!target || !source || span_of(to, size) == kNowhere || span_of(from, size) == kNowhere)
    return cudaErrorInvalidValue;
  // Memory that the caller declares as device memory must be known to CUDA; the reverse is not checked, as on hardware.
  if (wants_device_source(kind) && source->allocation == nullptr) return cudaErrorInvalidValue;
  if (wants_device_target(kind) && target->allocation == nullptr) return cudaErrorInvalidValue;
  transfer = {.target = *target, .source = *source, .to = to, .from = from, .size = size, .kept = nullptr, .call = {}};
  transfer.direction = source->on_device()
                           ? (target->on_device() ? CopyKind::device_to_device : CopyKind::device_to_host)
                       : target->on_device() ? CopyKind::host_to_device
                                             : CopyKind::host_to_host;
  transfer.host_memory = host_memory_of(transfer.direction, *target, *source);
  transfer.is_between_devices = transfer.direction == CopyKind::device_to_device && source->is_on_one_device() &&
                                target->is_on_one_device() && source->allocation->device != target->allocation->device;
  return cudaSuccess;
}

}  // namespace

std::uint64_t span_of(const Box& box, const BoxSize& size) {
  std::uint64_t rows = 0, bytes = 0;
  const bool overlaps = (size.height > 1 && box.pitch < size.width) || (size.depth > 1 && box.slice_rows < size.height);
  if (overlaps || __builtin_mul_overflow(size.depth - 1, box.slice_rows, &rows) ||
      __builtin_add_overflow(rows, size.height - 1, &rows) || __builtin_mul_overflow(rows, box.pitch, &bytes) ||
      __builtin_add_overflow(bytes, size.width, &bytes))
    return kNowhere;
  return bytes;
}

bool Place::is_on_one_device() const { return on_device() && allocation->kind != MemoryKind::managed; }

bool Place::on_device() const {
  return allocation != nullptr && (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::managed ||
                                   allocation->kind == MemoryKind::module);
}

std::optional<Place> locate(const Runtime& runtime, const void* pointer, std::uint64_t bytes, bool planned) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address == 0) return std::nullopt;
  const Allocation* allocation = runtime.memory.find(address);
  if (allocation == nullptr && planned) allocation = runtime.memory.hidden(address);
  if (allocation != nullptr) {
    if (!allocation->contains(address, bytes)) return std::nullopt;
    // The host cannot copy memory from device-side malloc: an H200 returns cudaErrorInvalidValue.
    if (allocation->name == kDeviceHeapName) return std::nullopt;
    return Place{allocation->host + (address - allocation->address), allocation};
  }
  if (GlobalMemory::is_device(address)) return std::nullopt;
  return Place{static_cast<std::byte*>(const_cast<void*>(pointer)), nullptr};
}

cudaError_t copy(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                 cudaMemcpyKind kind, bool blocking) {
  if (runtime.capturing != 0) {
    if (const auto captured = capture_copy(runtime, stream, to, from, size, kind)) return *captured;
  }
  if (size.is_empty() && kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault) return cudaSuccess;
  Transfer transfer;
  if (const cudaError_t error = plan(runtime, to, from, size, kind, false, transfer)) return error;
  if ((runtime.backlog.late() || runtime.backlog.has_work(stream)) && is_pageable(transfer.source))
    transfer.keep_source();
  transfer.call = call_of(runtime, nullptr);
  const bool at_once = blocking && transfer.direction != CopyKind::device_to_device;
  const bool pageable_target = is_pageable(transfer.target);
  runtime.backlog.put(stream, [&runtime, stream, transfer = std::move(transfer)] {
    if (!runtime.has_failed()) transfer.run(runtime, stream);
  });
  if (at_once) return runtime.wait_for(stream);
  // A copy to pageable memory returns when it is done, whichever call it is.
  if (pageable_target) runtime.backlog.finish(stream);
  return cudaSuccess;
}

cudaError_t copy(Runtime& runtime, const Stream& stream, void* to, const void* from, std::uint64_t bytes,
                 cudaMemcpyKind kind, bool blocking) {
  return copy(runtime, stream, Box{to, bytes, 1}, Box{from, bytes, 1}, BoxSize{bytes, 1, 1}, kind, blocking);
}

cudaError_t fill(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                 unsigned element) {
  if (runtime.capturing != 0) {
    if (const auto captured = capture_fill(runtime, stream, to, size, value, element)) return *captured;
  }
  if (size.is_empty()) return cudaSuccess;
  if (runtime.options.checks.has(Check::memory)) check_fill(runtime, to.base, span_of(to, size));
  const auto target = locate(runtime, to.base, span_of(to, size));
  if (!target || target->allocation == nullptr || !target->allocation->allows(stream.device()))
    return cudaErrorInvalidValue;
  if (target->allocation->mapped && target->allocation->read_only) return cudaErrorInvalidValue;
  runtime.backlog.put(stream,
                      [&runtime, stream, fill = Fill{*target, to, size, value, element, call_of(runtime, nullptr)}] {
                        if (!runtime.has_failed()) fill.run(runtime, stream);
                      });
  return cudaSuccess;
}

cudaError_t check_copy_node(Runtime& runtime, const Box& to, const Box& from, const BoxSize& size,
                            cudaMemcpyKind kind) {
  if (size.is_empty()) return cudaErrorInvalidValue;
  Transfer transfer;
  return plan(runtime, to, from, size, kind, true, transfer);
}

cudaError_t check_fill_node(Runtime& runtime, const Box& to, const BoxSize& size) {
  if (size.is_empty()) return cudaErrorInvalidValue;
  const auto target = locate(runtime, to.base, span_of(to, size), true);
  return target && target->allocation != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_now(Runtime& runtime, const Stream& stream, const Box& to, const Box& from, const BoxSize& size,
                     cudaMemcpyKind kind) {
  Transfer transfer;
  if (const cudaError_t error = plan(runtime, to, from, size, kind, false, transfer)) return error;
  transfer.call = call_of(runtime, "memcpy node");
  if (!host().is_apart()) {
    transfer.run(runtime, stream);
    return cudaSuccess;
  }
  // The program's ordinary memory is in another process: the bytes must be requested or sent.
  if (is_pageable(transfer.source)) {
    std::vector<std::byte> bytes(span_of(from, size));
    host().read(reinterpret_cast<std::uint64_t>(from.base), bytes);
    transfer.kept = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  }
  std::vector<std::byte> brought;
  if (is_pageable(transfer.target)) {
    brought.resize(span_of(to, size));
    transfer.target.bytes = brought.data();
  }
  transfer.run(runtime, stream);
  for (std::uint64_t slice = 0; slice < size.depth && !brought.empty(); ++slice) {
    for (std::uint64_t row = 0; row < size.height; ++row) {
      const std::uint64_t at = (slice * to.slice_rows + row) * to.pitch;
      host().write(reinterpret_cast<std::uint64_t>(to.base) + at, {brought.data() + at, size.width});
    }
  }
  return cudaSuccess;
}

cudaError_t fill_now(Runtime& runtime, const Stream& stream, const Box& to, const BoxSize& size, std::uint32_t value,
                     unsigned element) {
  if (runtime.options.checks.has(Check::memory)) check_fill(runtime, to.base, span_of(to, size));
  const auto target = locate(runtime, to.base, span_of(to, size));
  if (!target || target->allocation == nullptr) return cudaErrorInvalidValue;
  Fill{*target, to, size, value, element, call_of(runtime, "memset node")}.run(runtime, stream);
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
