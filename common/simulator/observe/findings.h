// The findings of the checkers: one record per distinct cause, with a count of its occurrences.
//
// Places are recorded as they are known at the time, as an operation of a program or a call of the host, and resolved
// to files and lines once, by the code that writes the report (runtime/check_report.h).
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

/// The set of active checkers.
class CheckSet {
 public:
  /// @param text names separated by commas, or "all"; empty: none
  /// @throws std::invalid_argument with the unknown word and the list of known ones
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
  std::size_t host_place = 0;  ///< For a host site whose file and line are not resolved yet: runtime/host_places.h.
  std::array<std::uint32_t, 3> block = {0, 0, 0}, thread = {0, 0, 0};
  // For a race.
  std::string value_is;       ///< "written", "read"; for an atomic "before" or "after"; empty for other findings.
  std::string value;          ///< As text: "7 (0x00000007)"; empty if it is unknown.
  std::string value_unknown;  ///< Why it is unknown.
};

/// "(3,0,0)": a block or thread, for messages.
std::string triple(const std::array<std::uint32_t, 3>& at);

struct CheckFinding {
  Check check = Check::race;
  std::string kind;         ///< "read_after_write", "out_of_bounds", "uninitialised", ...: a keyword for programs.
  bool same_value = false;  ///< A race in which all stores wrote the same bytes: the lower tier.
  std::uint64_t count = 1;  ///< Number of occurrences.
  std::string kernel;       ///< The kernel in which it was detected; empty for the host.
  std::string space;        ///< "global", "shared", "local", "constant"; empty if there is none.
  std::uint64_t address = 0;
  std::string allocation;  ///< "byte 12 of the 2nd cudaMalloc (400 bytes)", if there is one.
  std::string message;     ///< One sentence without a full stop: what is wrong.
  std::vector<CheckSite> sites;
  std::string missing;  ///< For races: the missing order.
  std::string advice;   ///< The usual fix.
};

/// All findings, the first of each cause in full.
class CheckFindings {
 public:
  /// Causes that are stored; further ones are only counted.
  static constexpr std::size_t kMost = 1000;

  /// Adds a finding; if an earlier one has the same check, kind and places, adds to its count.
  void add(CheckFinding finding);
  const std::vector<CheckFinding>& all() const { return findings_; }
  std::uint64_t left_out() const { return left_out_; }  ///< Occurrences of causes beyond kMost.
  bool empty() const { return findings_.empty(); }
  /// Records, once, what was not checked and why.
  void leave_gap(const std::string& what) { gaps_.insert(what); }
  const std::set<std::string>& gaps() const { return gaps_; }

 private:
  std::vector<CheckFinding> findings_;
  std::map<std::string, std::size_t> places_;
  std::uint64_t left_out_ = 0;
  std::set<std::string> gaps_;
};

}  // namespace warpbook::simulator
