// Handles host code that accesses managed or device memory of the runtime in this process.
#include "common/simulator/runtime/host_access.h"

#include <cstdio>
#include <mutex>

#include "common/simulator/runtime/check_report.h"
#include "common/simulator/runtime/complaints.h"
#include "common/simulator/runtime/fault_report.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/managed_pages.h"
#include "common/simulator/runtime/misuse.h"
#include "common/simulator/runtime/number_text.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

std::string describe_access(Runtime& runtime, std::uint64_t address) {
  char text[64];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  std::string message = std::string("host code dereferenced the device pointer ") + text;
  if (const AllocationRecord* record = runtime.profile.allocation_at(address)) {
    message +=
        ", byte " + std::to_string(address - record->address) + " of the " + std::to_string(record->bytes) +
        " bytes of the " +
        (record->array.empty() ? ordinal(record->ordinal) + " " + record->call : "array '" + record->array + "'") +
        (record->freed ? " (freed since)" : "");
  } else if (const Allocation* allocation = runtime.memory.find(address); allocation && !allocation->name.empty()) {
    message += ", in the device variable '" + allocation->name + "' of " + std::to_string(allocation->bytes) + " bytes";
  } else {
    message += ", which belongs to no allocation";
  }
  return message + ".\nwarpbook: the host cannot read or write device memory: copy it with cudaMemcpy.";
}

Served serve_host_access(std::uint64_t address, bool write, std::uint64_t instruction) {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) return Served::no;
  const std::lock_guard guard(runtime_lock());
  const bool moved = serve_host_fault(*runtime, address, write);
  const Served watched = runtime->watch ? runtime->watch->touched(address, write, instruction) : Served::no;
  return watched == Served::no && moved ? Served::yes : watched;
}

void end_host_access(std::uint64_t address) {
  const std::lock_guard guard(runtime_lock());
  if (Runtime* runtime = Runtime::existing(); runtime != nullptr && runtime->watch) runtime->watch->stepped(address);
}

void explain_host_access(const HostAccess& access) {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) return;
  const std::string text = describe_access(*runtime, access.address);
  print_report(text);
  FaultReport report;
  report.kind = "host_access";
  report.message = text.substr(0, text.find('\n'));
  report.address = access.address;
  report.write = access.write;
  report.host_offset = access.offset;
  runtime->profile.add(report);
  if (runtime->options.checks.has(Check::memory)) add_host_access(*runtime, access.address, access.instruction);
  // A device in another process outlives the program and writes both at its own end. Written here too, they would be
  // two documents in one stream.
  if (host().is_apart()) return;
  report_checks(*runtime, false);
  runtime->profile.write(runtime->timeline);
  runtime->trace.write(*runtime);
}

}  // namespace warpbook::simulator::runtime
