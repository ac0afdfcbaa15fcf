// Where a counted quantity comes from: a line of the source, or pages that moved.
#pragma once

#include <string>

#include "grader/judge/finding.h"
#include "grader/judge/profile.h"
#include "grader/judge/quantity.h"
#include "grader/judge/source_text.h"

namespace warpbook::grader {

/// An access on a source line.
struct Site {
  const KernelRecord* kernel = nullptr;
  const LineCounters* line = nullptr;
  const AccessCounters* access = nullptr;
  double cost = 0;  ///< What it needs beyond the ideal; if nothing does, what it needs at all.
};

/// Wavefronts or sectors beyond the ideal.
double excess(const AccessCounters& access);

/// What an access needs beyond the ideal, relative to the ideal; 0 if there is no access.
double waste_of(const Site& site);

/// The access that wastes most; if none wastes, the one that moves most. @param kernel part of a kernel's name; empty:
/// all
Site worst_site(const Profile& profile, Quantity quantity, const std::string& kernel);

/// Puts the access that costs most into the finding.
void add_site(Finding& finding, const Site& site, const Sources& sources);

/// The line at which most lanes were idle or most branches diverged.
void add_divergent_line(Finding& finding, const Profile& profile, Quantity quantity, const std::string& kernel,
                        const Sources& sources);

/// The line that takes most instructions.
void add_busiest_line(Finding& finding, const Profile& profile, const std::string& kernel, const Sources& sources);

/// What moved in all, and which kernel waited longest for it.
void add_migrations(Finding& finding, const Profile& profile, const std::string& kernel);

}  // namespace warpbook::grader
