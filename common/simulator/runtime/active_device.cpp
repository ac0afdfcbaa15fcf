// Keeps each thread's choice of a device.
#include "common/simulator/runtime/active_device.h"

namespace warpbook::simulator::runtime {
namespace {
thread_local unsigned thread_current_device = 0, thread_active_device = 0;
thread_local unsigned long thread_sets = 0;
thread_local Partition thread_partition;
}  // namespace

unsigned current_device() { return thread_current_device; }
void set_current_device(unsigned device) { thread_current_device = device; }
void device_was_set() { ++thread_sets; }
unsigned long times_device_was_set() { return thread_sets; }
Partition& current_partition() { return thread_partition; }
unsigned active_device() { return thread_active_device; }
void set_active_device(unsigned device) { thread_active_device = device; }

}  // namespace warpbook::simulator::runtime
