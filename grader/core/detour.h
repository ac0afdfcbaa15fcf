// Work that went around the kernels: counters and times are of kernels, so they say nothing of it.
#pragma once

#include <string>

#include "grader/core/answer.h"
#include "grader/core/manifest.h"

namespace warpbook::grader {

/// Where the functions of a lab get device memory, an answer could copy it to the host, work there, copy the result
/// back and launch a kernel for show. Looks at what was copied between the events of measure(), the first and the last,
/// and at memory that host and device share. A sixteenth of the case's largest array, and 256 bytes, may go:
/// parameters, a number that the host needs.
/// @param answer on the virtual GPU
/// @returns a message, or nothing: also for labs whose answers copy themselves (time_with_copies, time_between_events)
std::string explain_detour(const Answer& answer, const Manifest& manifest);

}  // namespace warpbook::grader
