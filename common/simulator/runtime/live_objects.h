// Streams, events, pools and graphs that the program has made and not destroyed, with the calls that made them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace warpbook::simulator::runtime {

struct LiveObject {
  std::string kind;            ///< "stream", "event", "pool", "graph", "executable graph", "texture object", ...
  std::string call;            ///< "cudaStreamCreate"
  std::uint64_t ordinal = 0;   ///< The number of this call among calls of that name, from 1.
  std::uint64_t serial = 0;    ///< Counts objects of all kinds.
  std::size_t host_place = 0;  ///< Of HostPlaces.
};

class LiveObjects {
 public:
  void made(const void* handle, const char* kind, const char* call, std::size_t host_place) {
    live_[handle] = {kind, call, ++calls_[call], ++serial_, host_place};
  }
  void gone(const void* handle) { live_.erase(handle); }
  void clear() { live_.clear(); }
  const std::map<const void*, LiveObject>& all() const { return live_; }

 private:
  std::map<const void*, LiveObject> live_;
  std::map<std::string, std::uint64_t> calls_;
  std::uint64_t serial_ = 0;
};

}  // namespace warpbook::simulator::runtime
