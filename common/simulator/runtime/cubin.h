// What ptxas determined for each kernel, from the cubin's sections: registers, shared and local memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpbook::simulator::runtime {

/// Resources used by a kernel's machine code.
struct CubinKernel {
  unsigned registers = 0;            ///< Per thread.
  std::uint64_t shared_bytes = 0;    ///< Static shared memory of a block, without the system's reserved part.
  std::uint64_t local_bytes = 0;     ///< Stack frame of a thread.
  std::uint64_t constant_bytes = 0;  ///< User constants of the module (bank 3).
  unsigned max_threads = 0;          ///< .maxntid or .reqntid, as a product; 0 if not given.
};

/// Kernels by mangled name. @throws std::runtime_error if @p image is not a cubin
std::map<std::string, CubinKernel> read_cubin(std::string_view image);

}  // namespace warpbook::simulator::runtime
