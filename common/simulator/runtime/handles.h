// Streams and events: the objects behind cudaStream_t and cudaEvent_t.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/simulator/model/timeline.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/pool_use.h"

namespace warpbook::simulator::runtime {

struct Stream {
  std::uint32_t number = 0;  ///< On the timeline, which identifies streams by it.
  unsigned flags = 0;
  int priority = 0;
  cudaStreamAttrValue access_policy = {}, synchronization = {};  ///< Remembered for cudaStreamGetAttribute.
  Partition partition;                                           ///< Of a green context's stream.
  bool owned_by_program = true;  ///< False for the default streams, which cannot be destroyed.
  unsigned device() const { return Timeline::device_of(number); }
  bool is_default() const { return Timeline::is_default(number); }
};

/// One recording of an event.
struct EventRecord {
  std::uint64_t ticket = 0;  ///< Of the record in the stream's work (Backlog).
  double time_us = 0;        ///< On the virtual clock, once that is done.
  FreesSeen frees;           ///< That are before it.
};

/// An event recorded in a capturing stream: what waits for it depends on these nodes.
struct EventCapture {
  std::uint64_t capture = 0;
  std::vector<struct GraphNode*> nodes;
};

class SharedEvent;

struct Event {
  unsigned flags = 0;
  unsigned device = 0;                     ///< The current device when it was made.
  std::shared_ptr<EventCapture> captured;  ///< The latest record, if it was captured.
  std::shared_ptr<EventRecord> latest;     ///< nullptr: it was not recorded yet.
  std::shared_ptr<SharedEvent> shared;     ///< Of an interprocess event.
};

/// Owns the live objects of one kind; tells whether a handle names one of them.
template <class Object>
class HandleTable {
 public:
  Object* add() {
    auto object = std::make_unique<Object>();
    Object* handle = object.get();
    live_[handle] = std::move(object);
    return handle;
  }
  Object* find(const void* handle) const {
    const auto place = live_.find(handle);
    return place == live_.end() ? nullptr : place->second.get();
  }
  bool remove(const void* handle) { return live_.erase(handle) != 0; }
  void clear() { live_.clear(); }
  const std::map<const void*, std::unique_ptr<Object>>& live() const { return live_; }

 private:
  std::map<const void*, std::unique_ptr<Object>> live_;
};

}  // namespace warpbook::simulator::runtime
