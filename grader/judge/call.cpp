// Writing calls into a case, and reading them back: one line for each call, fields between tabs.
#include "grader/judge/call.h"

#include <array>
#include <sstream>
#include <utility>

namespace warpbook::grader {

namespace {

const std::string kCalls = "warpbook.calls";

constexpr std::array kKinds = {"input", "output", "in_out", "filled", "number", "each"};

std::string line_of(const std::string& function, const std::vector<Argument>& arguments) {
  std::ostringstream out;
  out << function;
  for (const Argument& argument : arguments)
    out << '\t' << kKinds[static_cast<std::size_t>(argument.kind)] << '\t' << argument.name << '\t'
        << int{static_cast<std::uint8_t>(argument.element)} << '\t' << argument.count << '\t' << int{argument.fill};
  out << '\n';
  return out.str();
}

Argument::Kind kind_of(const std::string& text) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (text == kKinds[i]) return static_cast<Argument::Kind>(i);
  throw ValueError("'" + text + "' is not a known kind of argument");
}

Call call_of(const std::string& line) {
  std::istringstream in(line);
  Call call;
  std::getline(in, call.function, '\t');
  for (std::string kind; std::getline(in, kind, '\t');) {
    Argument argument;
    argument.kind = kind_of(kind);
    std::string element, count, fill;
    std::getline(in, argument.name, '\t');
    std::getline(in, element, '\t');
    std::getline(in, count, '\t');
    if (!std::getline(in, fill, '\t')) throw ValueError("the call '" + line + "' ends early");
    argument.element = static_cast<Element>(std::stoi(element));
    argument.count = std::stoull(count);
    argument.fill = static_cast<std::uint8_t>(std::stoi(fill));
    call.arguments.push_back(std::move(argument));
  }
  return call;
}

/// The element as text, if the value is of numbers of type T.
template <class T>
bool put_element(std::ostream& out, const Value& value, std::size_t i) {
  if (value.element != element_of<T>() || (i + 1) * sizeof(T) > value.bytes.size()) return false;
  T element;
  std::memcpy(&element, value.bytes.data() + i * sizeof(T), sizeof(T));
  out << +element;  // A char is written as a number.
  return true;
}

template <class... T>
bool put_element_of(std::ostream& out, const Value& value, std::size_t i) {
  return (put_element<T>(out, value, i) || ...);
}

bool has_value(const Argument& argument) {
  return argument.kind != Argument::Kind::output && argument.kind != Argument::Kind::filled;
}

}  // namespace

Case then(Case given, const std::string& function, std::vector<Argument> arguments) {
  const std::string before = given.has(kCalls) ? given.text(kCalls) : "";
  given.set(kCalls, before + line_of(function, arguments));
  given.set("function", function);
  for (Argument& argument : arguments) {  // Arrays are large: they are moved.
    if (!has_value(argument)) continue;
    if (given.has(argument.name) && !(given.value(argument.name) == argument.value))
      throw ValueError("the case has two different values named '" + argument.name + "'");
    given.put(argument.name, std::move(argument.value));
  }
  return given;
}

Case call(const std::string& function, std::vector<Argument> arguments) {
  return then({}, function, std::move(arguments));
}

std::string text_of_call(const Case& given, std::size_t i) {
  const std::vector<Call> calls = calls_of(given);
  if (calls.empty()) throw ValueError("the case calls no function");
  std::ostringstream out;
  out << calls.back().function << '(';
  const char* separator = "";
  for (const Argument& argument : calls.back().arguments) {
    out << std::exchange(separator, ", ");
    const bool has_number = argument.kind == Argument::Kind::each || argument.kind == Argument::Kind::number;
    const bool is_put =
        has_number && put_element_of<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                     std::uint32_t, std::int64_t, std::uint64_t, float, double>(
                          out, given.value(argument.name), argument.kind == Argument::Kind::each ? i : 0);
    if (!is_put) out << argument.name;
  }
  out << ')';
  return out.str();
}

std::vector<Call> calls_of(const Case& given) {
  std::vector<Call> calls;
  if (!given.has(kCalls)) return calls;
  std::istringstream in(given.text(kCalls));
  for (std::string line; std::getline(in, line);) calls.push_back(call_of(line));
  return calls;
}

std::vector<std::string> functions_of(const Case& given) {
  std::vector<std::string> functions;
  for (const Call& call : calls_of(given)) functions.push_back(call.function);
  if (functions.empty() && given.has("function")) functions.push_back(given.text("function"));
  return functions;
}

}  // namespace warpbook::grader
