// The current device of each thread of the program, and the device that a call works on.
//
// cudaSetDevice selects the current device. A call works on it, except for work in a stream, which runs on the stream's
// device.
#pragma once

#include "common/simulator/model/residency.h"

namespace warpbook::simulator::runtime {

/// Of this thread: 0 until it selects another one.
unsigned current_device();
void set_current_device(unsigned device);

/// Counts this thread's calls of cudaSetDevice, which replace contexts that it has made current.
void device_was_set();
unsigned long times_device_was_set();

/// Multiprocessors of the green context that is current to this thread, for streams that it makes and for its default
/// streams.
Partition& current_partition();

/// What this thread works on now.
unsigned active_device();
/// Effective until the end of the innermost OnDevice.
void set_active_device(unsigned device);

/// While it lives, this thread works on the given device.
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
