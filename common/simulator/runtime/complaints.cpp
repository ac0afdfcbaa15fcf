// Complaints are kept for the profile, so that nobody has to look for them among what a program prints.
#include "common/simulator/runtime/complaints.h"

#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>

#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/runtime.h"
#include "common/simulator/runtime/runtime_lock.h"

namespace warpbook::simulator::runtime {
namespace {

/// Never destroyed: exit handlers complain, too.
struct Kept {
  std::mutex lock;
  std::vector<std::string> lines;
};

Kept& kept() {
  static auto* one = new Kept;
  return *one;
}

bool are_for_the_profile_alone() {
  static const char* const where = std::getenv("WARPBOOK_COMPLAINTS");
  return where != nullptr && std::string_view(where) == "profile";
}

}  // namespace

void print_report(const std::string& text) {
  if (!are_for_the_profile_alone()) host().complain("warpbook: " + text);
}

void complain(const std::string& message) {
  constexpr std::size_t kMost = 16;
  {
    const std::lock_guard guard(kept().lock);
    if (kept().lines.size() < kMost) kept().lines.push_back(message);
  }
  print_report(message);
}

void complain_once(const std::string& message) {
  const std::lock_guard guard(runtime_lock());
  static auto* told = new std::set<std::string>;
  if (told->insert(message).second) complain(message);
}

std::vector<std::string> complaints() {
  const std::lock_guard guard(kept().lock);
  return kept().lines;
}

}  // namespace warpbook::simulator::runtime
