// The end of the checks: what was found, on stderr and as a document.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Resolves the places of all findings, leaves out those that are suppressed, tells the rest, writes the document and
/// puts the findings into the profile. The first call only; nothing if no check runs. Without exceptions.
/// @param at_end the program has ended by itself: what is alive leaks, and errors that nobody asked for are found
/// @returns whether there is a finding that counts as an error
bool report_checks(Runtime& runtime, bool at_end);

/// Adds a finding if the check "sync" runs: a kernel has failed with @p error, and no call has returned that.
void add_unnoticed_fault(Runtime& runtime, cudaError_t error);

}  // namespace warpbook::simulator::runtime
