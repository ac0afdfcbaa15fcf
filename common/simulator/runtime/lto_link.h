// PTX from the LTO-IR of a program, by NVIDIA's nvJitLink. With -dlto -arch=sm_90 nvcc leaves PTX beside the LTO-IR;
// with code=[lto_90,sm_90], which CMake asks for with 90-real and interprocedural optimisation, it does not.
// LTO-IR in a fat binary is not readable, so whole containers are linked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::runtime {

/// Links the LTO-IR in @p containers, one for each translation unit, for sm_@p architecture.
/// @throws FatBinaryError with what nvJitLink says, or that there is none
std::string link_lto_ir(const std::vector<std::string_view>& containers, unsigned architecture);

/// From now on link_lto_ir() fails: for a process that must not run NVIDIA's code on what another process sends.
void forbid_lto_links();

}  // namespace warpbook::simulator::runtime
