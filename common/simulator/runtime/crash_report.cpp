// The SIGSEGV handler. It runs in the thread that made the bad access, inside the program's code and outside this
// library, so it may use what a signal handler must otherwise avoid.
#include "common/simulator/runtime/crash_report.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/simulator/runtime/managed_pages.h"
#include "common/simulator/runtime/ordinal.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

struct sigaction previous;

std::string describe(Runtime& runtime, std::uint64_t address) {
  char text[64];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  std::string message = std::string("host code dereferenced the device pointer ") + text;
  if (const AllocationRecord* record = runtime.profile.allocation_at(address)) {
    message += ", byte " + std::to_string(address - record->address) + " of the " + std::to_string(record->bytes) +
               " bytes of the " + ordinal(record->ordinal) + " " + record->call +
               (record->freed ? " (freed since)" : "");
  } else if (const Allocation* allocation = runtime.memory.find(address); allocation && !allocation->name.empty()) {
    message += ", in the device variable '" + allocation->name + "' of " + std::to_string(allocation->bytes) + " bytes";
  } else {
    message += ", which belongs to no allocation";
  }
  return message + ".\nwarpbook: the host cannot read or write device memory: copy it with cudaMemcpy.";
}

/// The fault was a write. Where the processor does not say, it counts as one.
bool is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page-fault error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  return true;
#endif
}

void restore_previous() { sigaction(SIGSEGV, &previous, nullptr); }

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  Runtime* runtime = Runtime::existing();
  const int error = errno;
  if (runtime != nullptr && info->si_code > 0 && serve_host_fault(*runtime, address, is_write(context))) {
    errno = error;
    return;  // the access is made again, and succeeds
  }
  if (runtime != nullptr && info->si_code > 0 && GlobalMemory::is_device_only(address)) {
    complain(describe(*runtime, address));
    runtime->profile.write(runtime->timeline);
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &plain, nullptr);
    return;  // the access is made again, and kills the process
  }
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    restore_previous();
    if (info->si_code <= 0) raise(signal);  // sent by someone: nothing will be made again
  }
}

}  // namespace

void install_crash_report() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous);
}

}  // namespace warpbook::simulator::runtime
