// This process as a program whose device is in another one: one connection per thread, and shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/remote/arguments.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// One call: write the arguments, ask(), read the results.
class Exchange {
 public:
  explicit Exchange(Call call) : call_(call) {}
  Writer& arguments() { return arguments_; }
  /// Sends the call, waits for the answer and carries out requests. Ends the process if the device is gone.
  Reader ask();

 private:
  Call call_;
  Writer arguments_;
  std::vector<std::byte> answer_;
};

/// While one lives, this thread uses the per-thread default stream (the entry points *_ptsz and *_ptds).
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();

 private:
  bool before_;
};

/// A call whose arguments are sent by type.
template <class Result, class... Parameters, class... Arguments>
Result forward(Call call, Result (*)(Parameters...), const Arguments&... arguments) {
  Exchange exchange(call);
  (Outgoing<Parameters>::put(exchange.arguments(), arguments), ...);
  Reader answer = exchange.ask();
  const auto result = answer.get<Result>();
  (Outgoing<Parameters>::take(answer, arguments), ...);
  return result;
}

/// True for a pointer known to the device: device, managed, pinned and registered memory.
bool is_known_to_device(const void* pointer);

/// Turns the pages of [@p pointer, @p pointer + @p bytes) into memory shared with the device's process, keeping their
/// contents.
/// @returns false if the system refuses
bool share_pages(void* pointer, std::size_t bytes);
/// Records a registered range, or removes the one that begins at @p pointer.
void add_registered(const void* pointer, std::size_t bytes);
void remove_registered(const void* pointer);

}  // namespace warpbook::simulator::remote
