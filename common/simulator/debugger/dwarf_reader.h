// Reads DWARF with elfutils' libdw. A library of its own, loaded only for debugging: other programs need no libdw.
#pragma once

#include "common/simulator/debugger/debug_info.h"
#include "common/simulator/debugger/debug_sections.h"

/// Fills @p info. @returns nullptr, or an error message
extern "C" const char* warpbook_read_dwarf(const warpbook::simulator::debugger::DebugSections& sections,
                                           warpbook::simulator::debugger::DebugInfo& info);
