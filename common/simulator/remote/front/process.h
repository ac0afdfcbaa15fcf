// This process as a program whose device is in another one: the connection of each thread, and memory that both share.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/remote/arguments.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/wire.h"

namespace warpbook::simulator::remote {

/// One call: put arguments, ask(), take results.
class Exchange {
 public:
  explicit Exchange(Call call) : call_(call) {}
  Writer& arguments() { return arguments_; }
  /// Sends the call, waits for the answer and does what it asks for. Ends the process if the device is gone.
  Reader ask();

 private:
  Call call_;
  Writer arguments_;
  std::vector<std::byte> answer_;
};

/// While one lives, the default stream of this thread is its own (the entry points *_ptsz and *_ptds).
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();

 private:
  bool before_;
};

/// A call whose arguments travel by their types.
template <class Result, class... Parameters, class... Arguments>
Result forward(Call call, Result (*)(Parameters...), const Arguments&... arguments) {
  Exchange exchange(call);
  (Outgoing<Parameters>::put(exchange.arguments(), arguments), ...);
  Reader answer = exchange.ask();
  const auto result = answer.get<Result>();
  (Outgoing<Parameters>::take(answer, arguments), ...);
  return result;
}

/// True for a pointer that the device knows: its own memory, managed, pinned and registered memory.
bool is_known_to_device(const void* pointer);

/// Makes the pages of [@p pointer, @p pointer + @p bytes) memory that the device's process shares, with what they hold.
/// @returns false if the system refuses
bool share_pages(void* pointer, std::size_t bytes);
/// Remembers a registered range, or forgets the one that begins at @p pointer.
void add_registered(const void* pointer, std::size_t bytes);
void remove_registered(const void* pointer);

}  // namespace warpbook::simulator::remote
