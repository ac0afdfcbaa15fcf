// Calls on graphs that come from the driver API.
#pragma once

namespace warpbook::simulator::remote {

/// While one lives, this thread's calls on graphs count as driver calls: they do not change cudaGetLastError.
class GraphCallsOfDriver {
 public:
  GraphCallsOfDriver();
  ~GraphCallsOfDriver();
  GraphCallsOfDriver(const GraphCallsOfDriver&) = delete;
  GraphCallsOfDriver& operator=(const GraphCallsOfDriver&) = delete;

 private:
  bool before_;
};

}  // namespace warpbook::simulator::remote
