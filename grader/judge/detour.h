// Work that bypasses the kernels: it is not the exercise, and counters and times do not show it.
#pragma once

#include <optional>

#include "grader/judge/answer.h"
#include "grader/judge/finding.h"
#include "grader/judge/manifest.h"

namespace warpbook::grader {

inline constexpr const char* kPrinted = "printed";

/// An answer could let the host do its work: copy data there and back, or bring a result to the device by other means,
/// and launch a kernel for show. So everything that the whole run moves counts, on every stream and whenever it ends:
/// copies in each direction and within the device, fills (many of them), parameters of launches (large ones), what
/// kernels print, memory that host and device share. 64 bytes may go to the host and 256 elsewhere, however large the
/// case is: a number that the host needs. In labs whose functions get host memory (Manifest::host_has_arrays) copies of
/// the arrays are free, because the device process has their contents (CaseArrays): only other data counts.
/// If only what kernels print is too much, the finding's topic is kPrinted: that is how mistakes are found, and a wrong
/// result is told first.
/// @param answer on the virtual GPU
/// @returns what is wrong, or nothing
std::optional<Finding> find_detour(const Answer& answer, const Manifest& manifest);

}  // namespace warpbook::grader
