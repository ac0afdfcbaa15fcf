// What is printed where a grid stops: places, frames, faults and findings, in cuda-gdb's words.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/debugger/grid_view.h"
#include "common/simulator/machine/fault.h"
#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::debugger {

class Session;

std::string fault_text(const Fault& fault);
std::string finding_text(const CheckFinding& finding);
/// "block (0,0,0), thread (3,0,0), device 0, sm 0, warp 0, lane 3"
std::string focus_text(const GridView& grid, ThreadId thread);
/// "kernel<<<(2,1,1),(64,1,1)>>> (out=0x..., n=128) at a.cu:11"; of a device function "scale (value=1, factor=3) at
/// ..."
std::string frame_text(const Session& session, const std::vector<FrameView>& frames, std::size_t number);
/// "11\t  int i = ...", or nothing if the file cannot be read. @param to the last of several lines
std::string source_text(const std::string& file, std::uint32_t from, std::uint32_t to);
/// The line at which @p frame stopped, or its instruction if no line is known. Ends with a line break.
std::string line_text(const GridView& grid, const FrameView& frame);

}  // namespace warpbook::simulator::debugger
