// Sums over the launches of a profile.
#include "grader/judge/counted.h"

#include <limits>
#include <utility>
#include <vector>

namespace warpbook::grader {

namespace {

/// The smallest interval that contains everything included so far.
class Bounds {
 public:
  void include(double start_us, double time_us) {
    begin_ = std::min(begin_, start_us);
    end_ = std::max(end_, start_us + time_us);
  }
  /// Nothing if it is empty.
  std::optional<double> length() const {
    if (end_ <= begin_) return std::nullopt;
    return end_ - begin_;
  }

 private:
  double begin_ = std::numeric_limits<double>::infinity(), end_ = 0;
};

}  // namespace

bool moves(const AccessCounters& access, Direction direction) {
  const std::string& op = access.op;
  const bool atomic = op == "atom" || op == "red";
  switch (direction) {
    case Direction::in:
      return op == "ld" || op == "tex" || op == "bulk_ld" || op == "atom" ||
             (op == "ldgsts" && access.space == "global");
    case Direction::out:
      return op == "st" || op == "bulk_st" || atomic || (op == "ldgsts" && access.space == "shared");
    case Direction::both:
      return atomic;
    case Direction::any:
      return true;
  }
  return false;
}

double Counted::metric(const std::string& name) const {
  double sum = 0;
  each_launch([&](const KernelRecord& record) {
    const auto found = record.metrics.find(name);
    if (found != record.metrics.end()) sum += found->second;
  });
  return sum;
}

std::optional<double> Counted::largest_metric(const std::string& name) const {
  std::optional<double> largest;
  each_launch([&](const KernelRecord& record) {
    const auto found = record.metrics.find(name);
    if (found != record.metrics.end()) largest = std::max(largest.value_or(found->second), found->second);
  });
  return largest;
}

double Counted::copied(const char* kind) const {
  double bytes = 0;
  for (const CopyRecord& copy : profile.copies)
    if (copy.kind == kind) bytes += copy.bytes;
  return bytes;
}

double Counted::children_at_a_time() const {
  std::vector<std::pair<double, int>> changes;
  each_launch([&](const KernelRecord& record) {
    if (!record.parent) return;
    changes.emplace_back(record.start_us, +1);
    changes.emplace_back(record.start_us + record.time_us, -1);
  });
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& change : changes) most = std::max(most, now += change.second);
  return most;
}

std::optional<double> Counted::span(Work work) const {
  Bounds interval;
  each_launch([&](const KernelRecord& record) { interval.include(record.start_us, record.time_us); });
  if (work != Work::all && !interval.length()) return std::nullopt;
  for (const CopyRecord& copy : profile.copies)
    if (work == Work::all || (work == Work::kernels_and_fills && copy.kind == "memset"))
      interval.include(copy.start_us, copy.time_us);
  return interval.length();
}

std::optional<double> Counted::span_of_events() const {
  if (profile.kernels.empty() || profile.events_us.size() < 2) return std::nullopt;
  Bounds interval;
  for (const double event : profile.events_us) interval.include(event, 0);
  for (const KernelRecord& kernel : profile.kernels) interval.include(kernel.start_us, kernel.time_us);
  for (const CopyRecord& copy : profile.copies) interval.include(copy.start_us, copy.time_us);
  for (const MigrationRecord& migration : profile.migrations) interval.include(migration.start_us, migration.time_us);
  return interval.length();
}

}  // namespace warpbook::grader
