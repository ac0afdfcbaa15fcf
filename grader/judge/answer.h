// Answer: what one run of one case by one answer returned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/case.h"
#include "grader/judge/finding.h"
#include "grader/judge/profile.h"

namespace warpbook::grader {

/// A run that finished properly.
struct Answer {
  Case given;       ///< The case that was run.
  Reply reply;      ///< The program's reply. Untrusted: the process that ran the answer wrote it.
  Profile profile;  ///< What the virtual GPU counted; empty on a real GPU.
  Reply device;     ///< What the virtual GPU's process observed (numbers only); empty on a real GPU.
  /// Errors that the virtual GPU reported, a line each: refused launches that the program did not query.
  std::vector<std::string> complaints;
  std::vector<Printed> printed;  ///< The beginning of what the program and its kernels printed. Untrusted.
  /// All of it, each text followed by a line feed.
  std::string printed_text() const {
    std::string text;
    for (const Printed& one : printed) text += one.text + "\n";
    return text;
  }
  /// A number that a worker has the device observe (observe_on_device); on a real GPU the worker says it itself.
  /// @throws ValueError if it was not observed
  std::int64_t observed(const std::string& name) const { return observer().integer(name); }
  double observed_us(const std::string& name) const { return observer().real(name); }
  const Reply& observer() const { return profile.text.empty() ? reply : device; }

  double wall_us = 0;      ///< Wall-clock time of the process, as its parent saw it.
  double measured_us = 0;  ///< Real GPU: the time between two events around the answer; 0 if not measured.

  /// The contents of an array or buffer in the reply. @throws ValueError if it is missing or of another type.
  template <class T>
  std::vector<T> output(const std::string& name) const {
    return reply.array<T>(name);
  }
};

}  // namespace warpbook::grader
