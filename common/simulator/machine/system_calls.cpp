// Functions that CUDA kernels call and the machine provides: printf, malloc, free and assert on the device. Those of
// the device runtime go to the launch's DeviceRuntime.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/machine/printf_text.h"

namespace warpbook::simulator {
namespace {

/// The host pointer for @p bytes at a lane's generic address; nullptr if there is no memory.
std::byte* place_of(WarpState& warp, unsigned lane, std::uint64_t address, std::size_t bytes) {
  const ptx::Space space = space_of(address);
  if (space == ptx::Space::local) {
    const std::uint64_t offset = address - kLocalWindow;
    return offset + bytes > warp.local_stride ? nullptr : warp.local + lane * warp.local_stride + offset;
  }
  if (space == ptx::Space::shared) {
    const std::uint64_t offset = address - kSharedWindow;
    return offset + bytes > warp.shared_bytes ? nullptr : warp.shared + offset;
  }
  const Allocation* allocation = warp.worker->find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) return nullptr;
  return allocation->host + (address - allocation->address);
}

bool read(WarpState& warp, unsigned lane, std::uint64_t address, void* out, std::size_t bytes) {
  const std::byte* place = place_of(warp, lane, address, bytes);
  if (place == nullptr) return false;
  std::copy_n(place, bytes, static_cast<std::byte*>(out));  // `out` may be null if there are no bytes.
  return true;
}

std::string read_string(WarpState& warp, unsigned lane, std::uint64_t address) {
  std::string text;
  for (char c; text.size() < 65536 && read(warp, lane, address + text.size(), &c, 1) && c != '\0';) text += c;
  return text;
}

template <class T>
T argument(WarpState& warp, unsigned lane, const CallSite& site, std::size_t index) {
  T value{};
  if (index >= site.arguments.size() || site.arguments[index].bytes < sizeof value) return value;
  std::memcpy(&value, warp.local + lane * warp.local_stride + warp.local_base + site.arguments[index].from,
              sizeof value);
  return value;
}

template <class T>
void give_back(WarpState& warp, unsigned lane, const CallSite& site, T value) {
  if (site.returns.empty() || site.returns[0].bytes < sizeof value) return;
  std::memcpy(warp.local + lane * warp.local_stride + warp.local_base + site.returns[0].to, &value, sizeof value);
}

void print(WarpState& warp, const Operation* operation, unsigned lane, const CallSite& site) {
  const auto format = argument<std::uint64_t>(warp, lane, site, 0);
  if (format == 0) {
    give_back(warp, lane, site, -1);
    return;
  }
  // The arguments lie one after another, each aligned to its size.
  auto next = argument<std::uint64_t>(warp, lane, site, 1);
  const PrintfArguments arguments{[&](unsigned bytes) {
                                    std::uint64_t value = 0;
                                    next = (next + bytes - 1) / bytes * bytes;
                                    read(warp, lane, next, &value, bytes);
                                    if (warp.worker->checker != nullptr)
                                      warp.worker->checker->printed(warp, operation, lane, next, bytes);
                                    next += bytes;
                                    return value;
                                  },
                                  [&](std::uint64_t address) { return read_string(warp, lane, address); }};
  PrintfText printed = printf_text(read_string(warp, lane, format), arguments);
  warp.worker->printed.push_back({warp.block->linear, std::move(printed.text)});
  give_back(warp, lane, site, printed.count);
}

/// Reports a failed assertion with the runtime's text. The lane ends; the launch continues, and fails when it has
/// ended.
void fail_assertion(WarpState& warp, const Operation* operation, unsigned lane, const CallSite& site) {
  const std::string message = read_string(warp, lane, argument<std::uint64_t>(warp, lane, site, 0));
  const std::string file = read_string(warp, lane, argument<std::uint64_t>(warp, lane, site, 1));
  const auto line = argument<std::uint32_t>(warp, lane, site, 2);
  const std::string function = read_string(warp, lane, argument<std::uint64_t>(warp, lane, site, 3));
  Worker& worker = *warp.worker;
  const Fault before = std::move(worker.fault);
  raise(warp, operation, FaultKind::assertion, lane, 0, 0, false, "Assertion `" + message + "` failed");
  Fault fault = std::move(worker.fault);
  worker.fault = before;
  warp.stop = Stop::none;
  const auto place = [](const std::uint32_t* v) {
    std::string text = "[";
    text.append(std::to_string(v[0])).append(",").append(std::to_string(v[1])).append(",").append(std::to_string(v[2]));
    return text + "]";
  };
  worker.printed.push_back({warp.block->linear,
                            file + ":" + std::to_string(line) + ": " + function + ": block: " + place(fault.block) +
                                ", thread: " + place(fault.thread) + " Assertion `" + message + "` failed.\n",
                            true});
  if (!worker.assertion) worker.assertion = std::move(fault);
}

HeapCall heap_call(const WarpState& warp, const Operation* operation, unsigned lane, DeviceHeap& heap) {
  HeapCall call;
  if (!heap.follows_calls()) return call;
  const Launch& launch = *warp.worker->launch;
  call.source = heap.number_of(operation, [&] {
    CheckSite site = source_of(*warp.program, operation->index);
    site.kernel = launch.name;
    return site;
  });
  for (unsigned axis = 0; axis < 3; ++axis) call.block[axis] = warp.block->index[axis];
  call.thread = unfolded(std::uint64_t{warp.index} * kWarpSize + lane, launch.block);
  return call;
}

/// Returns memory from the heap, filled with bytes that are neither a valid number nor a pointer, so that use before
/// initialisation shows. What other threads did with recycled memory is ordered before this call.
std::uint64_t allocate_memory(WarpState& warp, const Operation* operation, unsigned lane, DeviceHeap& heap,
                              std::uint64_t bytes) {
  const std::uint64_t address = heap.allocate(bytes, heap_call(warp, operation, lane, heap));
  if (address != 0 && warp.worker->checker != nullptr) warp.worker->checker->allocated(address, bytes);
  return address;
}

bool free_memory(WarpState& warp, const Operation* operation, unsigned lane, DeviceHeap& heap, std::uint64_t address) {
  if (const std::uint64_t bytes = heap.size_at(address); bytes != 0) {
    if (std::byte* place = place_of(warp, lane, address, bytes)) std::memset(place, 0xff, bytes);
  }
  return heap.free(address, heap_call(warp, operation, lane, heap));
}

}  // namespace

