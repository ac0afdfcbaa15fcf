// Removes traces of the machine from texts: what a student reads names no folder, mount or account of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpbook::grader {

/// A folder, and the text that replaces it.
using Root = std::pair<std::string, std::string>;

/// The text with the roots' folders replaced, the longest first: {"/home/me/warpbook", ""}. Of other absolute paths
/// only the last name is left, except for those that are the same everywhere: /usr, /proc.
std::string without_machine(std::string text, std::vector<Root> roots = {});

}  // namespace warpbook::grader
