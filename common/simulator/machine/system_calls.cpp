// Functions that CUDA kernels call and the machine provides: printf, malloc, free and assert on the device. Those of
// the device runtime go to the launch's DeviceRuntime.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/device_runtime.h"

namespace warpbook::simulator {
namespace {

/// Maximum number of arguments of one printf (CUDA C++ programming guide, "Limitations").
constexpr int kMaxPrintfArguments = 32;

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

/// One lane's printf. The arguments lie one after another, each aligned to its size of 4 or 8 bytes.
class Printf {
 public:
  Printf(WarpState& warp, const Operation* operation, unsigned lane, std::uint64_t arguments)
      : warp_(warp), operation_(operation), lane_(lane), next_(arguments) {}

  std::string format(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        out += text[i];
        continue;
      }
      if (i + 1 < text.size() && text[i + 1] == '%') {
        out += '%';
        ++i;
        continue;
      }
      i = convert(text, i, out);
    }
    return out;
  }
  int count() const { return count_; }

 private:
  template <class T>
  T take() {
    T value{};
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    read(warp_, lane_, next_, &value, sizeof value);
    if (warp_.worker->checker != nullptr) warp_.worker->checker->printed(warp_, operation_, lane_, next_, sizeof value);
    next_ += sizeof(T);
    ++count_;
    return value;
  }

  /// Handles the conversion that starts at @p i; returns the position of its last character.
  std::size_t convert(const std::string& text, std::size_t i, std::string& out) {
    std::string spec = "%";
    bool wide = false;
    for (++i; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '*')
        spec += std::to_string(take<int>());
      else if (c == 'l' || c == 'j' || c == 'z' || c == 't')
        wide = true;
      else if (c == 'h')
        continue;
      else if (std::strchr("0123456789.+-# ", c) != nullptr)
        spec += c;
      else
        break;
    }
    if (i >= text.size()) return i;
    const char c = text[i];
    char buffer[512];
    int length = 0;
    switch (c) {
      case 'd':
      case 'i':
        spec += "lld";
        length = std::snprintf(
            buffer, sizeof buffer, spec.c_str(),
            wide ? static_cast<long long>(take<std::int64_t>()) : static_cast<long long>(take<std::int32_t>()));
        break;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        spec += std::string("ll") + c;
        length = std::snprintf(buffer, sizeof buffer, spec.c_str(),
                               wide ? static_cast<unsigned long long>(take<std::uint64_t>())
                                    : static_cast<unsigned long long>(take<std::uint32_t>()));
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        spec += c;
        length = std::snprintf(buffer, sizeof buffer, spec.c_str(), take<double>());
        break;
      case 'c':
        spec += c;
        length = std::snprintf(buffer, sizeof buffer, spec.c_str(), take<int>());
        break;
      case 'p':
        spec += c;
        length = std::snprintf(buffer, sizeof buffer, spec.c_str(), reinterpret_cast<void*>(take<std::uint64_t>()));
        break;
      case 's': {
        const std::uint64_t address = take<std::uint64_t>();
        const std::string value = address == 0 ? "(null)" : read_string(warp_, lane_, address);
        spec += c;
        std::string long_buffer(value.size() + 512, '\0');
        length = std::snprintf(long_buffer.data(), long_buffer.size(), spec.c_str(), value.c_str());
        out.append(long_buffer, 0, static_cast<std::size_t>(std::max(length, 0)));
        return i;
      }
      default:
        out += spec + c;
        return i;
    }
    out.append(buffer, static_cast<std::size_t>(std::min<int>(std::max(length, 0), sizeof buffer - 1)));
    return i;
  }

  WarpState& warp_;
  const Operation* operation_;
  unsigned lane_;
  std::uint64_t next_;
  int count_ = 0;
};

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
  Printf printf(warp, operation, lane, argument<std::uint64_t>(warp, lane, site, 1));
  warp.worker->printed.push_back({warp.block->linear, printf.format(read_string(warp, lane, format))});
  give_back(warp, lane, site, std::min(printf.count(), kMaxPrintfArguments));
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
