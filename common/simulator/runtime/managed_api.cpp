// Managed memory: allocation, prefetches, advice and range attributes. The errors are those of an H200.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/memory_api.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Activity;
using warpbook::simulator::kMostDevices;
using warpbook::simulator::kPageBytes;
using warpbook::simulator::ManagedMemory;
using warpbook::simulator::ManagedPage;
using warpbook::simulator::ManagedRange;
using warpbook::simulator::MemoryKind;
using warpbook::simulator::PageTraffic;
using PagePlace = warpbook::simulator::Place;

/// Pages [first, last) of a managed range; no range if [pointer, pointer + bytes) is not inside one.
struct Pages {
  ManagedRange* range = nullptr;
  std::size_t first = 0, last = 0;
};

Pages pages_of(Runtime& runtime, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  ManagedRange* range = runtime.managed.model.find(address);
  if (range == nullptr || bytes == 0) return {};
  const std::uint64_t offset = address - range->address;
  if (offset >= range->bytes || bytes > range->bytes - offset) return {};
  return {range, offset / kPageBytes, (offset + bytes - 1) / kPageBytes + 1};
}

/// The place that @p location names; PagePlace::none if there is no such location.
PagePlace place_of(const Runtime& runtime, const cudaMemLocation& location) {
  constexpr int kNumaNodes = 1;
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return is_device(runtime, location.id) ? PagePlace::device : PagePlace::none;
    case cudaMemLocationTypeHost:
      return PagePlace::host;
    case cudaMemLocationTypeHostNuma:
      return location.id >= 0 && location.id < kNumaNodes ? PagePlace::host_numa : PagePlace::none;
    case cudaMemLocationTypeHostNumaCurrent:
      return PagePlace::host_numa;
    default:
      return PagePlace::none;
  }
}

bool is_known(const cudaMemLocation& location) {
  return location.type >= cudaMemLocationTypeDevice && location.type <= cudaMemLocationTypeHostNumaCurrent;
}

cudaError_t advise(const Runtime& runtime, const Pages& pages, cudaMemoryAdvise advice,
                   const cudaMemLocation& location) {
  const PagePlace place = place_of(runtime, location);
  const auto set = [&](auto change) {
    for (std::size_t i = pages.first; i < pages.last; ++i) change(pages.range->pages[i]);
    return cudaSuccess;
  };
  const bool by_device = place == PagePlace::device, accessed_by = advice == cudaMemAdviseSetAccessedBy;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      // Existing read-only copies stay until one side writes.
      return set([&](ManagedPage& page) { page.read_mostly = advice == cudaMemAdviseSetReadMostly; });
    case cudaMemAdviseSetPreferredLocation:
      if (place == PagePlace::none) return cudaErrorInvalidValue;
      return set([&](ManagedPage& page) {
        page.preferred = place;
        page.preferred_device = place == PagePlace::device ? static_cast<std::uint8_t>(location.id) : 0;
      });
    case cudaMemAdviseUnsetPreferredLocation:
      return set([](ManagedPage& page) { page.preferred = PagePlace::none; });
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      if (place == PagePlace::none || place == PagePlace::host_numa) return cudaErrorInvalidValue;
      return set([&](ManagedPage& page) {
        if (!by_device) {
          page.accessed_by_host = accessed_by;
          return;
        }
        const std::uint16_t one = static_cast<std::uint16_t>(1u << location.id);
        page.accessed_by_devices =
            static_cast<std::uint16_t>(accessed_by ? page.accessed_by_devices | one : page.accessed_by_devices & ~one);
        page.accessed_by_device = page.accessed_by_devices != 0;
        if (!page.accessed_by_device) page.mapped = false;
      });
  }
  return cudaErrorInvalidValue;
}

/// The value that all pages share, or @p otherwise.
template <class Value, class Get>
Value common_value(const Pages& pages, Value otherwise, Get get) {
  const Value first = get(pages.range->pages[pages.first]);
  for (std::size_t i = pages.first; i < pages.last; ++i) {
    if (get(pages.range->pages[i]) != first) return otherwise;
  }
  return first;
}

/// A place, and which device if it is one.
struct Whereabouts {
  PagePlace place = PagePlace::none;
  int device = 0;
  bool operator==(const Whereabouts&) const = default;
};

int device_number(const Whereabouts& at) {
  if (at.place == PagePlace::none) return cudaInvalidDeviceId;
  return at.place == PagePlace::device ? at.device : cudaCpuDeviceId;
}

int location_type(PagePlace place) {
  switch (place) {
    case PagePlace::none:
      return cudaMemLocationTypeInvalid;
    case PagePlace::device:
      return cudaMemLocationTypeDevice;
    case PagePlace::host:
      return cudaMemLocationTypeHost;
    case PagePlace::host_numa:
      return cudaMemLocationTypeHostNuma;
  }
  return cudaMemLocationTypeInvalid;
}

/// As the driver answers: the only NUMA node is number 0.
int location_number(const Whereabouts& at) { return at.place == PagePlace::host_numa ? 0 : device_number(at); }

