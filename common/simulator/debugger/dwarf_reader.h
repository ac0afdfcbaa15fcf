// Reads DWARF with elfutils' libdw. A library of its own, loaded by whoever debugs: programs that run need no libdw.
#pragma once

#include "common/simulator/debugger/debug_info.h"
#include "common/simulator/debugger/debug_sections.h"

/// Fills @p info. @returns nullptr, or what is wrong with the sections
extern "C" const char* warpbook_read_dwarf(const warpbook::simulator::debugger::DebugSections& sections,
                                           warpbook::simulator::debugger::DebugInfo& info);
