// The end of a checked run: the findings, on stderr and as a document.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Resolves the places of all findings, drops suppressed ones, prints the rest, writes the document and adds the
/// findings to the profile. Only the first call has an effect, and only if checks are on. Never throws.
/// @param at_end the program has ended by itself: live resources are leaks, and errors that were never queried are
/// findings
/// @returns whether there is a finding that counts as an error
bool report_checks(Runtime& runtime, bool at_end);

/// Adds a finding if the check "sync" is on: a kernel has failed with @p error, and no call has returned it.
void add_unnoticed_fault(Runtime& runtime, cudaError_t error);

}  // namespace warpbook::simulator::runtime
