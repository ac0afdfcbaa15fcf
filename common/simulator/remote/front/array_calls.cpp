// The requests of a grader's worker for arrays that belong to the owner of the device (remote/arrays.h).
#include <string>

#include "common/simulator/remote/arrays.h"
#include "common/simulator/remote/front/process.h"

using namespace warpbook::simulator::remote;

int warpbookArray(int kind, const char* name, int element, std::uint64_t bytes, void** address) {
  Exchange exchange(Call::array);
  Writer& to = exchange.arguments();
  to.put(static_cast<ArrayKind>(kind));
  to.text(name);
  to.put<std::int32_t>(element);
  to.put(bytes);
  to.put(reinterpret_cast<std::uint64_t>(*address));
  Reader answer = exchange.ask();
  const auto error = answer.get<std::int32_t>();
  const auto place = answer.get<std::uint64_t>();
  const auto contents = answer.block();
  if (error != 0) return error;
  // Data that the program reads, and arrays in its ordinary memory.
  if (!contents.empty()) std::memcpy(*address, contents.data(), contents.size());
  if (static_cast<ArrayKind>(kind) != ArrayKind::host_contents) *address = reinterpret_cast<void*>(place);
  return error;
}
