// Finding: what a test found, as a record. It is made once; terminal output, pages, tables and statistics are views of
// it.
//
// A view takes what it needs from the fields. The sentences are for people: nothing reads a number, a line or a kind
// out of them, so that they can be reworded at will.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/judge/case.h"

namespace warpbook::grader {

/// What kind of thing was found. The spellings are those of the enumerators (docs/formats.md says what each means).
// clang-format off
#define WB_FINDING_KINDS(X)                                                                                       \
  X(wrong_result) X(never_written) X(missing_output) X(not_right_yet) X(host_did_the_work)                        \
  X(host_access) X(wrong_mask) X(race) X(uninitialised) X(misused_memory) X(leak) X(changed_input) X(wrote_outside) X(wrong_stream) X(uneven_shares) X(requirement)                               \
  X(out_of_bounds) X(bad_free) X(misaligned) X(wrong_space) X(invalid_pc) X(illegal_instruction) X(trap) X(assertion) X(stack_overflow)  \
  X(deadlock) X(divergent_barrier) X(step_limit) X(unsupported)                                    \
  X(call_failed) X(refused_launch) X(program_error) X(crashed) X(ended_early) X(left_processes) X(time_out) X(memory_limit)         \
  X(output_limit) X(process_limit) X(forged_reply) X(device_unused)                                               \
  X(too_much) X(too_little) X(nothing_counted) X(too_slow) X(inconclusive_time)                                   \
  X(not_started) X(note) X(grader_failed)
// clang-format on

enum class FindingKind : std::uint8_t {
#define WB_ENUMERATOR(name) name,
  WB_FINDING_KINDS(WB_ENUMERATOR)
#undef WB_ENUMERATOR
};

/// "wrong_result"
std::string spelling_of(FindingKind kind);
/// The reverse; nothing if no kind is spelled so.
std::optional<FindingKind> finding_kind_of(const std::string& spelling);

/// A place in a source file, and what was seen there.
struct Place {
  std::string file;                ///< From the project's root; empty: not known.
  int line = 0;                    ///< 0: not known.
  std::string function;            ///< The kernel, without its parameters.
  std::string text;                ///< Of the line.
  std::string label;               ///< What the place is: "The line that costs most: ".
  std::vector<std::string> notes;  ///< Sentences about it.
};

/// A number with its name and unit: evidence.
struct Figure {
  std::string name;  ///< "found", "wrong_elements": docs/formats.md has the list.
  double value = 0;
  std::string unit;
};

struct Limit {
  double value = 0;
  bool at_most = true;  ///< Otherwise at least.
};

/// What the program wrote on a stream.
struct Printed {
  std::string stream, text;
};

/// A paragraph of the finding as text, not wrapped. Views that show text wrap it to their width, unless it is code.
struct Paragraph {
  int indent = 0;  ///< In characters.
  std::string text;
  bool code = false;  ///< A line of source, a command or a program's output: never wrapped.
};

struct Finding {
  FindingKind kind = FindingKind::requirement;
  /// Details within the kind: the quantity that was counted, the pattern of wrong elements, the cause of a fault,
  /// the error of a call, the function that returned a wrong value, the name of a lab's own requirement. Empty: the
  /// kind says everything.
  std::string topic;
  std::string subject;              ///< The array or call that it is about; may be empty.
  std::vector<std::string> before;  ///< Sentences to read first: errors that the virtual GPU printed.
  std::string headline;             ///< One sentence: what is wrong, the value seen, the limit.
  std::vector<std::string> examples;
  std::vector<std::string> facts;
  std::vector<Place> sites;  ///< The most important first.
  std::vector<Figure> evidence;
  std::optional<Limit> limit;
  std::string why, what_to_try, limit_reason;
  std::string advice;  ///< The name of what is advised, if it is from a list: of advice.h, or what would order a race.
  std::vector<std::string> more;  ///< Further sentences, below the advice.
  std::vector<Finding> also;      ///< What was found besides, and may be the cause; `more` says it in brief.
  std::string saw;                ///< What the program saw of it.
  std::vector<Printed> printed;
  std::string the_case;  ///< In words.
  std::vector<CaseValue> values;
  std::string command;  ///< Repeats the run.
};

/// The smallest finding.
Finding finding_of(FindingKind kind, std::string headline, std::string what_to_try = "");

/// A finding from a handwritten text: the first line is the headline, the others are facts.
Finding finding_of_text(FindingKind kind, const std::string& text);

/// The finding in the order in which people read it.
std::vector<Paragraph> paragraphs_of(const Finding& finding);

/// The paragraphs, a line each.
std::string text_of(const Finding& finding);

/// The same, wrapped for a terminal.
std::string terminal_text(const Finding& finding);

/// Whether two findings say the same but for the case, the command and what the program saw and printed.
bool same_cause(const Finding& one, const Finding& other);

/// What differs from case to case, as text for a terminal.
std::string terminal_text_of_case(const Finding& finding);

/// Replaces each text of the finding by the function's result for it.
void for_each_text(Finding& finding, const std::function<std::string(const std::string&)>& change);

/// As test records and results.json have it (docs/formats.md).
nlohmann::json to_json(const Finding& finding);
/// The reverse. @throws nlohmann::json::exception, std::out_of_range for what has another version or an unknown kind
Finding finding_from_json(const nlohmann::json& json);

/// A number for people: whole from 100 on, else with at most three significant digits and no trailing zeros.
std::string number_text(double value);

}  // namespace warpbook::grader
