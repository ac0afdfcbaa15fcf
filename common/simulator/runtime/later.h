// Whether a host function that is enqueued now has to wait for its turn.
#pragma once

#include <mutex>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// The stream's work waits for the host or for other work: a function behind it runs later.
/// @param is_silent for the checks, the host has not waited for that work (host_function.h)
inline bool comes_later(cudaStream_t handle, bool is_silent = false) {
  const std::lock_guard guard(runtime_lock());
  Runtime* const runtime = Runtime::existing();
  if (runtime == nullptr || runtime->has_failed() || runtime->capturing != 0) return false;
  const OnDevice here(current_device());
  const Stream* const stream = runtime->find_stream(handle);
  if (stream == nullptr) return false;
  return !(is_silent ? runtime->backlog.work_off(*stream) : runtime->backlog.try_to_finish(*stream));
}

}  // namespace warpbook::simulator::runtime
