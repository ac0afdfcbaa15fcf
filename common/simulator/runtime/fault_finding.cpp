// Determines which check a fault belongs to, and the usual fix.
#include "common/simulator/runtime/fault_finding.h"

#include <optional>
#include <string_view>
#include <utility>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/runtime/heap_check.h"
#include "common/simulator/runtime/misuse.h"

namespace warpbook::simulator::runtime {
namespace {

struct Meaning {
  Check check;
  const char* kind;
  const char* advice;
};

std::optional<Meaning> meaning_of_cause(FaultCause cause) {
  switch (cause) {
    case FaultCause::null_pointer:
      return Meaning{Check::memory, "null_pointer",
                     "check the result of the allocation, and that the kernel is given its pointer"};
    case FaultCause::freed_memory:
      return Meaning{Check::memory, "use_after_free", "free memory after the last kernel that uses it has ended"};
    case FaultCause::host_pointer:
      return Meaning{Check::memory, "host_pointer",
                     "allocate it with cudaMalloc or cudaMallocManaged and copy it, or register it"};
    case FaultCause::unknown_free:
      return Meaning{Check::memory, "invalid_free", "free each pointer that malloc in a kernel returned, once"};
    case FaultCause::no_shared:
      return Meaning{Check::memory, "out_of_bounds",
                     "give the bytes of extern __shared__ memory as the third argument in <<< >>>"};
    case FaultCause::constant_memory:
      return Meaning{Check::memory, "out_of_bounds", "__constant__ memory is read only, inside its variable"};
    case FaultCause::outside_surface:
      return Meaning{
          Check::memory, "out_of_bounds",
          "x of a surface counts bytes, a multiple of the access's size; compare column and row with the size "
          "first, or give a boundary mode"};
    case FaultCause::no_image:
      return Meaning{Check::memory, "invalid_handle",
                     "make the object before the launch, and destroy it and its array after the kernel has ended"};
    default:
      return std::nullopt;
  }
}

std::optional<Meaning> meaning_of(const Fault& fault) {
  if (const auto meaning = meaning_of_cause(fault.cause)) return meaning;
  switch (fault.kind) {
    case FaultKind::out_of_bounds:
      return Meaning{Check::memory, "out_of_bounds",
                     "compare the index with the size before the access: the last block often has too many threads"};
    case FaultKind::misaligned:
      return Meaning{Check::memory, "misaligned",
                     "an address must be a multiple of the access's size: cast only pointers that are"};
    case FaultKind::wrong_space:
      return Meaning{Check::memory, "wrong_space", "atomics work on global and shared memory"};
    case FaultKind::stack_overflow:
      return Meaning{Check::memory, "stack_overflow",
                     "raise cudaLimitStackSize by cudaDeviceSetLimit, recurse less deeply, or take less by alloca"};
    case FaultKind::divergent_barrier:
      return Meaning{Check::sync, "divergent_barrier",
                     "all threads of the block must reach the same barrier: move it out of the branch or loop"};
    case FaultKind::deadlock:
      return Meaning{Check::sync, "deadlock", "what the threads wait for must be done by one that can still run"};
    default:
      return std::nullopt;
  }
}

ptx::Space space_of_fault(const Fault& fault, const Program& program) {
  switch (fault.cause) {
    case FaultCause::outside_shared:
    case FaultCause::no_shared:
      return ptx::Space::shared;
    case FaultCause::outside_local:
      return ptx::Space::local;
    case FaultCause::outside_parameters:
      return ptx::Space::param;
    case FaultCause::constant_memory:
      return ptx::Space::constant;
    default:
      break;
  }
  if (fault.kind == FaultKind::stack_overflow) return ptx::Space::local;
  const ptx::Space said =
      fault.operation < program.details.size() ? program.details[fault.operation].modifiers.space : ptx::Space::generic;
  return said == ptx::Space::generic ? simulator::space_of(fault.address) : said;
}

std::string word_for(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return "shared";
    case ptx::Space::local:
      return "local";
    case ptx::Space::param:
      return "param";
    case ptx::Space::constant:
      return "constant";
    default:
      return "global";
  }
}

std::string role_of(const FaultReport& report, const Meaning& meaning) {
  if (meaning.check == Check::sync) return "wait";
  if (report.cause == "unknown_free") return "free";
  const std::string& instruction = report.instruction;
  if (std::string_view(meaning.kind) == "stack_overflow")
    return instruction.rfind("alloca", 0) == 0 ? "alloca" : "call";
  if (instruction.rfind("atom", 0) == 0 || instruction.rfind("red", 0) == 0) return "atomic";
  return report.write ? "write" : "read";
}

/// "0 bytes after the 400 bytes at 0x... of the 2nd cudaMalloc", from the sentence in the fault's report.
std::string without_subject(const std::string& sentence) {
  for (const std::string subject : {"the address is ", "the address lies in ", "the surface is "})
    if (sentence.rfind(subject, 0) == 0) return sentence.substr(subject.size());
  return sentence;
}

}  // namespace

void add_fault(Runtime& runtime, const FaultReport& report, const Program& program, const Fault& fault) {
  const auto meaning =
      fault.kind == FaultKind::trap && fault.cause == FaultCause::barrier
          ? Meaning{Check::sync, "mbarrier_misuse",
                    "initialise it once for as many arrivals as come in each phase, and let all threads "
                    "meet behind that"}
          : meaning_of(fault);
  if (!meaning || !runtime.options.checks.has(meaning->check)) return;
  CheckFinding finding;
  finding.check = meaning->check;
  finding.kind = meaning->kind;
  finding.kernel = report.kernel;
  finding.message = report.message;
  finding.advice = meaning->advice;
  CheckSite site;
  site.role = role_of(report, *meaning);
  site.file = report.file;
  site.line = report.line;
  site.text = report.source_text;
  site.instruction = report.instruction;
  site.kernel = report.kernel;
  site.block = {report.block.x, report.block.y, report.block.z};
  site.thread = {report.thread.x, report.thread.y, report.thread.z};
  finding.sites.push_back(std::move(site));
  if (meaning->check == Check::memory) {
    const ptx::Space space = space_of_fault(fault, program);
    finding.space = word_for(space);
    finding.address = report.address;
    finding.allocation = without_subject(report.nearest_allocation);
    if (!finding.allocation.empty()) {
      const Allocation* allocation = runtime.memory.freed(fault.address);
      if (allocation == nullptr) allocation = runtime.memory.nearest(fault.address);
      if (allocation != nullptr) add_allocation_sites(runtime, allocation->address, finding);
    }
    add_heap_piece(runtime, fault.address, finding);
  }
  runtime.findings.add(std::move(finding));
}

}  // namespace warpbook::simulator::runtime
