// Names and memory as one thread sees them.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "common/simulator/debugger/grid_view.h"
#include "common/simulator/machine/address_space.h"

namespace warpbook::simulator::debugger {
namespace {

Value dim3_value(Dim3 dim) {
  Value value;
  value.type = dim3_type();
  value.bytes.resize(12);
  const std::uint32_t words[] = {dim.x, dim.y, dim.z};
  std::memcpy(value.bytes.data(), words, sizeof words);
  return value;
}

const Type* type_of_register(ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
      return boolean_type();
    case ptx::Type::f32:
      return floating_type(4);
    case ptx::Type::f64:
      return floating_type(8);
    case ptx::Type::s8:
    case ptx::Type::s16:
    case ptx::Type::s32:
    case ptx::Type::s64:
      return integer_type(ptx::size_of(type), true);
    default:
      break;
  }
  // .b32 has no signedness; most integers in CUDA code are signed.
  const unsigned bytes = ptx::size_of(type);
  return integer_type(bytes == 1 || bytes == 2 || bytes == 8 ? bytes : 4,
                      type == ptx::Type::b32 || type == ptx::Type::b16);
}

/// The whole text as an unsigned number, or nothing.
std::optional<std::size_t> index_of(const std::string& text) {
  if (text.empty() || text.size() > 9 ||
      !std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    return std::nullopt;
  return std::strtoul(text.c_str(), nullptr, 10);
}

bool covers(const Scope& scope, std::uint32_t line) { return scope.from <= line && line < scope.to; }

void collect(const Scope& scope, std::uint32_t line, std::vector<const Variable*>& found) {
  for (const Scope& inner : scope.inner)
    if (covers(inner, line)) collect(inner, line, found);
  for (const Variable& variable : scope.variables) found.push_back(&variable);
}

}  // namespace

const FunctionNames& ThreadContext::names() const { return grid_.module().stepped().names[frame_.function]; }

std::uint32_t ThreadContext::ptx_line() const { return grid_.module().program().details[frame_.at->index].ptx_line; }

std::vector<const Variable*> ThreadContext::variables(bool parameters) const {
  std::vector<const Variable*> all, wanted;
  const Subprogram* const function =
      grid_.module().subprogram(grid_.module().program().functions[frame_.function].name);
  if (function != nullptr) collect(function->scope, ptx_line(), all);
  for (const Variable* variable : all)
    if (variable->is_parameter == parameters) wanted.push_back(variable);
  return wanted;
}

bool ThreadContext::is_shared(const Variable& variable) const {
  const FunctionNames& known = names();
  return std::any_of(variable.locations.begin(), variable.locations.end(), [&](const Location& location) {
    return location.kind == Location::Kind::at_symbol &&
           (known.shared.count(location.name) != 0 ||
            std::count(known.dynamic_shared.begin(), known.dynamic_shared.end(), location.name) != 0);
  });
}

std::vector<const Variable*> ThreadContext::shared_variables() const {
  std::vector<const Variable*> all = variables(false);
  for (const Variable* variable : grid_.module().globals()) all.push_back(variable);
  std::erase_if(all, [this](const Variable* variable) { return !is_shared(*variable); });
  return all;
}

Value ThreadContext::named(const std::string& name) {
  for (const bool parameters : {false, true}) {
    for (const Variable* variable : variables(parameters))
      if (is_called(variable->name, name)) return value(*variable);
  }
  if (const auto found = built_in(name)) return *found;
  if (const Variable* const global = grid_.module().global(name)) return value(*global);
  if (const auto enumerator = grid_.module().enumerator(name)) return *enumerator;
  if (const auto address = grid_.module().address_of(name)) {
    Value found;
    found.type = grid_.module().declared_type(name);
    if (found.type == nullptr) found.type = array_of(integer_type(1, false), 1);
    found.place = {Place::Kind::memory, ptx::Space::generic, *address, ""};
    return found;
  }
  std::string why = "No symbol \"" + name + "\" in current context.";
  if (!grid_.module().problem().empty())
    why += " (The debug information cannot be read: " + grid_.module().problem() + ")";
  else if (!grid_.module().has_variables())
    why += " (Compile with nvcc -G to see variables; built-ins and registers, $r1, are there without.)";
  throw EvaluationError(why);
}

std::optional<Value> ThreadContext::built_in(const std::string& name) const {
  const Launch& launch = grid_.launch();
  if (name == "threadIdx") return dim3_value(grid_.thread_index(thread_.thread));
  if (name == "blockIdx") return dim3_value(grid_.block_index(thread_.block));
  if (name == "blockDim") return dim3_value(launch.block);
  if (name == "gridDim") return dim3_value(launch.grid);
  if (name == "warpSize") return integer_value(kWarpSize, integer_type(4, true));
  return std::nullopt;
}

const NamedRegister* ThreadContext::find_register(const std::string& name) const {
  for (const NamedRegister& named : names().registers)
    if (named.name == name || named.name == "%" + name) return &named;
  return nullptr;
}

Value ThreadContext::special(const std::string& name) {
  if (name.empty() || index_of(name)) {
    const std::size_t wanted = name.empty() ? history_.size() : *index_of(name);
    if (wanted == 0 || wanted > history_.size())
      throw EvaluationError("History has not yet reached $" + (name.empty() ? "1" : name) + ".");
    return history_[wanted - 1];
  }
  if (name == "pc") return integer_value(frame_.at->index, integer_type(8, false));
  const NamedRegister* const found = find_register(name);
  if (found == nullptr) throw EvaluationError("Invalid register `" + name + "'");
  Value value;
  value.type = type_of_register(found->type);
  value.place.kind = Place::Kind::in_register;
  value.place.name = found->name;
  return value;
}

std::vector<std::uint8_t> ThreadContext::read_register(const std::string& name) {
  const NamedRegister* const found = find_register(name);
  if (found == nullptr || frame_.frame == nullptr) throw EvaluationError("value has been optimized out");
  const std::byte* const slot = frame_.frame->registers + found->slot;
  std::uint64_t bits = 0;
  if (found->type == ptx::Type::pred) {
    std::uint32_t mask = 0;
    std::memcpy(&mask, slot, sizeof mask);
    bits = mask >> thread_.lane() & 1u;
  } else if (ptx::size_of(found->type) == 8) {
    std::memcpy(&bits, slot + 8 * thread_.lane(), 8);
  } else {
    std::memcpy(&bits, slot + 4 * thread_.lane(), 4);
  }
  std::vector<std::uint8_t> bytes(sizeof bits);
  std::memcpy(bytes.data(), &bits, sizeof bits);
  return bytes;
}

std::vector<std::uint8_t> ThreadContext::read(ptx::Space space, std::uint64_t address, std::uint64_t bytes) {
  const std::byte* from = nullptr;
  if (space == ptx::Space::param) {
    if (address + bytes <= grid_.launch().parameters.size()) from = grid_.launch().parameters.data() + address;
  } else {
    switch (simulator::space_of(address)) {
      case ptx::Space::shared: {
        const std::uint64_t offset = address - kSharedWindow;
        if (warp_ != nullptr && offset + bytes <= warp_->shared_bytes) from = warp_->shared + offset;
        break;
      }
      case ptx::Space::local: {
        const std::uint64_t offset = address - kLocalWindow;
        if (warp_ != nullptr && offset + bytes <= warp_->local_stride)
          from = warp_->local + thread_.lane() * warp_->local_stride + offset;
        break;
      }
      case ptx::Space::param:
        break;
      default: {
        const Allocation* const allocation = grid_.launch().memory->find(address);
        if (allocation != nullptr && allocation->contains(address, bytes))
          from = allocation->host + (address - allocation->address);
        break;
      }
    }
  }
  if (from == nullptr) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    throw EvaluationError(std::string("Cannot access memory at address ") + text);
  }
  std::vector<std::uint8_t> copy(bytes);
  std::memcpy(copy.data(), from, bytes);
  return copy;
}

