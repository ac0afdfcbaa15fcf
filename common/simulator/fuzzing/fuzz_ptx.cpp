// Any text as PTX: it is parsed and decoded, or rejected with a message. Nothing else may happen.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "common/simulator/kernel/no_handlers.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/parser.h"

namespace {

using namespace warpbook::simulator;

/// An error needs a message.
void require_text(const std::exception& error) {
  if (std::string_view(error.what()).empty()) {
    std::fputs("rejected without a message\n", stderr);
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const HandlerSet handlers = no_handlers();
  try {
    const ptx::Module module = ptx::parse(std::string_view(reinterpret_cast<const char*>(data), size));
    for (const bool finely : {false, true}) {
      DecodeOptions options;
      options.turns_end_at_accesses = finely;
      try {
        (void)decode(
            module, [](const std::string&) { return std::optional<std::uint64_t>(0x1000); }, handlers, options);
      } catch (const DecodeError& error) {
        require_text(error);
      }
    }
  } catch (const ptx::ParseError& error) {
    require_text(error);
  }
  return 0;
}