std::uint64_t DeviceCall::block() const { return warp_.block->linear; }

std::uint32_t DeviceCall::thread() const { return warp_.index * kWarpSize + lane_; }

HeapCall DeviceCall::heap_call(DeviceHeap& heap) const { return simulator::heap_call(warp_, &operation_, lane_, heap); }
std::uint64_t DeviceCall::clock() const { return warp_.state->clock(); }
std::uint32_t DeviceCall::publish() {
  return warp_.worker->checker == nullptr ? 0 : warp_.worker->checker->publish(warp_, lane_);
}

bool DeviceCall::read(std::uint64_t address, void* out, std::size_t bytes) const {
  return simulator::read(warp_, lane_, address, out, bytes);
}

bool DeviceCall::write(std::uint64_t address, const void* from, std::size_t bytes) {
  std::byte* place = place_of(warp_, lane_, address, bytes);
  if (place == nullptr) return false;
  std::copy_n(static_cast<const std::byte*>(from), bytes, place);
  if (warp_.worker->checker != nullptr) warp_.worker->checker->wrote(warp_, lane_, address, bytes);
  return true;
}

void DeviceCall::copy_argument(std::size_t index, void* out, std::size_t bytes) const {
  if (index >= site_.arguments.size() || site_.arguments[index].bytes < bytes) return;
  const std::byte* frame = warp_.local + lane_ * warp_.local_stride + warp_.local_base;
  std::memcpy(out, frame + site_.arguments[index].from, bytes);
}

void DeviceCall::copy_answer(const void* value, std::size_t bytes) {
  if (site_.returns.empty() || site_.returns[0].bytes < bytes) return;
  std::byte* frame = warp_.local + lane_ * warp_.local_stride + warp_.local_base;
  std::memcpy(frame + site_.returns[0].to, value, bytes);
}

const Operation* call_system(WarpState& warp, const Operation* operation, const CallSite& site) {
  const std::uint32_t called = warp.exec;
  for (std::uint32_t lanes = called; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
    DeviceHeap* heap = warp.worker->launch->heap;
    switch (site.system) {
      case SystemCall::vprintf:
        print(warp, operation, lane, site);
        break;
      case SystemCall::malloc:
        give_back(warp, lane, site,
                  heap == nullptr
                      ? std::uint64_t{0}
                      : allocate_memory(warp, operation, lane, *heap, argument<std::uint64_t>(warp, lane, site, 0)));
        break;
      case SystemCall::free:
        if (heap != nullptr &&
            !free_memory(warp, operation, lane, *heap, argument<std::uint64_t>(warp, lane, site, 0))) {
          return raise(warp, operation, FaultKind::out_of_bounds, lane, argument<std::uint64_t>(warp, lane, site, 0), 0,
                       true,
                       {"free of a pointer that malloc in a kernel did not return, or that was freed before",
                        FaultCause::unknown_free});
        }
        break;
      case SystemCall::assertfail:
        fail_assertion(warp, operation, lane, site);
        break;
      case SystemCall::unknown: {
        DeviceCall call(warp, lane, site, *operation);
        DeviceRuntime* device_runtime = warp.state->device_runtime;
        if (device_runtime == nullptr || !device_runtime->call(call)) {
          return raise(warp, operation, FaultKind::unsupported, lane, 0, 0, false,
                       "a call of " + site.name + " in a kernel is not supported by the virtual GPU");
        }
        break;
      }
      default:
        break;
    }
  }
  if (site.system == SystemCall::assertfail) return warp.leave(called, operation + 1);
  return operation + 1;
}

}  // namespace warpbook::simulator
