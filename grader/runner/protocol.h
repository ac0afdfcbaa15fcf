// The frame that carries a case to a worker process, and its reply back.
//
// magic "WBK1" · nonce (u64) · number of values (u32) · values · nonce · magic "1KBW". A value is its name, element
// type, role, scalar flag, guard size and bytes, each with its length before it. The nonce is fresh for every run: a
// reply without it, with another number of values than it announces, or with bytes after its end is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/judge/case.h"

namespace warpbook::grader {

/// Descriptor of the channel in a worker process.
constexpr int kWorkerChannel = 3;

/// Values of a reply that the worker's own main function sets.
inline const std::string kStatus = "warpbook.status";    ///< "completed", "not_started" or "error".
inline const std::string kMessage = "warpbook.message";  ///< The file that is not started, or the error.
inline const std::string kLine = "warpbook.line";        ///< The line in the file that is not started.
inline const std::string kErrorKind = "warpbook.error";  ///< The kind of error: "call", "function", "memory", "other".
inline const std::string kErrorName = "warpbook.error_name";  ///< The error of a call: "cudaErrorInvalidValue".
inline const std::string kErrorCall = "warpbook.error_call";  ///< "cudaGetLastError()"; the missing function.
inline const std::string kMeasuredUs = "warpbook.measured_us";

/// Values that the grader adds to a case that is timed on a real GPU.
inline const std::string kTiming = "warpbook.timing";  ///< "queued" or "waiting" (worker.h).
inline const std::string kAgain = "warpbook.again";    ///< Set: the previous case, with these values changed.

inline const std::string kQuiet = "warpbook.quiet";  ///< Set: only numbers and texts in the reply.

/// Argument of a worker that answers one case after another (LiveProcess) instead of one.
inline const std::string kServe = "--serve";

/// Bytes that are not a frame, or not the expected one.
class FrameError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes values as a frame.
std::vector<std::byte> encode(const Values& values, std::uint64_t nonce);

/// A frame that was read.
struct Frame {
  std::uint64_t nonce = 0;
  Values values;
};

/// Reads exactly one frame. @throws FrameError
Frame decode(std::span<const std::byte> bytes);

}  // namespace warpbook::grader