cudaError_t get_attribute(const Pages& pages, cudaMemRangeAttribute attribute, void* data, std::size_t bytes) {
  if (data == nullptr || bytes == 0 || bytes % sizeof(int) != 0) return cudaErrorInvalidValue;
  const auto yes = [&](bool ManagedPage::*flag) {
    return common_value(pages, false, [&](const ManagedPage& page) { return page.*flag; });
  };
  const auto preferred = [&] {
    return common_value(pages, Whereabouts(), [](const ManagedPage& p) {
      return Whereabouts{p.preferred, p.preferred_device};
    });
  };
  const auto prefetched = [&] {
    return common_value(pages, Whereabouts(), [](const ManagedPage& p) {
      return Whereabouts{p.last_prefetch, p.prefetch_device};
    });
  };
  std::vector<int> answer;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      answer = {yes(&ManagedPage::read_mostly)};
      break;
    case cudaMemRangeAttributePreferredLocation:
      answer = {device_number(preferred())};
      break;
    case cudaMemRangeAttributePreferredLocationType:
      answer = {location_type(preferred().place)};
      break;
    case cudaMemRangeAttributePreferredLocationId:
      answer = {location_number(preferred())};
      break;
    case cudaMemRangeAttributeLastPrefetchLocation:
      answer = {device_number(prefetched())};
      break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      answer = {location_type(prefetched().place)};
      break;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      answer = {location_number(prefetched())};
      break;
    case cudaMemRangeAttributeAccessedBy:
      for (int device = 0; device < static_cast<int>(kMostDevices); ++device) {
        const auto is_by = [&](const ManagedPage& page) { return (page.accessed_by_devices >> device & 1) != 0; };
        if (common_value(pages, false, is_by)) answer.push_back(device);
      }
      if (yes(&ManagedPage::accessed_by_host)) answer.push_back(cudaCpuDeviceId);
      answer.resize(bytes / sizeof(int), cudaInvalidDeviceId);
      break;
    default:
      return cudaErrorInvalidValue;
  }
  if (answer.size() * sizeof(int) != bytes) return cudaErrorInvalidValue;
  std::memcpy(data, answer.data(), bytes);
  return cudaSuccess;
}

void prefetch(Runtime& runtime, const Pages& pages, PagePlace to, unsigned device, std::uint32_t stream) {
  const OnDevice there(warpbook::simulator::Timeline::device_of(stream));
  runtime.managed.fetch();
  const PageTraffic traffic = ManagedMemory::prefetch(*pages.range, pages.first, pages.last, to, device);
  runtime.managed.protect(*pages.range);
  const bool to_device = to == PagePlace::device;
  const Activity activity = runtime.timeline.prefetch(stream, to_device, traffic);
  runtime.profile.add(pages.range->address, traffic);
  if (traffic.bytes_between_devices != 0) {
    runtime.profile.add(MigrationRecord{"device_to_device", "prefetch", traffic.bytes_between_devices, stream,
                                        activity.start_us, activity.end_us - activity.start_us});
  }
  if (const std::uint64_t moved = traffic.bytes_to_device + traffic.bytes_to_host; moved != 0) {
    runtime.profile.add(MigrationRecord{to_device ? "host_to_device" : "device_to_host", "prefetch", moved, stream,
                                        activity.start_us, activity.end_us - activity.start_us});
  }
}

}  // namespace

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return call(CallKind::ordinary, "cudaMallocManaged", [&](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(runtime, pointer, bytes, MemoryKind::managed, "cudaMallocManaged");
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t handle) {
  return call(CallKind::enqueue, "cudaMemPrefetchAsync", [&](Runtime& runtime) {
    const Stream* stream = runtime.find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (runtime.capturing != 0) {
      if (const cudaError_t error = runtime.graphs->captures.synchronise(*stream)) return error;
    }
    const Pages pages = pages_of(runtime, pointer, bytes);
    if (flags != 0 || pages.range == nullptr) return cudaErrorInvalidValue;
    const PagePlace to = place_of(runtime, location);
    if (to == PagePlace::none)
      return location.type == cudaMemLocationTypeDevice ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    runtime.backlog.put(*stream, [&runtime, pages, to, number = stream->number,
                                  device = static_cast<unsigned>(std::max(location.id, 0))] {
      if (!runtime.has_failed()) prefetch(runtime, pages, to, to == PagePlace::device ? device : 0, number);
    });
    return cudaSuccess;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return call(CallKind::ordinary, "cudaMemAdvise", [&](Runtime& runtime) {
    const Pages pages = pages_of(runtime, pointer, bytes);
    if (pages.range == nullptr || !is_known(location)) return cudaErrorInvalidValue;
    const cudaError_t error = advise(runtime, pages, advice, location);
    runtime.managed.protect(*pages.range);
    return error;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return call(CallKind::ordinary, "cudaMemRangeGetAttribute", [&](Runtime& runtime) {
    const Pages pages = pages_of(runtime, pointer, bytes);
    if (pages.range == nullptr) return cudaErrorInvalidValue;
    runtime.backlog.try_to_finish_all();  // The last prefetch location must be known when it is queried.
    return get_attribute(pages, attribute, data, data_bytes);
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  return call(CallKind::ordinary, "cudaMemRangeGetAttributes", [&](Runtime& runtime) {
    const Pages pages = pages_of(runtime, pointer, bytes);
    if (pages.range == nullptr || data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const cudaError_t error = get_attribute(pages, attributes[i], data[i], data_bytes[i]);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes, unsigned flags) {
  return call(CallKind::enqueue, "cudaStreamAttachMemAsync", [&](Runtime& runtime) {
    if (runtime.find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (pages_of(runtime, pointer, bytes == 0 ? 1 : bytes).range == nullptr) return cudaErrorInvalidValue;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}
