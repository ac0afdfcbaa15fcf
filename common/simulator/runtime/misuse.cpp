// Checks the pointers and sizes of copies, memsets and frees.
#include "common/simulator/runtime/misuse.h"

#include <utility>

#include "common/simulator/runtime/fault_report.h"
#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

CheckFinding finding_of(Runtime& runtime, const char* kind, const char* role, const void* pointer) {
  CheckFinding finding;
  finding.check = Check::memory;
  finding.kind = kind;
  finding.address = reinterpret_cast<std::uint64_t>(pointer);
  CheckSite site;
  site.role = role;
  site.instruction = runtime.call_name;
  site.host_place = runtime.places.here();
  finding.sites.push_back(std::move(site));
  return finding;
}

void concern(const Runtime& runtime, const Allocation& allocation, CheckFinding& finding) {
  finding.space = "global";
  finding.allocation = allocation_text(runtime, allocation);
  add_allocation_sites(runtime, allocation.address, finding);
}

/// Checks one side of a copy, or the target of a memset. @param verb "reads", "writes" or "fills"
/// @returns false, after adding a finding, if the call cannot use it
bool check_side(Runtime& runtime, const char* role, const char* verb, const void* pointer, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const std::string call = std::string(runtime.call_name) + " " + verb + " " + bytes_text(bytes);
  const Allocation* const allocation = runtime.memory.find(address);
  if (address == 0) {
    CheckFinding finding = finding_of(runtime, "null_pointer", role, pointer);
    finding.message = call + " at a null pointer";
    finding.advice = "check the result of the call that should have allocated it";
    runtime.findings.add(std::move(finding));
    return false;
  }
  if (allocation != nullptr && allocation->name == kDeviceHeapName) {
    CheckFinding finding = finding_of(runtime, "device_heap_pointer", role, pointer);
    finding.message = call + " at " + hexadecimal(address) + ", which malloc in a kernel returned";
    finding.advice = "copy the data in a kernel to memory from cudaMalloc: host calls cannot access the device heap";
    runtime.findings.add(std::move(finding));
    return false;
  }
  if (allocation != nullptr) {
    if (allocation->contains(address, bytes)) return true;
    const std::uint64_t offset = address - allocation->address;
    CheckFinding finding = finding_of(runtime, "out_of_bounds", role, pointer);
    finding.message = call + " at byte " + std::to_string(offset) + " of an allocation of " +
                      bytes_text(allocation->bytes) + ": " + bytes_text(bytes - (allocation->bytes - offset)) +
                      " too many";
    finding.advice = "sizes are in bytes: count * sizeof(element), no more than was allocated";
    concern(runtime, *allocation, finding);
    runtime.findings.add(std::move(finding));
    return false;
  }
  if (!GlobalMemory::is_device(address)) return true;
  const Allocation* const freed = runtime.memory.freed(address);
  CheckFinding finding = finding_of(runtime, freed != nullptr ? "use_after_free" : "invalid_pointer", role, pointer);
  finding.message = call + " at " + hexadecimal(address) +
                    (freed != nullptr ? ", in memory that was freed before" : ", where nothing is allocated");
  finding.advice =
      freed != nullptr ? "free memory after the last call that uses it" : "pass a pointer that an allocation returned";
  if (freed != nullptr) concern(runtime, *freed, finding);
  runtime.findings.add(std::move(finding));
  return false;
}

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    default:
      return "cudaMemcpyDefault";
  }
}

/// Pinned, registered and managed memory is both: kernels and the host can access it.
void check_direction(Runtime& runtime, const char* side, const void* pointer, bool named_device, cudaMemcpyKind kind) {
  const Allocation* const allocation = runtime.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  const bool host_only = allocation == nullptr;
  const bool device_only =
      !host_only && (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::module);
  if (named_device ? !host_only : !device_only) return;
  CheckFinding finding = finding_of(runtime, "wrong_direction", "copy", pointer);
  finding.message = std::string(runtime.call_name) + " with " + name_of(kind) + ": its " + side + " is " +
                    (named_device ? "host" : "device") + " memory";
  finding.advice = "the first pointer is the destination; pass the matching direction, or cudaMemcpyDefault";
  if (!host_only) concern(runtime, *allocation, finding);
  runtime.findings.add(std::move(finding));
}

struct FreeNames {
  const char* wanted;  ///< What the call frees.
  const char* right;   ///< The call that frees this kind of memory.
};

FreeNames names_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned:
      return {"pinned host memory", "cudaFreeHost"};
    case MemoryKind::registered:
      return {"registered host memory", "cudaHostUnregister"};
    case MemoryKind::module:
      return {"a variable of a module", "no call: it lives as long as its module"};
    case MemoryKind::managed:
      return {"managed memory", "cudaFree"};
    case MemoryKind::device:
      break;
  }
  return {"device memory", "cudaFree"};
}

bool frees(FreeCall call, MemoryKind kind) {
  switch (call) {
    case FreeCall::host:
      return kind == MemoryKind::pinned;
    case FreeCall::unregister:
      return kind == MemoryKind::registered;
    case FreeCall::device:
      break;
  }
  return kind == MemoryKind::device || kind == MemoryKind::managed;
}

}  // namespace

