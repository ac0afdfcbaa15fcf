// Refused launches, explained: the configuration, the limit, and the line where the kernel is launched.
#include "grader/judge/refusal.h"

#include <array>

namespace warpbook::grader {

namespace {

std::string extent(const std::array<int, 3>& size) {
  if (size[1] == 1 && size[2] == 1) return std::to_string(size[0]);
  return "dim3(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]) + ")";
}

/// "add<<<1, 2048>>>"
std::string configuration(const RefusedLaunch& launch, const std::string& kernel) {
  std::string text = kernel + "<<<" + extent(launch.grid) + ", " + extent(launch.block);
  if (launch.shared_bytes > 0) text += ", " + number_text(launch.shared_bytes);
  return text + ">>>";
}

/// "threads in a block: 2048; at most 1024 are allowed."
std::string limit_text(const RefusedLaunch& launch) {
  const std::string text = launch.what + ": " + number_text(launch.found) + "; ";
  if (!launch.at_most) return text + "at least " + number_text(launch.allowed) + " is needed.";
  const bool of_kernel = launch.what == "threads in a block" && launch.allowed < 1024;
  return text + "at most " + number_text(launch.allowed) + " are allowed" +
         (of_kernel ? ", by this kernel's registers or __launch_bounds__." : ".");
}

/// What to do about a launch that exceeds this limit.
std::string what_to_do(const RefusedLaunch& launch) {
  if (launch.what.empty()) return "Look at the arguments of the launch: grid, block, shared memory, stream.";
  if (launch.what.ends_with("resident together"))
    return "Launch no more blocks than fit on the device at a time: as many as "
           "cudaOccupancyMaxActiveBlocksPerMultiprocessor() says, for each multiprocessor. Then a thread may have "
           "several elements.";
  if (launch.what.starts_with("bytes of shared memory"))
    return "Does the block need all of it? More than 48 KiB of dynamic shared memory must be asked for before the "
           "launch: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).";
  return "Compute the size of grid and block from the number of elements, and keep both within the limits. After a "
         "launch, cudaGetLastError() tells whether it was refused, and clears the error.";
}

}  // namespace

std::optional<Finding> explain_refusal(const Profile& profile, const std::string& source, const Sources& sources) {
  if (profile.refused_launches.empty()) return std::nullopt;
  const RefusedLaunch& launch = profile.refused_launches.front();
  const std::string kernel = short_name(launch.kernel);
  Finding finding;
  finding.kind = FindingKind::refused_launch;
  finding.topic = launch.error;
  finding.subject = kernel;
  finding.headline = "The launch " + configuration(launch, kernel) + " was refused (" + launch.error +
                     "): the kernel did " + "not run.";
  if (!launch.what.empty()) {
    finding.facts.push_back(limit_text(launch));
    finding.limit = Limit{launch.allowed, launch.at_most};
    finding.evidence.push_back({"found", launch.found, ""});
  }
  const std::string file = sources.answer(source);
  const std::vector<int> lines = sources.lines_of_launches(file, kernel);
  for (const int line : lines) {
    Place place;
    place.label = lines.size() == 1 ? "at " : "at one of: ";
    place.file = sources.relative(file);
    place.line = line;
    place.function = kernel;
    place.text = sources.line(file, line);
    finding.sites.push_back(std::move(place));
  }
  finding.what_to_try = what_to_do(launch);
  return finding;
}

}  // namespace warpbook::grader
