// Flattening of nested scopes; scopes.h says how.
#include "common/simulator/ptx/scopes.h"

#include <algorithm>
#include <charconv>

namespace warpbook::simulator::ptx {

void Scopes::open() {
  Scope scope;
  if (!open_.empty()) scope.number = ++last_number_;
  scope.first_statement = function_.body.size();
  scope.first_target_list = function_.target_lists.size();
  open_.push_back(std::move(scope));
}

void Scopes::close() {
  const Scope scope = std::move(open_.back());
  open_.pop_back();
  if (scope.number == 0 || (scope.names.empty() && scope.ranges.empty())) return;
  for (std::size_t i = scope.first_statement; i < function_.body.size(); ++i) {
    Statement& statement = function_.body[i];
    auto* instruction = std::get_if<Instruction>(&statement.node);
    if (instruction == nullptr) continue;
    if (instruction->guard) rename(scope, *instruction->guard);
    for (Operand& operand : instruction->operands) rename(scope, operand);
    if (!statement.call) continue;
    for (Operand& operand : statement.call->returns) rename(scope, operand);
    for (Operand& operand : statement.call->arguments) rename(scope, operand);
    rename(scope, statement.call->callee);
    rename(scope, statement.call->prototype);
  }
  for (std::size_t i = scope.first_target_list; i < function_.target_lists.size(); ++i) {
    for (std::string& target : function_.target_lists[i].targets) rename(scope, target);
  }
}

std::string Scopes::suffix() const {
  const std::uint32_t number = open_.back().number;
  return number == 0 ? std::string() : std::string("@").append(std::to_string(number));
}

bool Scopes::is_taken(std::string_view name) const {
  const Scope& scope = open_.back();
  return scope.names.find(name) != scope.names.end() || find_range(scope, name) != nullptr;
}

bool Scopes::is_range_taken(std::string_view prefix, std::uint32_t count) const {
  const Scope& scope = open_.back();
  const Range wanted{std::string(prefix), count, {}};
  return std::any_of(scope.ranges.begin(), scope.ranges.end(),
                     [&](const Range& range) { return range.prefix == prefix; }) ||
         std::any_of(scope.names.begin(), scope.names.end(),
                     [&](const auto& entry) { return has(wanted, entry.first); });
}

std::string Scopes::declare(std::string_view name) {
  std::string flat = std::string(name) + suffix();
  open_.back().names[std::string(name)] = {flat, false};
  percent_symbols_ = percent_symbols_ || name.starts_with('%');
  return flat;
}

std::string Scopes::declare_register(std::string_view name, unsigned width) {
  std::string flat = std::string(name) + suffix();
  open_.back().names[std::string(name)] = {flat, true, width};
  return flat;
}

std::string Scopes::declare_registers(std::string_view prefix, std::uint32_t count) {
  // The number after the prefix must be separated from the suffix.
  std::string flat = std::string(prefix) + suffix() + (open_.back().number == 0 ? "" : "_");
  open_.back().ranges.push_back({std::string(prefix), count, flat});
  return flat;
}

bool Scopes::has(const Range& range, std::string_view name) {
  if (!name.starts_with(range.prefix) || name.size() == range.prefix.size()) return false;
  const char* const end = name.data() + name.size();
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(name.data() + range.prefix.size(), end, number);
  return stop == end && error == std::errc() && number < range.count;
}

const Scopes::Range* Scopes::find_range(const Scope& scope, std::string_view name) {
  for (const Range& range : scope.ranges)
    if (has(range, name)) return &range;
  return nullptr;
}

bool Scopes::is_register(std::string_view name) const {
  if (name.starts_with('%') && !percent_symbols_) return true;
  for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second.is_register;
    if (find_range(*scope, name) != nullptr) return true;
  }
  return name.starts_with('%');
}

unsigned Scopes::register_width(std::string_view name) const {
  for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second.width;
  }
  return 1;
}

void Scopes::rename(const Scope& scope, std::string& name) {
  if (name.empty()) return;
  const std::size_t dot = name.find('.');  // "%r1.b0": a part of %r1.
  const std::string_view whole(name);
  const std::string_view stem = whole.substr(0, dot);
  const std::string selector(dot == std::string::npos ? std::string_view() : whole.substr(dot));
  if (const auto found = scope.names.find(stem); found != scope.names.end()) {
    name = found->second.replacement + selector;
  } else if (const Range* range = find_range(scope, stem)) {
    name = range->replacement + std::string(stem.substr(range->prefix.size())) + selector;
  }
}

void Scopes::rename(const Scope& scope, Operand& operand) {
  rename(scope, operand.name);
  for (Operand& element : operand.elements) rename(scope, element);
}

}  // namespace warpbook::simulator::ptx
