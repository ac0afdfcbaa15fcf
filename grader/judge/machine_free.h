// Texts without the machine that they come from: what a student reads names no folder, mount or account of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpbook::grader {

/// A folder, and what it is called instead.
using Root = std::pair<std::string, std::string>;

/// The text with the roots' folders called otherwise, the longest first: {"/home/me/warpbook", ""}. Of other paths from
/// the root of the file system the last name is left, but for those that are the same everywhere: /usr, /proc.
std::string without_machine(std::string text, std::vector<Root> roots = {});

}  // namespace warpbook::grader
