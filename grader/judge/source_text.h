// Source files as messages show them: a line's text, and paths as the student knows them.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace warpbook::grader {

/// A submitted answer, which was built outside the project's folder.
struct SubmittedSource {
  std::string root;    ///< Where the compiler saw the project: "/warpbook".
  std::string name;    ///< Of the source, from the root: "labs/memory/coalescing/coalescing.cu".
  std::string source;  ///< The submitted file.
};

/// The files whose lines messages show: a project's files, or a submitted answer's one file, whatever its program
/// claims to be made of. Passed by value to everything that explains.
class Sources {
 public:
  Sources() = default;  ///< No project: paths stay as they are.
  explicit Sources(std::string project_root) : project_root_(std::move(project_root)) {}
  Sources(std::string project_root, SubmittedSource submitted)
      : project_root_(std::move(project_root)), submitted_(std::move(submitted)) {}

  /// The text of a line of a source file, trimmed; empty if it cannot be read. A path may begin at the project's root.
  std::string line(const std::string& file, int line) const;

  /// The lines, from 1 on, on which @p kernel is launched, as far as the text shows it: by <<<>>>, or by a function
  /// whose name says so. Reads the same files as line().
  std::vector<int> lines_of_launches(const std::string& file, const std::string& kernel) const;

  /// The text with the first path of the project in it made relative to the project's root.
  std::string without_roots(std::string text) const;

  /// A path from the project's root, if it lies inside.
  std::string relative(const std::string& file) const;

  /// The path, as the compiler saw it, of an answer's file that is named from the project's root. Of a submitted
  /// answer it is that of the file that was submitted.
  std::string answer(const std::string& name) const;

  bool is_submitted() const { return !submitted_.source.empty(); }
  /// Where the compiler saw the project of a submitted answer; else empty.
  const std::string& submitted_root() const { return submitted_.root; }

 private:
  std::ifstream open(const std::string& file) const;

  std::string project_root_;
  SubmittedSource submitted_;
};

}  // namespace warpbook::grader
