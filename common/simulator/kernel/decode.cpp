// A whole module: lays out its functions, decodes each and finds out which kernels must run their blocks in order.
#include <algorithm>
#include <set>

#include "common/simulator/kernel/call_registers.h"
#include "common/simulator/kernel/function_decoder.h"
#include "common/simulator/kernel/module_rules.h"
#include "common/simulator/kernel/outside_waits.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

bool shared_or_local(ptx::Space space) {
  return space == ptx::Space::shared || space == ptx::Space::local || space == ptx::Space::param;
}

bool floating(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::f16x2:
    case ptx::Type::bf16:
    case ptx::Type::bf16x2:
    case ptx::Type::f32:
    case ptx::Type::f64:
    case ptx::Type::f32x2:
      return true;
    default:
      return false;
  }
}

/// True if the outcome of @p detail depends on which block comes first: an atomic's old value, a floating-point sum, an
/// exchange, a load that waits for another block. Integer sums, minima and maxima are the same in any order.
bool depends_on_order(const OperationDetail& detail) {
  const ptx::Modifiers& m = detail.modifiers;
  const std::string_view opcode = ptx::row(detail.id).opcode;
  if (detail.internal || shared_or_local(m.space)) return false;
  if (detail.id == OperationId::cp_reduce_async_bulk_store || detail.id == OperationId::cp_reduce_async_bulk_tensor ||
      detail.id == OperationId::cp_reduce_async_bulk_tensor_im2col)
    return true;
  if (opcode == "atom") return true;
  if (opcode == "red") {
    switch (m.atomic) {
      case ptx::AtomicOp::add:
        return floating(m.types[0]);
      case ptx::AtomicOp::min:
      case ptx::AtomicOp::max:
      case ptx::AtomicOp::and_:
      case ptx::AtomicOp::or_:
      case ptx::AtomicOp::xor_:
        return false;
      default:
        return true;
    }
  }
  if (opcode == "ld" || opcode == "st") return m.semantics != ptx::Semantics::weak;
  return false;
}

/// True if @p operation orders only some threads of a block, or threads of several blocks.
bool meets_finely(const Operation& operation, const OperationDetail& detail) {
  if (detail.internal) return false;
  switch (detail.id) {
    case OperationId::bar_warp_sync:
    case OperationId::bar_arrive:
    case OperationId::barrier_arrive:
    case OperationId::membar:
    case OperationId::fence:
    case OperationId::barrier_cluster_arrive:
    case OperationId::barrier_cluster_wait:
      return true;
    case OperationId::bar_sync:
    case OperationId::barrier_sync:
    case OperationId::bar_red_popc:
    case OperationId::bar_red_pred:
    case OperationId::barrier_red_popc:
    case OperationId::barrier_red_pred:
      return operation.b != kNoOperand;
    default:
      break;
  }
  if (ptx::row(detail.id).opcode == "mbarrier") return true;
  switch (detail.modifiers.semantics) {
    case ptx::Semantics::acquire:
    case ptx::Semantics::release:
    case ptx::Semantics::acq_rel:
    case ptx::Semantics::sc:
      return true;
    default:
      return false;
  }
}

/// Functions that @p function may call, including itself; all functions if a call goes through a pointer.
std::set<std::uint32_t> reachable(const Program& program, std::uint32_t function,
                                  const std::vector<std::set<std::int32_t>>& calls) {
  std::set<std::uint32_t> seen{function};
  std::vector<std::uint32_t> work{function};
  while (!work.empty()) {
    const std::uint32_t f = work.back();
    work.pop_back();
    for (std::int32_t callee : calls[f]) {
      if (callee >= 0) {
        if (seen.insert(static_cast<std::uint32_t>(callee)).second) work.push_back(static_cast<std::uint32_t>(callee));
        continue;
      }
      for (std::uint32_t any = 0; any < program.functions.size(); ++any) {
        if (!program.functions[any].entry && seen.insert(any).second) work.push_back(any);
      }
    }
  }
  return seen;
}

