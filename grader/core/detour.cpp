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

}  // namespace

std::string explain_detour(const Answer& answer, const Manifest& manifest) {
  const Profile& profile = answer.profile;
  if (manifest.time_with_copies || manifest.time_between_events || profile.events_us.size() < 2) return "";
  const double most = kAlways + kShare * largest_array(answer.given);
  const double begin = *std::min_element(profile.events_us.begin(), profile.events_us.end());
  const double end = *std::max_element(profile.events_us.begin(), profile.events_us.end());
  double to_host = 0, to_device = 0, on_device = 0;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.start_us + copy.time_us <= begin || copy.start_us >= end) continue;
    if (copy.kind == "device_to_host") to_host += copy.bytes;
    if (copy.kind == "host_to_device") to_device += copy.bytes;
    if (copy.kind == "device_to_device" && !manifest.copies_on_device) on_device += copy.bytes;
  }
  const auto told = [&](double bytes, const char* what) {
    std::ostringstream out;
    out << "The function under test " << what << ": " << static_cast<long long>(bytes) << " bytes, where "
        << static_cast<long long>(most)
        << " are enough for parameters.\nDoes the answer do its work on the GPU? Everything must be done by kernels, "
           "in device memory: their counters and their time are what is graded.\n";
    return out.str();
  };
  if (to_host > most) return told(to_host, "copied data to the host");
  if (to_device > most) return told(to_device, "copied data to the device");
  if (on_device > most) return told(on_device, "had cudaMemcpy move data within the device");
  if (profile.shared_allocations > most)
    return told(profile.shared_allocations, "took memory that host and device share (managed or pinned)");
  return "";
}

}  // namespace warpbook::grader
