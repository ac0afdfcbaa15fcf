// A kernel's record as JSON.
#pragma once

#include "common/simulator/runtime/json_text.h"
#include "common/simulator/runtime/profile.h"

namespace warpbook::simulator::runtime {

/// Visits the members of a record of page traffic in alphabetical order, named as in Nsight Systems' table of unified
/// memory.
template <class Visit>
void visit_traffic(const PageTraffic& traffic, const Visit& visit) {
  visit("cpu_page_faults", traffic.cpu_page_faults);
  if (traffic.bytes_between_devices != 0) visit("dtod_migration_bytes", traffic.bytes_between_devices);
  visit("dtoh_migration_bytes", traffic.bytes_to_host);
  visit("gpu_page_faults", traffic.gpu_page_faults);
  visit("htod_migration_bytes", traffic.bytes_to_device);
  visit("populated_bytes", traffic.populated_bytes);
  visit("remote_bytes", traffic.remote_bytes);
}

/// @param several whether the machine has several devices
void write_kernel(JsonText& out, const KernelRecord& record, bool several);

}  // namespace warpbook::simulator::runtime
