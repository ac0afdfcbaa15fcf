// Turns damage of the device's heap into findings.
#include "common/simulator/runtime/heap_check.h"

#include <algorithm>
#include <utility>

#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

/// "just past the end", "8 bytes past the end"
std::string distance(std::uint64_t bytes, const std::string& from) {
  return bytes == 0 ? "just " + from : std::to_string(bytes) + (bytes == 1 ? " byte " : " bytes ") + from;
}

CheckFinding finding_of(const Runtime& runtime, const HeapDamage& damage, const std::string& kernel) {
  const HeapPiece& piece = damage.piece;
  const std::string bytes = std::to_string(piece.bytes) + (piece.bytes == 1 ? " byte" : " bytes");
  const std::string owner =
      piece.owner < runtime.here().heap_owners.size() ? runtime.here().heap_owners[piece.owner] : kernel;
  CheckFinding finding;
  finding.check = Check::memory;
  finding.kernel = kernel;
  finding.space = "global";
  finding.address = damage.address;
  finding.allocation = "the " + bytes + " at " + hexadecimal(piece.address) + " that malloc gave to " + owner;
  std::string place;
  switch (damage.kind) {
    case HeapDamage::Kind::past_end:
      finding.kind = "heap_out_of_bounds";
      place = distance(damage.address - piece.address - piece.bytes, "past the end");
      finding.advice = "compare the index with the size that malloc was asked for";
      break;
    case HeapDamage::Kind::before_start:
      finding.kind = "heap_out_of_bounds";
      place = std::to_string(piece.address - damage.address) + " bytes before the start";
      finding.advice = "an index is negative, or the pointer is not the one that malloc returned";
      break;
    case HeapDamage::Kind::after_free:
      finding.kind = "heap_use_after_free";
      place = "to byte " + std::to_string(damage.address - piece.address) + " after its free";
      finding.advice = "free what malloc in a kernel returned after its last use";
      break;
  }
  finding.message =
      "a kernel wrote " + place + " of " + bytes + " from malloc in a kernel; it was noticed at the end of " + kernel;
  // Which thread it was is not known: the kernels tell one cause from another.
  CheckSite site;
  site.role = "allocation";
  site.instruction = "malloc in " + owner;
  finding.sites.push_back(std::move(site));
  return finding;
}

}  // namespace

void start_heap_check(Runtime& runtime, const std::string& kernel) {
  auto& owners = runtime.here().heap_owners;
  const auto found = std::find(owners.begin(), owners.end(), kernel);
  runtime.here().heap->set_owner(static_cast<std::uint32_t>(found - owners.begin()));
  if (found == owners.end()) owners.push_back(kernel);
}

void finish_heap_check(Runtime& runtime, const std::string& kernel) {
  for (const HeapDamage& damage : runtime.here().heap->take_damage())
    runtime.findings.add(finding_of(runtime, damage, kernel));
}

}  // namespace warpbook::simulator::runtime
