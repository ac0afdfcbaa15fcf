// Says of each line of PTX whether it is taken in a module that no assembler has seen: for ptx/swaps.py.
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "common/simulator/kernel/no_handlers.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/parser.h"

using namespace warpbook::simulator;

namespace {

/// Empty if @p text is taken.
std::string refusal_of(const std::string& text) {
  static const HandlerSet handlers = no_handlers();
  DecodeOptions options;
  options.judges = true;
  try {
    (void)decode(
        ptx::parse(text),
        [](const std::string& name) { return name == "gm" ? std::optional<std::uint64_t>(0x1000) : std::nullopt; },
        handlers, options);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

/// The first argument is a file with the head of the module; instructions come from standard input. Each answer is a
/// line: "taken", or the refusal.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: warpbook_judge_lines HEAD < INSTRUCTIONS\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  const std::string head{std::istreambuf_iterator<char>(file), {}};
  for (std::string line; std::getline(std::cin, line);) {
    const std::string refusal = refusal_of(head + line + "\nret;\n}\n");
    std::cout << (refusal.empty() ? "taken" : refusal) << '\n';
  }
  return std::cout.good() ? 0 : 1;
}
