// Events: time stamps on the virtual clock.
#include <unistd.h>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/ipc.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/poll.h"

namespace {

using namespace warpbook::simulator::runtime;

/// Calls @p body(runtime, event) for a live event.
template <class Body>
cudaError_t with_event(CallKind kind, const char* name, cudaEvent_t handle, Body body) {
  return call(kind, name, [&](Runtime& runtime) {
    Event* event = runtime.events.find(handle);
    return event == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *event);
  });
}

cudaError_t create(const char* name, cudaEvent_t* event, unsigned flags) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    const bool shared = (flags & cudaEventInterprocess) != 0;
    if (shared && (flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
    Event* made = runtime.events.add();
    if (shared && (made->shared = SharedEvent::make()) == nullptr) {
      runtime.events.remove(made);
      return cudaErrorMemoryAllocation;
    }
    made->flags = flags;
    made->device = active_device();
    if (runtime.options.checks.any()) runtime.objects.made(made, "event", name, runtime.places.here());
    *event = reinterpret_cast<cudaEvent_t>(made);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return create("cudaEventCreateWithFlags", event, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create("cudaEventCreate", event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call(CallKind::ordinary, "cudaEventDestroy", [&](Runtime& runtime) {
    runtime.objects.gone(handle);
    return runtime.events.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags) {
  return with_event(CallKind::enqueue, "cudaEventRecord", handle, [&](Runtime& runtime, Event& event) {
    Stream* stream = runtime.find_stream(stream_handle);
    if (stream == nullptr || stream->device() != event.device) return cudaErrorInvalidResourceHandle;
    if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) return cudaErrorInvalidValue;
    if (runtime.capturing != 0) {
      if (const auto captured = runtime.graphs->captures.record(*stream, event, flags)) return *captured;
    }
    if (flags != 0) return cudaErrorIllegalState;  // Only a node of a graph records for outside of it.
    event.captured.reset();
    event.latest = std::make_shared<EventRecord>();
    event.latest->frees = frees_seen_by(stream->number);
    std::uint64_t count = 0;
    if (event.shared) {
      event.shared->record().recorder = ::getpid();
      count = ++event.shared->record().recorded;
    }
    const auto record = [&runtime, made = event.latest, number = stream->number, shared = event.shared, count] {
      if (shared && shared->record().completed < count) shared->record().completed = count;
      made->time_us = runtime.timeline.record(number);
      runtime.profile.add_event(number, made->time_us);
    };
    event.latest->ticket = runtime.backlog.put(*stream, record);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return with_event(CallKind::ordinary, "cudaEventQuery", handle, [](Runtime& runtime, Event& event) {
    if (const cudaError_t error = runtime.graphs->captures.ask(event)) return error;
    if (event.shared && event.shared->is_elsewhere()) return poll(runtime, [&] { return event.shared->is_complete(); });
    if (event.latest == nullptr) return cudaSuccess;
    const bool done = runtime.backlog.try_to_finish(event.latest->ticket);
    return poll(runtime, [&] { return done && runtime.timeline.reached(event.latest->time_us); });
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(CallKind::ordinary, "cudaEventSynchronize", handle, [](Runtime& runtime, Event& event) {
    if (const cudaError_t error = runtime.graphs->captures.ask(event)) return error;
    if (event.shared && event.shared->is_elsewhere()) {
      event.shared->wait();
      return cudaSuccess;
    }
    const cudaError_t error = event.latest == nullptr ? cudaSuccess : runtime.wait_for(*event.latest);
    settle_pools(runtime);
    return error;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
  return call(CallKind::ordinary, "cudaEventElapsedTime", [&](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const Event* start = runtime.events.find(start_handle);
    const Event* end = runtime.events.find(end_handle);
    if (start == nullptr || end == nullptr) return cudaErrorInvalidResourceHandle;
    for (const Event* event : {start, end})
      if (const cudaError_t error = runtime.graphs->captures.ask(*event)) return error;
    if (start->latest == nullptr || end->latest == nullptr) return cudaErrorInvalidResourceHandle;
    if (((start->flags | end->flags) & cudaEventDisableTiming) != 0) return cudaErrorInvalidResourceHandle;
    if (start->device != end->device) return cudaErrorInvalidResourceHandle;
    const bool done =
        runtime.backlog.try_to_finish(start->latest->ticket) && runtime.backlog.try_to_finish(end->latest->ticket);
    const double start_us = start->latest->time_us, end_us = end->latest->time_us;
    const bool reached = done && runtime.timeline.reached(start_us) && runtime.timeline.reached(end_us);
    if (!reached) return poll(runtime, [] { return false; });
    *milliseconds = static_cast<float>((end_us - start_us) / 1000.0);
    return cudaSuccess;
  });
}
