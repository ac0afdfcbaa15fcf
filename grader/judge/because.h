// A wrong answer's line `because:`, which says what must be in the record of the verdict that rejects it: data, never
// words.
//
//     because: too_much topic=global_store_sectors_per_request per_request=32 code="out[column * rows + row]"
//
// The first word is the kind of a finding: of the verdict's own one, or of one in its `also`. Each `key=value` names a
// field of the same finding. Values with spaces are quoted, by " or '. The keys:
//
//     topic subject advice    the field is this text
//     function line file      one of the sites is in this kernel, at this line, in the file of this name
//     code                    the line of one of the sites contains this code
//     limit                   the limit is this number
//     any other               a number in the evidence, by its name. As many digits as messages show are enough.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/finding.h"

namespace warpbook::grader {

struct Because {
  FindingKind kind{};
  std::vector<std::pair<std::string, std::string>> facts;  ///< Keys and values.
};

/// A line that says nothing that a record could hold: what is wrong with it, and what it may say.
class BecauseError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// @param text what follows "because:" @throws BecauseError
Because parse_because(const std::string& text);

/// Whether the finding, or one of those in its `also`, is as the line says. @throws BecauseError for a key that neither
/// exists for all findings nor is in the evidence of those of this kind
bool holds(const Because& because, const Finding& finding);

/// All that lines about this finding can say, a line for each finding in it: to be copied.
std::string because_of(const Finding& finding);

}  // namespace warpbook::grader
