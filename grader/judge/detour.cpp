// Compares the bytes of copies and of memory shared with the host with what a case may need.
#include "grader/judge/detour.h"

#include <algorithm>
#include <sstream>

namespace warpbook::grader {

namespace {

/// Bytes that may move, however large the case is: a number that the host needs to continue, parameters. A share of the
/// case's arrays would let the host finish what kernels began, such as the last thousands of sums.
constexpr double kToHost = 64, kToDevice = 256;
/// OpenACC's runtime moves some of its own: a table of addresses for each launch, 8 bytes per variable.
constexpr double kTables = 4096;

/// What bypassed the kernels, in bytes.
struct Detour {
  double to_host = 0, to_device = 0, on_device = 0;
};

/// Small things transport numbers, too: many fills of a word and parameters of many launches are copies by other means.
constexpr double kFreeFills = 64, kBytesOfFill = 16, kFreeParameters = 64;

Detour detour_of(const Profile& profile) {
  Detour detour;
  double fills = 0;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.kind == "device_to_host" && copy.host_memory != "array") detour.to_host += copy.bytes;
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

std::optional<Finding> find_detour(const Answer& answer, const Manifest& manifest) {
  const Profile& profile = answer.profile;
  const bool host_has_arrays = manifest.host_has_arrays();
  const double to_device = manifest.openacc ? kTables : kToDevice;
  const Detour detour = detour_of(profile);
  const auto told = [&](const char* topic, double bytes, double most, const char* what) {
    std::ostringstream out;
    out << "The function under test " << what << ": " << static_cast<long long>(bytes) << " bytes, where "
        << static_cast<long long>(most) << " are enough for a number or two.";
    Finding finding =
        finding_of(FindingKind::host_did_the_work, out.str(),
                   std::string("Does the answer do its work on the GPU? Everything must be done by kernels, ") +
                       (host_has_arrays ? "from the arrays that it is given" : "in device memory") +
                       ": their counters and their time are what is graded.");
    finding.topic = topic;
    finding.evidence = {{"found", bytes, "bytes"}};
    finding.limit = Limit{most, true};
    return finding;
  };
  if (detour.to_host > kToHost)
    return told("to_host", detour.to_host, kToHost,
                host_has_arrays ? "copied data to the host, but not to its arrays" : "copied data to the host");
  if (detour.to_device > to_device && !manifest.copies_to_device) {
    return told("to_device", detour.to_device, to_device,
                host_has_arrays ? "brought data to the device that is not in its arrays" : "copied data to the device");
  }
  if (!host_has_arrays && !manifest.copies_on_device && detour.on_device > kToDevice)
    return told("on_device", detour.on_device, kToDevice, "had cudaMemcpy move data within the device");
  if (profile.shared_allocations > kToDevice && !manifest.copies_to_device)
    return told("shared_memory", profile.shared_allocations, kToDevice,
                "took memory that host and device share (managed, pinned or registered)");
  if (detour.to_host + profile.printed_bytes > kToHost) {
    Finding finding = told(kPrinted, detour.to_host + profile.printed_bytes, kToHost, "printed in kernels");
    finding.what_to_try =
        "What kernels print reaches the host, as a copy does. Print as much as you like to find a mistake, and take it "
        "out in the end.";
    return finding;
  }
  return std::nullopt;
}

}  // namespace warpbook::grader
