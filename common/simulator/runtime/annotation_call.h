// One thing that a program says by NVTX, as a value: NVTX's functions (nvtx_injection.cpp) run in the program's
// process, annotations are kept where the device is.
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
  Annotation annotation;     ///< A name is its text.
  std::uint64_t number = 0;  ///< Of a range that ends, of a thread, a stream's handle.
};

/// Does it. @returns what NVTX answers: a range's number or depth
std::int64_t annotate(const AnnotationCall& call);

}  // namespace warpbook::simulator::runtime
