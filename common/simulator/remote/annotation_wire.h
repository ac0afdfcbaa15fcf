// How NVTX annotations of a program are sent.
#pragma once

#include <cstring>
#include <string>
#include <variant>

#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/annotation_call.h"

namespace warpbook::simulator::remote {

constexpr std::size_t kLongestAnnotation = 1 << 16;

inline void put(Writer& to, const runtime::AnnotationCall& call) {
  const runtime::Annotation& said = call.annotation;
  to.put(call.kind);
  to.put(call.number);
  to.text(said.domain);
  to.text(said.text);
  to.put(said.category);
  to.put<std::uint8_t>(said.color.has_value());
  to.put(said.color.value_or(0));
  to.put(static_cast<std::uint8_t>(said.payload.index()));
  std::uint64_t payload = 0;
  if (const auto* number = std::get_if<std::uint64_t>(&said.payload)) payload = *number;
  if (const auto* number = std::get_if<std::int64_t>(&said.payload)) payload = static_cast<std::uint64_t>(*number);
  if (const auto* number = std::get_if<double>(&said.payload)) std::memcpy(&payload, number, sizeof payload);
  to.put(payload);
}

inline runtime::AnnotationCall get_annotation_call(Reader& from) {
  runtime::AnnotationCall call;
  runtime::Annotation& said = call.annotation;
  call.kind = from.get<runtime::AnnotationKind>();
  if (call.kind >= runtime::AnnotationKind::count_) throw WireError("there is no such annotation");
  call.number = from.get<std::uint64_t>();
  said.domain = from.text();
  said.text = from.text();
  if (said.domain.size() > kLongestAnnotation || said.text.size() > kLongestAnnotation)
    throw WireError("an annotation has " + std::to_string(said.domain.size() + said.text.size()) + " letters");
  said.category = from.get<std::uint32_t>();
  const bool has_color = from.get<std::uint8_t>() != 0;
  const auto color = from.get<std::uint32_t>();
  if (has_color) said.color = color;
  const auto kind = from.get<std::uint8_t>();
  const auto payload = from.get<std::uint64_t>();
  double number = 0;
  std::memcpy(&number, &payload, sizeof number);
  if (kind == 1) said.payload = payload;
  if (kind == 2) said.payload = static_cast<std::int64_t>(payload);
  if (kind == 3) said.payload = number;
  return call;
}

}  // namespace warpbook::simulator::remote
