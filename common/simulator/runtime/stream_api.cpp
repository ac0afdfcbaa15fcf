// Streams. Work runs when it is issued unless it is deferred (backlog.h); the order that CUDA guarantees shows on the
// virtual clock.
#include <algorithm>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/device_properties.h"
#include "common/simulator/runtime/graph_capture.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_function.h"
#include "common/simulator/runtime/ipc.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/poll.h"

namespace {

using namespace warpbook::simulator::runtime;

constexpr int kLeastPriority = 0;

cudaError_t create(const char* name, cudaStream_t* stream, unsigned flags, int priority) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
    Stream& made =
        runtime.create_stream(name, flags, std::clamp(priority, -runtime.options.stream_priorities, kLeastPriority));
    *stream = reinterpret_cast<cudaStream_t>(&made);
    return cudaSuccess;
  });
}

/// Where an attribute is stored; nullptr for unknown attributes. They change when work runs, not what it does.
cudaStreamAttrValue* attribute_of(Stream& stream, cudaStreamAttrID attribute) {
  switch (attribute) {
    case cudaStreamAttributeAccessPolicyWindow:
      return &stream.access_policy;
    case cudaStreamAttributeSynchronizationPolicy:
      return &stream.synchronization;
    default:
      return nullptr;
  }
}

/// As an H200 checks it (driver 580.159, 2026-11-27).
bool is_window(const Runtime& runtime, const cudaAccessPolicyWindow& window) {
  const auto most = device_attribute(runtime.here().description, cudaDevAttrMaxAccessPolicyWindowSize);
  return window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting &&
         window.num_bytes <= static_cast<std::uint64_t>(most.value_or(0));
}

/// Runs a host function after the work in @p stream.
template <class Function>
void put_host_function(Runtime& runtime, const Stream& stream, Function function) {
  runtime.backlog.put_in_calls(stream, [&runtime, number = stream.number, function] {
    if (runtime.has_failed()) return;
    runtime.timeline.host_function(number);
    const HostFunctionScope scope;
    function();
  });
}

