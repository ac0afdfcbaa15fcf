// Searches for function names in bodies that are not parsed yet.
#include "common/simulator/runtime/module_text.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "common/simulator/kernel/needed_functions.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::runtime {
namespace {

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// Calls @p use(word) for each word of @p text.
template <class Use>
void for_each_word(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && is_of_name(text[end])) ++end;
    use(text.substr(at, end - at));
    at = end;
  }
}

/// PTX that cannot be parsed cannot run either; as for any such kernel, the error is reported when it is used.
ptx::Module parsed(std::string_view text, const ptx::WantsBody& wants) {
  try {
    return ptx::parse(text, wants);
  } catch (const ptx::ParseError& error) {
    throw DecodeError(error.what());
  }
}

}  // namespace

ptx::Module ModuleText::heads() {
  return ptx::parse(text_, [this](const std::string& function, std::string_view body) {
    bodies_[function] = {static_cast<std::size_t>(body.data() - text_.data()), body.size()};
    return false;
  });
}

bool ModuleText::can_be_parted(const ptx::Module& heads) const {
  return std::all_of(heads.functions.begin(), heads.functions.end(), [&](const ptx::Function& function) {
    return bodies_.count(function.name) != 0 || (!function.defined && is_plain_system_call(function.name));
  });
}

ptx::Module ModuleText::functions_for(const std::string& kernel) const {
  const auto named_in = [this](const std::string& function) {
    std::vector<std::string> named;
    const auto body = bodies_.find(function);
    if (body == bodies_.end()) return named;
    for_each_word(std::string_view(text_).substr(body->second.begin, body->second.size), [&](std::string_view word) {
      if (bodies_.find(word) != bodies_.end()) named.emplace_back(word);
    });
    return named;
  };
  const std::set<std::string> named = reachable(kernel, named_in).value();
  return parsed(text_, [&](const std::string& function, std::string_view) { return named.count(function) != 0; });
}

ptx::Module ModuleText::all_functions() const { return parsed(text_, {}); }

}  // namespace warpbook::simulator::runtime
