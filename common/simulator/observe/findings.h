// What the checkers find: one record for each distinct cause, with a count of how often it was seen.
//
// Places are given as they are known where they are seen, as an operation of a program or a call of the host, and are
// resolved to files and lines once, by who makes the report (runtime/check_report.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator {

enum class Check : std::uint8_t { memory, init, race, sync, leak };
inline constexpr std::array kChecks = {Check::memory, Check::init, Check::race, Check::sync, Check::leak};

/// "memory", "init", "race", "sync", "leak".
std::string_view name_of(Check check);

/// Which checkers run.
class CheckSet {
 public:
  /// @param text names separated by commas, or "all"; empty: none
  /// @throws std::invalid_argument that names the unknown word and lists the known ones
  static CheckSet parse(std::string_view text);
  bool has(Check check) const { return ((bits_ >> static_cast<unsigned>(check)) & 1) != 0; }
  bool any() const { return bits_ != 0; }
  void add(Check check) { bits_ |= 1u << static_cast<unsigned>(check); }

 private:
  unsigned bits_ = 0;
};

/// One side of a finding.
struct CheckSite {
  std::string role;            ///< "read", "write", "atomic", "allocation", "copy", ...
  std::string file;            ///< As the compiler wrote it; empty if unknown.
  std::uint32_t line = 0;      ///< From 1; 0 if unknown.
  std::string text;            ///< The source line, trimmed, if the file can be read.
  std::string instruction;     ///< "st.shared.f32", or the CUDA call of a host's site.
  std::string kernel;          ///< Empty for the host.
  std::size_t host_place = 0;  ///< Of a host's site whose file and line are not known yet: runtime/host_places.h.
  std::array<std::uint32_t, 3> block = {0, 0, 0}, thread = {0, 0, 0};
  // Of a race.
  std::string value_is;       ///< "written", "read"; of an atomic "before" or "after"; empty for other findings.
  std::string value;          ///< In words: "7 (0x00000007)"; empty if it is not known.
  std::string value_unknown;  ///< Why it is not.
};

/// "(3,0,0)": a block or thread, for messages.
std::string triple(const std::array<std::uint32_t, 3>& at);

struct CheckFinding {
  Check check = Check::race;
  std::string kind;         ///< "read_after_write", "out_of_bounds", "uninitialised", ...: a word for programs.
  bool same_value = false;  ///< A race whose stores all wrote the same bytes: the lower tier.
  std::uint64_t count = 1;  ///< How often it was seen.
  std::string kernel;       ///< In which it was noticed; empty for the host.
  std::string space;        ///< "global", "shared", "local", "constant"; empty if none is concerned.
  std::uint64_t address = 0;
  std::string allocation;  ///< "byte 12 of the 2nd cudaMalloc (400 bytes)", if one is concerned.
  std::string message;     ///< One sentence without an end: what is wrong.
  std::vector<CheckSite> sites;
  std::string missing;  ///< For races: the order that is missing.
  std::string advice;   ///< The usual cure.
};

/// All that was found, the first of each cause in full.
class CheckFindings {
 public:
  /// Causes that are kept; further ones are only counted.
  static constexpr std::size_t kMost = 1000;

  /// Adds a finding, or its count to that of an earlier one with the same check, kind and places.
  void add(CheckFinding finding);
  const std::vector<CheckFinding>& all() const { return findings_; }
  std::uint64_t left_out() const { return left_out_; }  ///< Of causes beyond kMost.
  bool empty() const { return findings_.empty(); }
  /// Notes, once, what was not checked and why.
  void leave_gap(const std::string& what) { gaps_.insert(what); }
  const std::set<std::string>& gaps() const { return gaps_; }

 private:
  std::vector<CheckFinding> findings_;
  std::map<std::string, std::size_t> places_;
  std::uint64_t left_out_ = 0;
  std::set<std::string> gaps_;
};

}  // namespace warpbook::simulator