/// Calls @p body(runtime, stream) for a live stream.
template <class Body>
cudaError_t with_stream(CallKind kind, const char* name, cudaStream_t handle, Body body) {
  return call(kind, name, [&](Runtime& runtime) {
    Stream* stream = runtime.find_stream(handle);
    return stream == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *stream);
  });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create("cudaStreamCreate", stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create("cudaStreamCreateWithFlags", stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create("cudaStreamCreateWithPriority", stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return with_stream(CallKind::ordinary, "cudaStreamDestroy", handle, [](Runtime& runtime, Stream& stream) {
    if (!stream.owned_by_program) return cudaErrorInvalidResourceHandle;
    runtime.destroy_stream(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream(CallKind::ordinary, "cudaStreamGetPriority", handle, [&](Runtime&, Stream& stream) {
    if (priority == nullptr) return cudaErrorInvalidValue;
    *priority = stream.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return with_stream(CallKind::ordinary, "cudaStreamGetFlags", handle, [&](Runtime&, Stream& stream) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = stream.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return with_stream(CallKind::ordinary, "cudaStreamGetId", handle, [&](Runtime&, Stream& stream) {
    if (id == nullptr) return cudaErrorInvalidValue;
    *id = stream.number + 1ull;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return with_stream(CallKind::ordinary, "cudaStreamGetDevice", handle, [&](Runtime&, Stream& stream) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = static_cast<int>(stream.device());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream(CallKind::ordinary, "cudaStreamSynchronize", handle, [](Runtime& runtime, Stream& stream) {
    const cudaError_t error = runtime.wait_for(stream);
    settle_pools(runtime);
    return error;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream(CallKind::ordinary, "cudaStreamQuery", handle, [](Runtime& runtime, Stream& stream) {
    if (runtime.capturing != 0) {
      if (const auto captured = capture_nothing(runtime, stream)) return *captured;
    }
    const bool done = runtime.backlog.try_to_finish(stream);
    return poll(runtime, [&] { return done && runtime.timeline.finished(stream.number); });
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
  return with_stream(CallKind::enqueue, "cudaStreamWaitEvent", handle, [&](Runtime& runtime, Stream& stream) {
    const Event* event = runtime.events.find(event_handle);
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) return cudaErrorInvalidValue;
    if (runtime.capturing != 0 || event->captured != nullptr) {
      if (const auto captured = runtime.graphs->captures.wait(stream, *event, handle_of(event_handle), flags))
        return *captured;
    }
    if (event->shared && event->shared->is_elsewhere()) {
      event->shared->wait();  // Work issued after this runs at once.
      return cudaSuccess;
    }
    if (event->latest == nullptr) return cudaSuccess;
    see_frees(stream.number, event->latest->frees);
    const auto wait = [&runtime, number = stream.number, record = event->latest] {
      runtime.timeline.wait(number, record->time_us);
    };
    runtime.backlog.put(stream, wait, event->latest->ticket);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return with_stream(CallKind::enqueue, "cudaLaunchHostFunc", handle, [&](Runtime& runtime, Stream& stream) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (runtime.capturing != 0) {
      const auto* const address = reinterpret_cast<const void*>(function);
      if (const auto captured = capture_host_function(runtime, stream, address, user_data)) return *captured;
    }
    if (!runtime.backlog.try_to_finish(stream)) {
      put_host_function(runtime, stream, [function, user_data] {
        host().run(reinterpret_cast<std::uint64_t>(function), reinterpret_cast<std::uint64_t>(user_data));
      });
      return cudaSuccess;
    }
    runtime.timeline.host_function(stream.number);
    {
      const HostFunctionScope scope;
      function(user_data);
    }
    runtime.backlog.go_on_after_host();
    return cudaSuccess;
  });
}

namespace warpbook::simulator::runtime {

cudaError_t take_turn_in_stream(cudaStream_t handle) {
  return with_stream(CallKind::enqueue, "cuStreamAddCallback", handle, [&](Runtime& runtime, Stream& stream) {
    if (runtime.capturing != 0) {
      if (const auto captured = capture_nothing(runtime, stream)) return *captured;
    }
    runtime.is_used_by_openacc = true;
    runtime.backlog.work_off(stream);
    runtime.timeline.give_back_function(stream.number);
    return cudaSuccess;
  });
}

}  // namespace warpbook::simulator::runtime

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  return with_stream(CallKind::ordinary, "cudaStreamAddCallback", handle, [&](Runtime& runtime, Stream& stream) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (runtime.capturing != 0) {
      if (const auto captured = capture_nothing(runtime, stream)) return *captured;
    }
    if (!runtime.backlog.try_to_finish(stream)) {
      put_host_function(runtime, stream, [handle, callback, user_data] { callback(handle, cudaSuccess, user_data); });
      return cudaSuccess;
    }
    runtime.timeline.host_function(stream.number);
    {
      const HostFunctionScope scope;
      callback(handle, cudaSuccess, user_data);
    }
    runtime.backlog.go_on_after_host();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute, const cudaStreamAttrValue* value) {
  return with_stream(CallKind::ordinary, "cudaStreamSetAttribute", handle, [&](Runtime& runtime, Stream& stream) {
    cudaStreamAttrValue* kept = attribute_of(stream, attribute);
    if (value == nullptr || kept == nullptr) return cudaErrorInvalidValue;
    if (attribute == cudaStreamAttributeAccessPolicyWindow && !is_window(runtime, value->accessPolicyWindow))
      return cudaErrorInvalidValue;
    *kept = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute, cudaStreamAttrValue* value) {
  return with_stream(CallKind::ordinary, "cudaStreamGetAttribute", handle, [&](Runtime&, Stream& stream) {
    const cudaStreamAttrValue* kept = attribute_of(stream, attribute);
    if (value == nullptr || kept == nullptr) return cudaErrorInvalidValue;
    *value = *kept;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to_handle, cudaStream_t from_handle) {
  return with_stream(CallKind::ordinary, "cudaStreamCopyAttributes", to_handle, [&](Runtime& runtime, Stream& to) {
    const Stream* from = runtime.find_stream(from_handle);
    if (from == nullptr) return cudaErrorInvalidResourceHandle;
    to.access_policy = from->access_policy;
    to.synchronization = from->synchronization;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(CallKind::ordinary, "cudaDeviceGetStreamPriorityRange", [&](Runtime& runtime) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = -runtime.options.stream_priorities;
    return cudaSuccess;
  });
}
