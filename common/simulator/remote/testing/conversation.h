// Recorded calls of a program: fuzz_messages replays them, run_apart records them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// A call as it was sent, and the beginning of its answer: when the call is made again, its handles have other values.
struct RecordedCall {
  Head head;
  std::vector<std::byte> arguments;
  std::vector<std::byte> answer;
};

constexpr std::size_t kKeptAnswer = 256;

/// Calls of the two APIs by name, since numbers change when calls are added; those of calls.h follow, by their row.
inline const std::vector<std::string>& call_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kCalls);
#define WB_REMOTE(result, name, parameters, arguments) all[static_cast<std::size_t>(Call::name)] = #name;
#include "common/simulator/remote/driver_calls.def"
#include "common/simulator/remote/runtime_calls.def"
#undef WB_REMOTE
    for (std::size_t at = 0, first = static_cast<std::size_t>(Call::connect); first + at < kCalls; ++at)
      all[first + at] = "#" + std::to_string(at);
    return all;
  }();
  return names;
}

inline void put(Writer& to, const RecordedCall& call) {
  to.text(call.head.call < kCalls ? call_names()[call.head.call] : "");
  to.put(call.head.flags);
  to.block(call.arguments.data(), call.arguments.size());
  to.block(call.answer.data(), std::min(call.answer.size(), kKeptAnswer));
}

/// Reads as many calls as there are; incomplete data at the end are dropped.
inline std::vector<RecordedCall> read_conversation(std::span<const std::byte> bytes) {
  std::vector<RecordedCall> calls;
  Reader from(bytes);
  try {
    while (from.left() > 0) {
      RecordedCall call;
      const auto name = std::find(call_names().begin(), call_names().end(), from.text());
      call.head.call = static_cast<std::uint16_t>(name - call_names().begin());
      call.head.flags = from.get<std::uint16_t>();
      const auto arguments = from.block();
      call.arguments.assign(arguments.begin(), arguments.end());
      call.head.bytes = arguments.size();
      const auto answer = from.block();
      call.answer.assign(answer.begin(), answer.end());
      calls.push_back(std::move(call));
    }
  } catch (const WireError&) {
  }
  return calls;
}

}  // namespace warpbook::simulator::remote
