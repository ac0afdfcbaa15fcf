// What a faulty access hit or missed: the text of Fault::message and its cause.
#pragma once

#include <cstdint>
#include <string>

#include "common/simulator/machine/fault.h"
#include "common/simulator/machine/global_memory.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

/// The memory exists but belongs to another device, and the device that runs the kernel has no access to it.
FaultText describe_no_access(const Allocation& allocation, const std::string& access);

/// A global access outside every allocation: names the nearest one, or the freed one.
FaultText describe_outside_global(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes, bool write);

/// A load of constant memory from an address that is not in constant memory. An H200 reads 0 there without an error
/// (2026-11-22). The virtual GPU would read the global memory at that address, which no GPU does.
FaultText describe_no_constant(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes);

/// An access outside the block's shared memory, the thread's stack or the kernel's parameters, which have @p size
/// bytes.
FaultText describe_outside(ptx::Space space, std::uint64_t offset, std::uint32_t bytes, bool write, std::uint64_t size);

/// An address that is not a multiple of the size of the access.
FaultText describe_misaligned(ptx::Space space, std::uint64_t address, std::uint32_t bytes, bool write);

/// A write to constant memory.
FaultText describe_read_only(const Allocation& allocation, std::uint64_t address, std::uint32_t bytes);

/// An atomic operation in a state space that has none.
FaultText describe_wrong_space(ptx::Space space, std::uint64_t address, std::uint32_t bytes);

}  // namespace warpbook::simulator