constexpr std::uint32_t kRecursive = ~0u;

/// What the functions that @p caller calls take of the stack, or kRecursive: the driver gives each thread that much
/// beside cudaLimitStackSize, but nothing where a function calls itself (H200, 2026-11-24 and 27). Calls through
/// pointers stay within the limit.
std::uint32_t chain_bytes(const Program& program, const std::vector<std::set<std::uint32_t>>& calls,
                          std::uint32_t caller, std::vector<std::optional<std::uint32_t>>& known) {
  if (known[caller]) return *known[caller];
  known[caller] = kRecursive;  // For those that call it again.
  std::uint32_t most = 0;
  for (const std::uint32_t callee : calls[caller]) {
    const std::uint32_t beyond = chain_bytes(program, calls, callee, known);
    if (beyond == kRecursive) return kRecursive;
    most = std::max(most, (program.functions[callee].local_bytes + 15) / 16 * 16 + beyond);
  }
  known[caller] = most;
  return most;
}

void find_stack_needs(Program& program) {
  std::vector<std::set<std::uint32_t>> calls(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    Function& function = program.functions[f];
    for (std::uint32_t i = function.begin; i < function.end; ++i) {
      if (program.details[i].internal) continue;
      function.takes_stack |= program.details[i].id == OperationId::alloca;
      const auto site = static_cast<std::size_t>(program.operations[i].immediate);
      if (program.details[i].id != OperationId::call || site >= program.calls.size()) continue;
      if (program.calls[site].function >= 0) calls[f].insert(static_cast<std::uint32_t>(program.calls[site].function));
    }
  }
  std::vector<std::optional<std::uint32_t>> known(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const std::uint32_t bytes = chain_bytes(program, calls, f, known);
    program.functions[f].called_bytes = bytes == kRecursive ? 0 : bytes;
  }
}

void find_order_needs(Program& program) {
  std::vector<std::set<std::int32_t>> calls(program.functions.size());
  std::vector<bool> ordered(program.functions.size(), false), fine(program.functions.size(), false);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    for (std::uint32_t i = program.functions[f].begin; i < program.functions[f].end; ++i) {
      const OperationDetail& detail = program.details[i];
      if (depends_on_order(detail)) ordered[f] = true;
      if (meets_finely(program.operations[i], detail)) fine[f] = true;
      if (detail.internal || detail.id != OperationId::call) continue;
      if (program.operations[i].immediate < 0 ||
          static_cast<std::size_t>(program.operations[i].immediate) >= program.calls.size())
        continue;
      const CallSite& site = program.calls[static_cast<std::size_t>(program.operations[i].immediate)];
      const SystemCall system = site.system;
      if (system == SystemCall::malloc || system == SystemCall::free || system == SystemCall::unknown)
        ordered[f] = true;
      if (system == SystemCall::unknown) fine[f] = true;  // It may launch a grid, which runs after its thread.
      if (site.system == SystemCall::none) calls[f].insert(site.function);
    }
  }
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    if (!program.functions[f].entry) continue;
    const auto seen = reachable(program, f, calls);
    program.functions[f].needs_order =
        std::any_of(seen.begin(), seen.end(), [&](std::uint32_t g) { return ordered[g]; });
    program.functions[f].meets_finely = std::any_of(seen.begin(), seen.end(), [&](std::uint32_t g) { return fine[g]; });
  }
}

/// Offsets of the shared variables that kernels and functions may name. Variables of dynamic size start where the
/// static ones end.
void add_shared_names(const ptx::Module& module, const SharedLayout& shared,
                      const std::vector<const ptx::Function*>& sources, ProgramNames& names) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto add = [&](const ptx::Variable& variable) {
      if (variable.space != ptx::Space::shared) return;
      if (shared.is_dynamic(variable.name))
        names[i].dynamic_shared.push_back(variable.name);
      else if (const std::uint32_t* offset = shared.find(sources[i]->name, variable.name))
        names[i].shared[variable.name] = *offset;
    };
    for (const ptx::Variable& variable : module.variables) add(variable);
    for (const ptx::Variable& variable : sources[i]->variables) add(variable);
  }
}

