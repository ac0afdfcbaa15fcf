// Describes faults: the access, the thread, the allocation that was missed, the instruction and the source line.
#include "common/simulator/runtime/fault_report.h"

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/virtual_memory.h"
#include "common/simulator/observe/findings.h"
#include "common/simulator/runtime/error_names.h"
#include "common/simulator/runtime/number_text.h"
#include "common/simulator/runtime/source_text.h"

namespace warpbook::simulator::runtime {
namespace {

std::string triple_of(const Dim3& dim) { return simulator::triple({dim.x, dim.y, dim.z}); }

bool concerns_memory(FaultKind kind) {
  return kind == FaultKind::out_of_bounds || kind == FaultKind::misaligned || kind == FaultKind::wrong_space;
}

/// Addresses that no allocation explains: a null pointer plus an index, or one too far away to belong to any
/// allocation.
constexpr std::uint64_t kNullPage = 4096, kFarAway = std::uint64_t{1} << 36;

std::string nearest_text(const Runtime& runtime, std::uint64_t address, std::uint32_t bytes) {
  if (address < kNullPage || space_of(address) != ptx::Space::global) return {};
  if (runtime.memory.virtual_memory().state_of(address) != VirtualMemory::State::ordinary) return {};
  if (const Allocation* freed = runtime.memory.freed(address)) {
    return "the address lies in " + allocation_text(runtime, *freed) + ", which was freed before";
  }
  const Allocation* near = runtime.memory.nearest(address);
  if (near == nullptr) return "the program has no device memory";
  const std::uint64_t distance = address > near->address ? address - near->address : near->address - address;
  if (distance > near->bytes + kFarAway) return {};
  const std::uint64_t end = near->address + near->bytes;
  std::string place;
  if (address >= end) {
    place = std::to_string(address - end) + " bytes after";
  } else if (address < near->address) {
    place = std::to_string(near->address - address) + " bytes before";
  } else if (address + bytes > end) {
    place = "across the end of";
  } else {
    place = "at byte " + std::to_string(address - near->address) + " of";
  }
  return "the address is " + place + " " + allocation_text(runtime, *near);
}

}  // namespace

std::string allocation_text(const Runtime& runtime, const Allocation& allocation) {
  std::string text = "the " + std::to_string(allocation.bytes) + " bytes at " + hexadecimal(allocation.address);
  const AllocationRecord* record = runtime.profile.allocation_at(allocation.address);
  if (allocation.is_piece) {
    text += " that malloc in a kernel returned";
  } else if (!allocation.name.empty()) {
    text += " of the variable '" + allocation.name + "'";
  } else if (allocation.kind == MemoryKind::registered) {
    text += " that cudaHostRegister made accessible";
  } else if (record != nullptr && !record->array.empty()) {
    text += " of the array '" + record->array + "'";
  } else if (record != nullptr) {
    text += " of the " + ordinal(record->ordinal) + " " + record->call;
  }
  return text;
}

int error_of(const Fault& fault) {
  // An address in shared or local memory in a .global instruction: 717 on an H200 (2026-11-23).
  if (fault.cause == FaultCause::other_grids_memory) return cudaErrorInvalidAddressSpace;
  switch (fault.kind) {
    case FaultKind::none:
      return cudaSuccess;
    case FaultKind::out_of_bounds:
    case FaultKind::stack_overflow:  // As on an H200, whatever the depth (2026-11-24).
      return cudaErrorIllegalAddress;
    case FaultKind::misaligned:
      return cudaErrorMisalignedAddress;
    case FaultKind::wrong_space:
      return cudaErrorInvalidAddressSpace;
    case FaultKind::invalid_pc:
      return cudaErrorInvalidPc;
    case FaultKind::assertion:
      return cudaErrorAssert;
    case FaultKind::step_limit:
      return cudaErrorLaunchTimeout;
    case FaultKind::illegal:
      return cudaErrorIllegalInstruction;
    case FaultKind::trap:
    case FaultKind::deadlock:
    case FaultKind::divergent_barrier:
    case FaultKind::unsupported:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

const char* name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::none:
      return "none";
    case FaultKind::out_of_bounds:
      return "out_of_bounds";
    case FaultKind::misaligned:
      return "misaligned";
    case FaultKind::wrong_space:
      return "wrong_space";
    case FaultKind::invalid_pc:
      return "invalid_pc";
    case FaultKind::illegal:
      return "illegal_instruction";
    case FaultKind::trap:
      return "trap";
    case FaultKind::assertion:
      return "assertion";
    case FaultKind::stack_overflow:
      return "stack_overflow";
    case FaultKind::deadlock:
      return "deadlock";
    case FaultKind::divergent_barrier:
      return "divergent_barrier";
    case FaultKind::step_limit:
      return "step_limit";
    case FaultKind::unsupported:
      return "unsupported";
  }
  return "unknown";
}

namespace {

std::string name_of(FaultCause cause) {
  switch (cause) {
    case FaultCause::none:
      break;
#define WB_CAUSE(name)   \
  case FaultCause::name: \
    return #name;
      WB_NAMED_FAULT_CAUSES(WB_CAUSE)
#undef WB_CAUSE
  }
  return "";
}

}  // namespace

FaultReport describe_fault(const Runtime& runtime, const Kernel& kernel, const Program& program, const Fault& fault) {
  FaultReport report;
  report.code = error_of(fault);
  report.name = error_name(report.code);
  report.kind = name_of(fault.kind);
  report.cause = name_of(fault.cause);
  report.message = fault.message;
  report.kernel = kernel.name;
  report.block = {fault.block[0], fault.block[1], fault.block[2]};
  report.thread = {fault.thread[0], fault.thread[1], fault.thread[2]};
  report.address = fault.address;
  report.bytes = fault.bytes;
  report.write = fault.write;
  if (fault.operation < program.details.size()) {
    const OperationDetail& detail = program.details[fault.operation];
    report.instruction = detail.spelling;
    report.ptx_line = detail.ptx_line;
    const auto file = program.files.find(detail.source.file);
    if (file != program.files.end()) {
      report.file = file->second;
      report.line = detail.source.line;
      report.source_text = source_text(report.file, report.line);
    }
    const ptx::Space space = detail.modifiers.space;
    const bool global = space == ptx::Space::global || space == ptx::Space::generic || space == ptx::Space::constant;
    if (concerns_memory(fault.kind) && global) {
      const Allocation* const image =
          fault.cause == FaultCause::outside_surface ? runtime.memory.find(fault.address) : nullptr;
      report.nearest_allocation = image != nullptr ? "the surface is " + allocation_text(runtime, *image)
                                  : fault.cause == FaultCause::no_image
                                      ? ""
                                      : nearest_text(runtime, fault.address, fault.bytes);
    }
  }
  return report;
}

std::string text_of(const FaultReport& report) {
  std::string text = report.name + " (" + std::to_string(report.code) + "): " + report.message;
  text += "\n=========     in kernel " + report.kernel + ", block " + triple_of(report.block) + ", thread " +
          triple_of(report.thread);
  if (!report.nearest_allocation.empty()) text += "\n=========     " + report.nearest_allocation;
  if (!report.instruction.empty()) {
    text += "\n=========     instruction " + report.instruction + ", PTX line " + std::to_string(report.ptx_line);
  }
  if (!report.file.empty()) {
    text += "\n=========     at " + report.file + ":" + std::to_string(report.line);
    if (!report.source_text.empty()) text += ":  " + report.source_text;
  } else {
    text += "\n=========     build with -lineinfo to see the source line";
  }
  return text;
}

}  // namespace warpbook::simulator::runtime
