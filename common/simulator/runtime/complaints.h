// What the virtual GPU says on the standard error of a program.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::runtime {

/// Writes "warpbook: ..." to stderr: what the profile tells by records of its own, as faults and findings.
/// Nothing is written where WARPBOOK_COMPLAINTS is "profile": whoever reads the profile needs no text.
void print_report(const std::string& text);

/// The first lines that complain() was given, in their order.
std::vector<std::string> complaints();

}  // namespace warpbook::simulator::runtime
