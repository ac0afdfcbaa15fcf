// PTX from the LTO-IR of a program that nvcc has linked with -dlto, by NVIDIA's nvJitLink.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::runtime {

/// Links @p inputs (LTO-IR, one for each translation unit) for sm_@p architecture.
/// @throws FatBinaryError with what nvJitLink says, or that there is none
std::string link_lto_ir(const std::vector<std::string>& inputs, unsigned architecture);

/// From now on link_lto_ir() fails: for a process that must not run NVIDIA's code on what another process sends.
void forbid_lto_links();

}  // namespace warpbook::simulator::runtime
