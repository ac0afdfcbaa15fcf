// The bytes of copies and of shared memory against what a case may need.
#include "grader/core/detour.h"

#include <algorithm>
#include <sstream>

namespace warpbook::grader {

namespace {

constexpr double kShare = 1.0 / 16, kAlways = 256;

double largest_array(const Case& given) {
  std::size_t bytes = 0;
  for (const auto& entry : given.all()) bytes = std::max(bytes, entry.second.bytes.size());
  return static_cast<double>(bytes);
}

/// What went around the kernels, in bytes.
struct Detour {
  double to_host = 0, to_device = 0, on_device = 0;
};

/// Small things carry numbers, too: many fills of a word, parameters of many launches, and what kernels print are
/// copies by other means.
constexpr double kFreeFills = 64, kBytesOfFill = 16, kFreeParameters = 64;

Detour detour_of(const Profile& profile, bool host_has_arrays) {
  Detour detour;
  double fills = 0;
  detour.to_host += profile.printed_bytes;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.kind == "device_to_host" && !host_has_arrays) detour.to_host += copy.bytes;
    if (copy.kind == "host_to_device" && copy.host_memory != "array") detour.to_device += copy.bytes;
    if (copy.kind == "device_to_device") detour.on_device += copy.bytes;
    if (copy.kind == "memset") ++fills;
  }
  detour.to_device += kBytesOfFill * std::max(0.0, fills - kFreeFills);
  for (const KernelRecord& kernel : profile.kernels)
    if (!kernel.parent) detour.to_device += std::max(0.0, kernel.parameter_bytes - kFreeParameters);
  return detour;
}

}  // namespace

std::string explain_detour(const Answer& answer, const Manifest& manifest) {
  const Profile& profile = answer.profile;
  const bool host_has_arrays = manifest.host_has_arrays();
  const double most = kAlways + kShare * largest_array(answer.given);
  const Detour detour = detour_of(profile, host_has_arrays);
  const auto told = [&](double bytes, const char* what) {
    std::ostringstream out;
    out << "The function under test " << what << ": " << static_cast<long long>(bytes) << " bytes, where "
        << static_cast<long long>(most)
        << " are enough for parameters.\nDoes the answer do its work on the GPU? Everything must be done by kernels, "
        << (host_has_arrays ? "from the arrays that it is given" : "in device memory")
        << ": their counters and their time are what is graded.\n";
    return out.str();
  };
  if (detour.to_host > most) return told(detour.to_host, "copied data to the host");
  if (detour.to_device > most) {
    return told(detour.to_device,
                host_has_arrays ? "brought data to the device that is not in its arrays" : "copied data to the device");
  }
  if (!host_has_arrays && !manifest.copies_on_device && detour.on_device > most)
    return told(detour.on_device, "had cudaMemcpy move data within the device");
  if (profile.shared_allocations > most)
    return told(profile.shared_allocations, "took memory that host and device share (managed or pinned)");
  return "";
}

}  // namespace warpbook::grader
