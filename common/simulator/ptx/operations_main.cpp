// Prints the table of operations as Markdown: what the virtual GPU supports, for the documentation.
#include <iostream>
#include <string>

#include "common/simulator/ptx/operation_table.h"

namespace {

/// @p text as code. '|' separates table cells even there, so it is escaped.
std::string code(std::string_view text) {
  if (text.empty()) return {};
  std::string result("`");
  for (const char c : text) {
    if (c == '|') result.push_back('\\');
    result.push_back(c);
  }
  result.push_back('`');
  return result;
}

}  // namespace

int main() {
  using namespace warpbook::simulator::ptx;
  std::cout << "| id | instruction | operands | pipe |\n| --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < static_cast<std::size_t>(OperationId::count); ++i) {
    const OperationRow& r = row(static_cast<OperationId>(i));
    std::cout << "| " << code(r.name) << " | " << code(written_form(r)) << " | " << code(r.operands) << " | "
              << name_of(r.pipe) << " |\n";
  }
  return std::cout.good() ? 0 : 1;
}