void add_allocation_sites(const Runtime& runtime, std::uint64_t address, CheckFinding& finding) {
  const AllocationRecord* const record = runtime.profile.allocation_at(address);
  if (record == nullptr || record->call == "__managed__") return;
  const auto add = [&](const char* role, const std::string& call, std::size_t place) {
    if (place == 0) return;
    CheckSite site;
    site.role = role;
    site.instruction = call;
    site.host_place = place;
    finding.sites.push_back(std::move(site));
  };
  add("allocation", record->call, record->host_place);
  if (record->freed) add("free", "", record->freed_place);
}

void check_copy(Runtime& runtime, const void* to, std::uint64_t to_bytes, const void* from, std::uint64_t from_bytes,
                cudaMemcpyKind kind) {
  const bool target = check_side(runtime, "copy", "writes", to, to_bytes);
  const bool source = check_side(runtime, "copy", "reads", from, from_bytes);
  if (kind == cudaMemcpyDefault) return;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (target) check_direction(runtime, "destination", to, to_device, kind);
  if (source) check_direction(runtime, "source", from, from_device, kind);
}

void check_fill(Runtime& runtime, const void* to, std::uint64_t bytes) {
  if (!check_side(runtime, "fill", "fills", to, bytes)) return;
  if (runtime.memory.find(reinterpret_cast<std::uint64_t>(to)) != nullptr) return;
  CheckFinding finding = finding_of(runtime, "host_pointer", "fill", to);
  finding.message = std::string(runtime.call_name) + " got a pointer to ordinary host memory";
  finding.advice = "fill host memory with memset";
  runtime.findings.add(std::move(finding));
}

void check_variable(Runtime& runtime, const void* variable, std::uint64_t offset, std::uint64_t bytes, bool write) {
  const Allocation* const allocation = runtime.memory.find(reinterpret_cast<std::uint64_t>(variable));
  if (allocation == nullptr || (offset <= allocation->bytes && bytes <= allocation->bytes - offset)) return;
  CheckFinding finding = finding_of(runtime, "out_of_bounds", "copy", static_cast<const char*>(variable) + offset);
  finding.message = std::string(runtime.call_name) + (write ? " writes " : " reads ") + bytes_text(bytes) +
                    " at byte " + std::to_string(offset) + " of the " + bytes_text(allocation->bytes) + " of '" +
                    allocation->name + "'";
  finding.advice = "sizes and offsets are in bytes: count * sizeof(element)";
  concern(runtime, *allocation, finding);
  runtime.findings.add(std::move(finding));
}

void check_free(Runtime& runtime, const void* pointer, FreeCall call) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* const allocation = runtime.memory.find(address);
  if (pointer == nullptr) return;
  const std::string name = runtime.call_name;
  if (allocation == nullptr) {
    const Allocation* const freed = runtime.memory.freed(address);
    const bool twice = freed != nullptr && freed->address == address;
    CheckFinding finding = finding_of(runtime, twice ? "double_free" : "invalid_free", "free", pointer);
    finding.message =
        name + " of " + hexadecimal(address) + (twice ? ", which was freed before" : ", which no allocation returned");
    finding.advice =
        twice ? "free each pointer once, then set it to nullptr" : "free a pointer that an allocation returned";
    if (freed != nullptr) concern(runtime, *freed, finding);
    runtime.findings.add(std::move(finding));
    return;
  }
  const bool of_heap = allocation->name == kDeviceHeapName;
  if (allocation->address != address && !of_heap) {
    CheckFinding finding = finding_of(runtime, "interior_pointer", "free", pointer);
    finding.message = name + " of " + hexadecimal(address) + ", which is byte " +
                      std::to_string(address - allocation->address) + " of an allocation, not its start";
    finding.advice = "free the pointer that the allocation returned";
    concern(runtime, *allocation, finding);
    runtime.findings.add(std::move(finding));
    return;
  }
  const bool of_host_pool = allocation->is_pooled && call == FreeCall::device;
  if ((frees(call, allocation->kind) || of_host_pool) && allocation->name.empty()) return;
  const FreeNames names =
      of_heap ? FreeNames{"memory that malloc in a kernel returned", "free() in a kernel, of any launch"}
              : names_of(allocation->kind);
  CheckFinding finding = finding_of(runtime, "wrong_free", "free", pointer);
  finding.message = name + " of " + names.wanted;
  finding.advice = std::string("it is freed by ") + names.right;
  concern(runtime, *allocation, finding);
  runtime.findings.add(std::move(finding));
}

void add_host_access(Runtime& runtime, std::uint64_t address, std::uint64_t instruction) {
  CheckFinding finding;
  finding.check = Check::memory;
  finding.kind = "host_access";
  finding.address = address;
  finding.space = "global";
  finding.message = "host code dereferenced the device pointer " + hexadecimal(address);
  finding.advice = "the host cannot read or write device memory: copy it with cudaMemcpy";
  CheckSite site;
  site.role = "access";
  site.host_place = instruction == 0 ? 0 : runtime.places.interrupted(instruction);
  finding.sites.push_back(std::move(site));
  const Allocation* allocation = runtime.memory.find(address);
  if (allocation == nullptr) allocation = runtime.memory.freed(address);
  if (allocation != nullptr) {
    finding.allocation =
        "byte " + std::to_string(address - allocation->address) + " of " + allocation_text(runtime, *allocation);
    add_allocation_sites(runtime, allocation->address, finding);
  }
  runtime.findings.add(std::move(finding));
}

}  // namespace warpbook::simulator::runtime
