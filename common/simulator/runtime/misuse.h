// Misuse of the API's memory calls: memory that they cannot, or should not, copy, fill or free.
//
// Each function adds a finding of the check "memory" if something is wrong, and changes nothing else. They check the
// call that Runtime::call_name names. Only called if that check is on.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// @param to_bytes, from_bytes from the first to the last byte of each side
void check_copy(Runtime& runtime, const void* to, std::uint64_t to_bytes, const void* from, std::uint64_t from_bytes,
                cudaMemcpyKind kind);

void check_fill(Runtime& runtime, const void* to, std::uint64_t bytes);

/// A copy from or to a device variable. @param offset the first byte within it
void check_variable(Runtime& runtime, const void* variable, std::uint64_t offset, std::uint64_t bytes, bool write);

/// The call that frees the memory.
enum class FreeCall : std::uint8_t {
  device,      ///< cudaFree, cudaFreeAsync
  host,        ///< cudaFreeHost
  unregister,  ///< cudaHostUnregister
};
void check_free(Runtime& runtime, const void* pointer, FreeCall call);

/// Host code that accessed device memory itself. @param instruction its address; 0: unknown
void add_host_access(Runtime& runtime, std::uint64_t address, std::uint64_t instruction);

/// The sites of the calls that made and, if so, freed the latest allocation at @p address.
void add_allocation_sites(const Runtime& runtime, std::uint64_t address, CheckFinding& finding);

}  // namespace warpbook::simulator::runtime