/// A kernel's parameters may take 4352 bytes, from PTX 8.1 on 32,764 (so says ptxas 13.0).
void check_parameters(const ptx::Module& module, const Function& kernel) {
  const bool large = module.version_major > 8 || (module.version_major == 8 && module.version_minor >= 1);
  const std::uint32_t most = large ? 32764 : 4352;
  if (kernel.parameter_bytes <= most) return;
  throw DecodeError("kernel '" + kernel.name + "' has " + std::to_string(kernel.parameter_bytes) +
                    " bytes of parameters; it may have " + std::to_string(most) +
                    (large ? "" : ", and more from PTX 8.1 on"));
}

}  // namespace

const Function* Program::find(const std::string& name) const {
  const auto found = function_index.find(name);
  return found == function_index.end() ? nullptr : &functions[found->second];
}

std::optional<std::uint64_t> Program::function_address(const std::string& name) const {
  const auto found = function_index.find(name);
  if (found == function_index.end()) return std::nullopt;
  return kCodeBase + 16 * std::uint64_t{found->second};
}

std::unique_ptr<Program> decode(const ptx::Module& written, const SymbolAddress& address_of, const HandlerSet& handlers,
                                const DecodeOptions& options) {
  return decode(written, address_of, handlers, options, nullptr);
}

std::unique_ptr<Program> decode(const ptx::Module& written, const SymbolAddress& address_of, const HandlerSet& handlers,
                                const DecodeOptions& options, ProgramNames* names) {
  if (options.judges) check_module(written);
  const std::optional<ptx::Module> lowered = without_call_registers(written);
  const ptx::Module& module = lowered ? *lowered : written;
  auto program = std::make_unique<Program>();
  program->files = module.files;
  const SharedLayout shared(module, options.only);
  std::map<std::string, FrameLayout> frames;
  std::vector<const ptx::Function*> sources;
  for (const ptx::Function& source : module.functions) {
    if (!source.defined || !options.wants(source.name)) continue;
    Function function;
    function.name = source.name;
    function.entry = source.entry;
    function.defined = true;
    function.source = source.source;
    FrameLayout frame = frame_layout(source);
    function.local_bytes = frame.bytes;
    function.returns = frame.returns;
    if (source.entry) {
      function.parameters = place(source.parameters, function.parameter_bytes);
      function.shared_bytes = shared.bytes(source.name);
      check_parameters(module, function);
    } else {
      function.parameters = frame.parameters;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const auto& bound = source.required_threads[axis] ? source.required_threads[axis] : source.max_threads[axis];
      function.max_threads[static_cast<std::size_t>(axis)] = bound.value_or(0);
    }
    function.min_blocks = source.min_blocks.value_or(0);
    for (int axis = 0; axis < 3; ++axis)
      function.cluster[static_cast<std::size_t>(axis)] =
          source.required_cluster[axis].value_or(source.required_cluster[0] ? 1 : 0);
    program->function_index[source.name] = static_cast<std::uint32_t>(program->functions.size());
    program->functions.push_back(std::move(function));
    frames[source.name] = std::move(frame);
    sources.push_back(&source);
  }
  ModuleContext context{module, address_of, handlers, shared, frames, options, *program, names, {}};
  for (std::uint32_t i = 0; i < sources.size(); ++i) FunctionDecoder(context, *sources[i], i).decode();
  if (names != nullptr) add_shared_names(module, shared, sources, *names);
  const auto kernels = std::count_if(sources.begin(), sources.end(), [](const auto* source) { return source->entry; });
  if (kernels != 0 && static_cast<std::size_t>(kernels) == context.certain.size())
    throw DecodeError(context.certain.begin()->second);
  find_stack_needs(*program);
  find_order_needs(*program);
  find_outside_waits(*program);
  return program;
}

}  // namespace warpbook::simulator