Place ThreadContext::place(const Location& location) const {
  Place place;
  if (location.kind == Location::Kind::in_register) {
    place.kind = Place::Kind::in_register;
    place.name = location.name;
    return place;
  }
  if (location.kind != Location::Kind::at_symbol) return place;
  const auto in_memory = [&](std::uint64_t address, ptx::Space space = ptx::Space::generic) {
    place = {Place::Kind::memory, space, address + static_cast<std::uint64_t>(location.addend), ""};
  };
  const FunctionNames& known = names();
  if (const auto local = known.local.find(location.name); local != known.local.end()) {
    in_memory(kLocalWindow + frame_.frame->local_base + local->second);
  } else if (const auto shared = known.shared.find(location.name); shared != known.shared.end()) {
    in_memory(kSharedWindow + shared->second);
  } else if (std::find(known.dynamic_shared.begin(), known.dynamic_shared.end(), location.name) !=
             known.dynamic_shared.end()) {
    in_memory(kSharedWindow + (grid_.launch().kernel->shared_bytes + 15) / 16 * 16);
  } else if (const auto parameter = known.parameters.find(location.name); parameter != known.parameters.end()) {
    in_memory(parameter->second, ptx::Space::param);
  } else if (const auto address = grid_.module().address_of(location.name)) {
    in_memory(*address);
  }
  return place;
}

/// Where the caller or the launch has put an argument. nvcc's locations hold only after the function's prologue, which
/// copies arguments to registers and to the stack.
Place ThreadContext::passed(const Variable& argument) const {
  const Function& function = grid_.module().program().functions[frame_.function];
  const Subprogram* const known = grid_.module().subprogram(function.name);
  std::size_t number = 0;
  if (known == nullptr) return {};
  for (const Variable& variable : known->scope.variables) {
    if (&variable == &argument) break;
    if (variable.is_parameter) ++number;
  }
  // A class with a copy constructor is passed as a pointer.
  if (number >= function.parameters.size() || function.parameters[number].bytes < size_of(argument.type)) return {};
  const std::uint64_t offset = function.parameters[number].offset;
  if (function.entry) return {Place::Kind::memory, ptx::Space::param, offset, ""};
  return {Place::Kind::memory, ptx::Space::generic, kLocalWindow + frame_.frame->local_base + offset, ""};
}

Value ThreadContext::value(const Variable& variable) {
  Value value;
  value.type = variable.type;
  if (variable.is_parameter && frame_.at->index < grid_.module().lines().body_of(frame_.function)) {
    value.place = passed(variable);
    return value;
  }
  const std::uint32_t line = ptx_line();
  for (const Location& location : variable.locations) {
    if (line < location.from || line >= location.to) continue;
    value.place = place(location);
    const NamedRegister* const in =
        location.kind == Location::Kind::in_register ? find_register(location.name) : nullptr;
    if (in != nullptr && !grid_.module().may_be_set(in->name, frame_.at->index)) value.place = {};
    break;
  }
  return value;
}

}  // namespace warpbook::simulator::debugger
