// One NVTX call as a value: NVTX's functions (nvtx_injection.cpp) run in the program's process, but annotations are
// stored where the device is.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/annotations.h"

namespace warpbook::simulator::runtime {

enum class AnnotationKind : std::uint8_t {
  mark,
  start,
  end,
  push,
  pop,
  name_category,
  name_thread,
  name_stream,
  count_
};

struct AnnotationCall {
  AnnotationKind kind = AnnotationKind::mark;
  Annotation annotation;     ///< For a name, its text is the name.
  std::uint64_t number = 0;  ///< Number of the range that ends, number of a thread, or a stream's handle.
};

/// Executes it. @returns what the NVTX function returns: a range's number or depth
std::int64_t annotate(const AnnotationCall& call);

}  // namespace warpbook::simulator::runtime
