// The SIGSEGV handler. It runs on the thread that made the bad access, inside the program's code and outside this
// library, so it may use functions that a signal handler must otherwise avoid.
#include "common/simulator/runtime/crash_report.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/simulator/machine/global_memory.h"

#if defined(__aarch64__)
#include <asm/sigcontext.h>
#endif

namespace warpbook::simulator::runtime {
namespace {

struct sigaction previous, previous_trap;
/// The range of program memory whose faults may be resolved.
std::atomic<std::uint64_t> own_begin{~std::uint64_t{0}}, own_end{0};
HostFaults served;

/// Most addresses that this thread may access for one instruction.
constexpr int kMostOnce = 16;
thread_local std::uint64_t once[kMostOnce];
thread_local int once_count = 0;

/// Whether the fault was a write. If the processor does not say, it counts as one.
bool is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWriteBit = 2;  // of the page-fault error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#elif defined(__aarch64__)
  // The exception syndrome is one of the records that the kernel stores after the registers.
  constexpr std::uint64_t kWriteBit = 1 << 6;
  const unsigned char* at = static_cast<const ucontext_t*>(context)->uc_mcontext.__reserved;
  for (_aarch64_ctx head;; at += head.size) {
    std::memcpy(&head, at, sizeof head);
    if (head.magic == ESR_MAGIC) {
      esr_context syndrome;
      std::memcpy(&syndrome, at, sizeof syndrome);
      return (syndrome.esr & kWriteBit) != 0;
    }
    if (head.magic == 0 || head.size == 0) return true;
  }
#else
  return true;
#endif
}

/// Address of the faulting instruction.
std::uint64_t instruction_of(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

#if defined(__x86_64__)
constexpr greg_t kTrapFlag = 0x100;

/// Runs after the instruction.
void on_step(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (once_count != 0) {
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
    while (once_count > 0) served.stepped(once[--once_count]);
  } else if ((previous_trap.sa_flags & SA_SIGINFO) != 0 && previous_trap.sa_sigaction != nullptr) {
    previous_trap.sa_sigaction(signal, info, context);
  } else if (previous_trap.sa_handler != SIG_DFL && previous_trap.sa_handler != SIG_IGN) {
    previous_trap.sa_handler(signal);
  } else if (previous_trap.sa_handler == SIG_DFL) {
    sigaction(SIGTRAP, &previous_trap, nullptr);
    ::raise(signal);
  }
  errno = error;
}

/// The signal is raised again after the instruction has been executed.
void step(std::uint64_t address, void* context) {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = on_step;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGTRAP, &action, &previous_trap) == 0;
  }();
  if (!installed || once_count == kMostOnce) return;
  once[once_count++] = address;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}
#else
void step(std::uint64_t, void*) {}
#endif

void restore_previous() { sigaction(SIGSEGV, &previous, nullptr); }

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const int error = errno;
  const bool own = address >= own_begin && address < own_end;
  if (info->si_code > 0 && (own || GlobalMemory::is_device(address))) {
    const Served answer = served.serve(address, is_write(context), instruction_of(context));
    if (answer == Served::once) step(address, context);
    errno = error;
    if (answer != Served::no) return;  // the access is made again, and succeeds
  }
  if (info->si_code > 0 && GlobalMemory::is_device_only(address)) {
    served.explain(address, is_write(context), instruction_of(context));
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
    if (info->si_code <= 0) ::raise(signal);  // sent by a process: there is no instruction to repeat
  }
}

}  // namespace

void serve_also(std::uint64_t address, std::uint64_t bytes) {
  own_begin = std::min<std::uint64_t>(own_begin, address);
  own_end = std::max<std::uint64_t>(own_end, address + bytes);
}

void install_crash_report(HostFaults faults) {
  served = faults;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous);
}

}  // namespace warpbook::simulator::runtime
