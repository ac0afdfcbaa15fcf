// Included by every contract header: how a skeleton says that it has not been started.
#pragma once

namespace warpbook {

/// Thrown by not_started(). The grader reports it as "not started" (ctest: Skipped), never as a wrong answer.
struct NotStarted {
  const char* file;
  int line;
};

/// The body of every function in a skeleton. Delete this call when you begin: while it is there, the tests that need
/// the function are skipped.
[[noreturn]] inline void not_started(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  throw NotStarted{file, line};
}

}  // namespace warpbook
