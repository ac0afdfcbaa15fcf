// The current device of each thread of the program, and the device that a call works on.
//
// cudaSetDevice chooses the current one. A call works on it, but for work in a stream, which is that of the stream's
// device.
#pragma once

#include "common/simulator/model/residency.h"

namespace warpbook::simulator::runtime {

/// Of this thread: 0 until it chooses another one.
unsigned current_device();
void set_current_device(unsigned device);

/// Counts calls of cudaSetDevice by this thread, which take away contexts that it has made current.
void device_was_set();
unsigned long times_device_was_set();

/// Multiprocessors of the green context that is current to this thread, for streams that it makes and for its default
/// streams.
Partition& current_partition();

/// What this thread works on now.
unsigned active_device();
/// Until the end of the innermost OnDevice.
void set_active_device(unsigned device);

/// While it lives, this thread works on a device.
class OnDevice {
 public:
  explicit OnDevice(unsigned device) : before_(active_device()) { set_active_device(device); }
  ~OnDevice() { set_active_device(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  unsigned before_;
};

}  // namespace warpbook::simulator::runtime
