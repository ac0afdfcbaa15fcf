// Numbered places in host code: where the program called the API.
//
// They are recorded as addresses, which takes a few microseconds, and translated to files and lines at the end
// (host_lines.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warpbook::simulator::runtime {

/// An instruction of the program or of a library: a file, and the offset as its debug information counts.
struct HostFrame {
  std::size_t file = 0;  ///< Index into HostPlaces::files().
  std::uint64_t offset = 0;
  bool operator<(const HostFrame& other) const { return std::pair(file, offset) < std::pair(other.file, other.offset); }
};

class HostPlaces {
 public:
  /// @param wanted whether anybody needs places; if not, none are recorded
  explicit HostPlaces(bool wanted);

  /// Records the calls that led here, starting with the first outside of this library. @returns 0 if none are known
  std::size_t here();
  /// The same for a signal handler that interrupted the instruction at @p address.
  std::size_t interrupted(std::uint64_t address);

  /// The calls of place @p number, the innermost first. None for 0.
  const std::vector<HostFrame>& frames(std::size_t number) const;
  const std::vector<std::string>& files() const { return files_; }
  std::size_t count() const { return places_.size(); }

 private:
  std::size_t number_of(std::vector<HostFrame> frames);
  /// @returns false if the address is not in a file, or is in one of the virtual GPU's own libraries
  bool frame_at(std::uint64_t address, HostFrame& frame);
  std::size_t number_of_file(const char* name);

  bool wanted_;
  std::vector<std::vector<HostFrame>> places_;  ///< The first has no frames.
  std::map<std::vector<HostFrame>, std::size_t> numbers_;
  std::vector<std::string> files_;
};

}  // namespace warpbook::simulator::runtime
