// Source files as messages show them: a line's text, and paths as the student knows them.
#pragma once

#include <string>
#include <vector>

namespace warpbook::grader {

/// A submitted answer, which was built outside the project's folder.
struct SubmittedSource {
  std::string root;    ///< Where the compiler saw the project: "/warpbook".
  std::string name;    ///< Of the source, from the root: "labs/memory/coalescing/coalescing.cu".
  std::string source;  ///< The submitted file.

  bool given() const { return !source.empty(); }
};

/// The one that is graded; messages show lines of it and of no other file, whatever the program claims to be made of.
SubmittedSource& submitted_source();

/// The text of a line of a source file, trimmed; empty if it cannot be read. Of a submitted answer only its own file
/// is read.
std::string source_line(const std::string& file, int line);

/// The lines, from 1 on, on which @p kernel is launched, as far as the text shows it: by <<<>>>, or by a function whose
/// name says so. Reads the same files as source_line().
std::vector<int> lines_of_launches(const std::string& file, const std::string& kernel);

/// A path relative to the project's root, if it lies inside.
std::string relative_to(const std::string& file, const std::string& project_root);

}  // namespace warpbook::grader
