// Calls on graphs that come from the driver API.
#pragma once

namespace warpbook::simulator::remote {

/// While one lives, calls on graphs of this thread are those of the driver: they leave cudaGetLastError alone.
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
