// From statements to operations: control flow, blocks and calls. operand_lowering.cpp lowers the operands.
#include "common/simulator/kernel/function_decoder.h"

#include <algorithm>

#include "common/simulator/kernel/module_rules.h"
#include "common/simulator/kernel/operand_types.h"
#include "common/simulator/ptx/group_products.h"
#include "common/simulator/ptx/operand_refusals.h"
#include "common/simulator/ptx/refusals.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

bool is_barrier(OperationId id) {
  switch (id) {
    case OperationId::bar_sync:
    case OperationId::bar_arrive:
    case OperationId::bar_red_popc:
    case OperationId::bar_red_pred:
    case OperationId::barrier_sync:
    case OperationId::barrier_arrive:
    case OperationId::barrier_red_popc:
    case OperationId::barrier_red_pred:
    case OperationId::bar_warp_sync:
    case OperationId::barrier_cluster_arrive:
    case OperationId::barrier_cluster_wait:
      return true;
    default:
      return false;
  }
}

/// Accesses memory that other threads may access.
bool accesses_memory(const ptx::Match& match) {
  if (ptx::row(match.id).pipe != ptx::Pipe::lsu) return false;
  switch (match.modifiers.space) {
    case ptx::Space::shared:
    case ptx::Space::global:
    case ptx::Space::generic:
      return true;
    default:
      return false;
  }
}

SystemCall system_call(const std::string& name) {
  if (name == "vprintf") return SystemCall::vprintf;
  if (name == "malloc") return SystemCall::malloc;
  if (name == "free") return SystemCall::free;
  if (name == "__assertfail") return SystemCall::assertfail;
  return SystemCall::unknown;
}

/// The names that nvcc 13 calls for the CUDA device runtime. They are looked up when they are executed.
bool is_device_runtime(const std::string& name) {
  return name.rfind("__cudaCDP2", 0) == 0 || name.rfind("cudaGraph", 0) == 0;
}

[[noreturn]] void refuse(const ptx::Instruction& instruction, const std::string& why) {
  throw DecodeError("ptx line " + std::to_string(instruction.ptx_line) + ": '" + instruction.spelling() +
                    "' is no instruction: " + why);
}

}  // namespace

FunctionDecoder::FunctionDecoder(ModuleContext& context, const ptx::Function& source, std::uint32_t function_index)
    : context_(context),
      source_(source),
      index_(function_index),
      names_(source),
      frame_(context.frames.at(source.name)) {}

void FunctionDecoder::decode() {
  Program& program = context_.program;
  collect();
  const FlowGraph graph(flows());
  graph_ = &graph;
  assign_registers();
  temporaries_ = slots_.bytes;
  presets_.start_at(temporaries_ + 8 * 128 + 8 * 256);

  Function& function = program.functions[index_];
  function.begin = static_cast<std::uint32_t>(program.operations.size());
  const std::size_t first_list = program.lists.size();
  for (const BasicBlock& block : graph.blocks()) emit_block(block);
  patch();
  function.end = static_cast<std::uint32_t>(program.operations.size());
  function.presets = presets_.presets();
  function.register_bytes = presets_.bytes() + constant_bytes_;
  function.declared_registers = slots_.pressure;
  for (std::uint32_t name : slots_.live_at_entry) {
    function.cleared.push_back({slots_.offset[name], slot_bytes(names_.classes()[name])});
  }
  make_code(first_list);
  make_linear(first_list);
  if (context_.names != nullptr) note_names();
}

/// Each register has a slot of its own, which keeps the last value written.
void FunctionDecoder::give_own_slots() {
  std::uint32_t offset = 0;
  slots_.live_at_entry.clear();
  for (std::uint32_t name = 0; name < names_.classes().size(); ++name) {
    slots_.offset[name] = offset;
    offset += slot_bytes(names_.classes()[name]);
    slots_.live_at_entry.push_back(name);
  }
  slots_.bytes = offset;
}

void FunctionDecoder::note_names() {
  FunctionNames& names = context_.names->emplace_back();
  const auto add = [&](const std::string& name, ptx::Type type) {
    if (const auto found = names_.find(name)) names.registers.push_back({name, slots_.offset[*found], type});
  };
  for (const ptx::RegisterDeclaration& declared : source_.registers) {
    if (declared.count == 0) add(declared.name, declared.type);
    for (std::uint32_t i = 0; i < declared.count; ++i) add(declared.name + std::to_string(i), declared.type);
  }
  for (const auto& [name, offset] : frame_.offset) names.local[name] = offset;
  const Function& function = context_.program.functions[index_];
  for (std::size_t i = 0; source_.entry && i < source_.parameters.size(); ++i)
    names.parameters[source_.parameters[i].name] = function.parameters[i].offset;
}

/// The executed code has slots for launch constants after all others; the operations as written keep the slots that
/// they would share.
void FunctionDecoder::make_code(std::size_t first_list) {
  Program& program = context_.program;
  Function& function = program.functions[index_];
  const auto translate = [](Operation& operation, auto slot) {
    for (std::uint32_t* operand :
         {&operation.d, &operation.e, &operation.a, &operation.b, &operation.c, &operation.f, &operation.guard})
      *operand = slot(*operand);
  };
  const auto is_constant = [](std::uint32_t slot) { return slot >= kConstantSlots && slot != kNoOperand; };
  const auto own = [&](std::uint32_t slot) {
    return is_constant(slot) ? presets_.bytes() + (slot - kConstantSlots) : slot;
  };
  const auto shared = [&](std::uint32_t slot) { return is_constant(slot) ? shared_slot_.at(slot) : slot; };
  for (std::uint32_t i = function.begin; i < function.end; ++i) {
    Operation& written = program.operations[i];
    program.code_of.push_back(static_cast<std::uint32_t>(program.code.size()));
    const OperationDetail& detail = program.details[i];
    std::vector<Operation>& to = detail.once     ? function.once
                                 : detail.linear ? function.linear.operations
                                                 : program.code;
    translate(to.emplace_back(written), own);
    translate(written, shared);
  }
  for (std::size_t k = first_list; k < program.lists.size(); ++k) {
    program.operation_lists.push_back(shared(program.lists[k]));
    program.lists[k] = own(program.lists[k]);
  }
  for (const std::uint32_t branch : program.branches) {
    if (branch < function.begin) continue;
    Operation& operation = program.code[program.code_of[branch]];
    if (operation.b != kNoOperand) operation.b = program.code_of[operation.b];
    if (program.details[branch].id != OperationId::brx_idx)
      operation.immediate = program.code_of[static_cast<std::size_t>(operation.immediate)];
  }
}

void FunctionDecoder::assign_registers() {
  const std::vector<Access> access = accesses();
  slots_ = assign_slots(*graph_, access, names_.classes(), 0);
  if (context_.names != nullptr) give_own_slots();
  std::vector<InstructionKind> kinds;
  for (const Item& item : items_) kinds.push_back(kind_of(item));
  once_ = context_.names != nullptr
              ? std::vector<bool>(items_.size(), false)
              : find_launch_constants(kinds, access, slots_.live_at_entry, names_.classes().size());
  find_linear(access, kinds);
  constant_.assign(names_.classes().size(), false);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!once_[i] && !linear_.instructions[i]) continue;
    for (const std::uint32_t name : access[i].writes) constant_[name] = true;
  }
  constant_offset_.resize(constant_.size());
  for (std::uint32_t name = 0; name < constant_.size(); ++name) {
    if (!constant_[name]) continue;
    constant_offset_[name] = kConstantSlots + constant_bytes_;
    shared_slot_[constant_offset_[name]] = slots_.offset[name];
    constant_bytes_ += slot_bytes(names_.classes()[name]);
  }
}

InstructionKind FunctionDecoder::kind_of(const Item& item) const {
  InstructionKind kind;
  if (!item.match || item.call || item.skip_branch) return kind;
  kind.crosses_lanes = crosses_lanes(item.match->id);
  // A function's arguments differ from call to call. A guarded instruction leaves the old values of some lanes.
  if (!source_.entry || !item.problem.empty() || item.instruction->guard) return kind;
  const auto& operands = item.instruction->operands;
  kind.repeats = (is_pure(item.match->id) || item.match->id == OperationId::ld_param) &&
                 std::all_of(operands.begin(), operands.end(),
                             [&](const ptx::Operand& operand) { return is_launch_constant(item, operand); });
  return kind;
}

/// Registers that the function declares are not judged here: find_launch_constants() follows their values.
bool FunctionDecoder::is_launch_constant(const Item& item, const ptx::Operand& operand) const {
  if (!std::all_of(operand.elements.begin(), operand.elements.end(),
                   [&](const ptx::Operand& element) { return is_launch_constant(item, element); }))
    return false;
  if (operand.kind == ptx::Operand::Kind::address) {  // A load inside the kernel's own parameters cannot fail.
    const auto& parameters = source_.parameters;
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const auto& parameter) { return parameter.name == operand.name; });
    if (found == parameters.end() || frame_.offset.count(operand.name) != 0 || names_.find(operand.name)) return false;
    const Parameter& parameter =
        context_.program.functions[index_].parameters[static_cast<std::size_t>(found - parameters.begin())];
    const ptx::Modifiers& modifiers = item.match->modifiers;
    const std::int64_t bytes = std::int64_t{ptx::size_of(modifiers.types[0])} * modifiers.vector;
    return operand.addend >= 0 && operand.addend + bytes <= parameter.bytes &&
           (parameter.offset + operand.addend) % bytes == 0;
  }
  if (operand.kind != ptx::Operand::Kind::reg || names_.find(operand.name)) return true;
  if (clock_register(operand.name)) return false;
  const auto fixed = fixed_special_register(operand.name);
  return !fixed || !differs_by_block(*fixed);
}

void FunctionDecoder::collect() {
  for (const ptx::Statement& statement : source_.body) {
    if (const auto* mark = std::get_if<ptx::Label>(&statement.node)) {
      labels_[mark->name] = static_cast<std::uint32_t>(items_.size());
    } else {
      add(std::get<ptx::Instruction>(statement.node), statement.call ? &*statement.call : nullptr);
    }
  }
  // A body that ends without `ret` returns; so does a label at the very end.
  static const ptx::Instruction kReturn = [] {
    ptx::Instruction instruction;
    instruction.opcode = "ret";
    return instruction;
  }();
  const bool labelled_end =
      std::any_of(labels_.begin(), labels_.end(), [&](const auto& entry) { return entry.second == items_.size(); });
  const bool open = items_.empty() || items_.back().instruction->guard ||
                    (items_.back().instruction->opcode != "ret" && items_.back().instruction->opcode != "exit" &&
                     items_.back().instruction->opcode != "bra");
  if (open || labelled_end) add(kReturn, nullptr);
}

void FunctionDecoder::add(const ptx::Instruction& instruction, const ptx::Call* call) {
  if (instruction.guard && context_.options.judges) {
    const auto guard = names_.find(instruction.guard->name);
    if (!guard || names_.types()[*guard] != ptx::Type::pred)
      refuse(instruction, "its guard '" + instruction.guard->name + "' is no predicate");
  }
  Item item;
  item.instruction = &instruction;
  item.call = call;
  if (!call) {
    std::string nearest;
    item.match = ptx::match(instruction, &nearest);
    if (!item.match) {
      item.problem = ptx::elsewhere(instruction);
      const bool known = !item.problem.empty();
      if (!known) item.problem = nearest.empty() ? "unknown instruction" : nearest;
      if (!known && context_.options.judges) refuse(instruction, item.problem);
    }
    std::string refusal = item.match ? ptx::refusal(item.match->id, instruction) : std::string();
    if (item.match) {
      const std::string lacking = missing_for(*item.match, instruction, context_.module);
      if (!lacking.empty()) refusal = lacking;
    }
    if (item.match && refusal.empty() && context_.options.judges)
      refusal = missing_on_target(*item.match, context_.module);
    if (item.match && refusal.empty()) refusal = ptx::refused_operands(item.match->id, instruction);
    if (item.match && refusal.empty() && context_.options.judges)
      refusal = refused_types(*item.match, instruction, names_, context_.module);
    if (!refusal.empty()) refuse(instruction, refusal);
  }
  const bool splits = call || (item.match && (is_barrier(item.match->id) || item.match->id == OperationId::brx_idx));
  if (instruction.guard && splits) {
    Item skip;
    skip.instruction = &instruction;
    skip.skip_branch = true;
    items_.push_back(std::move(skip));
    item.drop_guard = true;
  }
  items_.push_back(std::move(item));
}

std::uint32_t FunctionDecoder::label(const ptx::Instruction& from, const std::string& name) const {
  const auto found = labels_.find(name);
  if (found == labels_.end()) refuse(from, "function " + source_.name + " has no label '" + name + "'");
  return found->second;
}

std::vector<Flow> FunctionDecoder::flows() {
  std::vector<Flow> flow(items_.size());
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.skip_branch) {
      flow[i].kind = Flow::Kind::branch;
      flow[i].conditional = true;
      flow[i].targets = {i + 2};
      continue;
    }
    if (!item.match) continue;
    flow[i].ends_block = context_.options.turns_end_at_accesses && accesses_memory(*item.match);
    const bool guarded = item.instruction->guard && !item.drop_guard;
    switch (item.match->id) {
      case OperationId::bra:
        flow[i].kind = Flow::Kind::branch;
        flow[i].conditional = guarded;
        flow[i].targets = {label(*item.instruction, item.instruction->operands.at(0).name)};
        break;
      case OperationId::brx_idx: {
        flow[i].kind = Flow::Kind::indexed_branch;
        const std::string& list = item.instruction->operands.at(1).name;
        const auto found = std::find_if(source_.target_lists.begin(), source_.target_lists.end(),
                                        [&](const ptx::TargetList& t) { return t.name == list; });
        if (found == source_.target_lists.end()) {
          refuse(*item.instruction, "function " + source_.name + " has no branch targets '" + list + "'");
        }
        for (const std::string& target : found->targets) flow[i].targets.push_back(label(*item.instruction, target));
        break;
      }
      case OperationId::ret:
      case OperationId::exit:
      case OperationId::trap:
        flow[i].kind = Flow::Kind::leave;
        flow[i].conditional = guarded;
        break;
      default:
        break;
    }
  }
  return flow;
}

void FunctionDecoder::collect_registers(const ptx::Operand& operand, std::vector<std::uint32_t>& names) const {
  if (operand.kind == ptx::Operand::Kind::reg || operand.kind == ptx::Operand::Kind::address) {
    if (const auto found = names_.find(operand.name)) names.push_back(*found);
  }
  for (const ptx::Operand& element : operand.elements) collect_registers(element, names);
}

std::vector<Access> FunctionDecoder::accesses() const {
  std::vector<Access> result(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    Access& access = result[i];
    access.guarded = item.instruction->guard.has_value() && !item.drop_guard;
    if (item.instruction->guard) collect_registers(*item.instruction->guard, access.reads);
    if (item.skip_branch) continue;
    if (item.call) {
      collect_registers(item.call->callee, access.reads);
      continue;
    }
    if (!item.match) continue;
    const auto& shapes = ptx::shapes(item.match->id);
    for (std::size_t k = 0; k < item.instruction->operands.size(); ++k) {
      const bool output = k < shapes.size() && shapes[k].output;
      collect_registers(item.instruction->operands[k], output ? access.writes : access.reads);
      if (k == 0 && ptx::is_group_product(item.match->id))
        collect_registers(item.instruction->operands[0], access.reads);
    }
  }
  return result;
}

void FunctionDecoder::emit_block(const BasicBlock& block) {
  Program& program = context_.program;
  const std::uint32_t number = static_cast<std::uint32_t>(program.blocks.size());
  block_start_.push_back(static_cast<std::uint32_t>(program.operations.size()));
  Operation entry;
  entry.handler = context_.handlers.block_entry;
  entry.block = number;
  append(entry, items_[block.begin], true);
  program.blocks.push_back({block_start_.back(), 0});
  for (std::uint32_t i = block.begin; i < block.end; ++i) emit(items_[i]);
  program.blocks.back().end = static_cast<std::uint32_t>(program.operations.size());
  // Instructions are counted where the block begins, and anew after each reading of a clock, which shows those before
  // it.
  std::uint32_t* count = &program.operations[block_start_.back()].b;
  std::uint32_t from = block.begin;
  for (const auto& [operation, at] : clock_readings_) {
    *count = at - from;
    count = &program.operations[operation].memory;
    from = at;
  }
  *count = block.end - from;
  clock_readings_.clear();
}

void FunctionDecoder::append(Operation operation, const Item& item, bool internal) {
  Program& program = context_.program;
  operation.index = static_cast<std::uint32_t>(program.operations.size());
  OperationDetail detail;
  detail.internal = internal;
  detail.once = emits_once_ && operation.handler != context_.handlers.unsupported;
  detail.linear = emits_linear_ && operation.handler != context_.handlers.unsupported;
  detail.function = index_;
  detail.source = item.instruction->source;
  detail.ptx_line = item.instruction->ptx_line;
  if (item.match) {
    detail.id = item.match->id;
    detail.modifiers = item.match->modifiers;
    if (!internal) detail.pipe = ptx::row(detail.id).pipe;
  } else if (item.call || item.skip_branch) {
    detail.id = item.call ? OperationId::call : OperationId::bra;
    detail.pipe = internal ? ptx::Pipe::none : ptx::Pipe::branch;
  }
  if (!internal) detail.spelling = item.instruction->spelling();
  program.operations.push_back(operation);
  program.details.push_back(std::move(detail));
}

void FunctionDecoder::fail(Operation& operation, const Item& item, const std::string& problem) {
  Program& program = context_.program;
  operation = Operation{};
  operation.handler = context_.handlers.unsupported;
  operation.immediate = static_cast<std::int64_t>(program.messages.size());
  std::string message = "`";
  message += item.instruction->spelling();
  message += "` is not supported by the virtual GPU: ";
  message += problem;
  // All threads execute the first block of a kernel.
  const bool certain = source_.entry && !item.instruction->guard && block_start_.size() == 1;
  if (certain)
    context_.certain.try_emplace(index_, "ptx line " + std::to_string(item.instruction->ptx_line) + ": " + message);
  program.messages.push_back(std::move(message));
}

void FunctionDecoder::refuse_or_fail(Operation& operation, const Item& item, const std::string& problem) {
  if (context_.options.judges) refuse(*item.instruction, problem);
  fail(operation, item, problem);
}

void FunctionDecoder::emit(const Item& item) {
  const std::uint32_t position = static_cast<std::uint32_t>(&item - items_.data());
  narrow_used_ = wide_used_ = 0;
  after_.clear();
  emits_once_ = once_[position];
  emits_linear_ = linear_.instructions[position];
  Operation operation;
  if (!item.problem.empty()) {
    fail(operation, item, item.problem);
  } else if (item.skip_branch) {
    emit_flow(item, position, operation);
  } else if (item.call) {
    emit_call(item, operation);
  } else {
    switch (item.match->id) {
      case OperationId::bra:
      case OperationId::brx_idx:
      case OperationId::ret:
      case OperationId::exit:
        emit_flow(item, position, operation);
        break;
      default:
        emit_plain(item, operation);
    }
  }
  const bool guarded = item.instruction->guard && !item.drop_guard && operation.handler != context_.handlers.branch;
  const auto wrap = [&](Operation& op) {
    op.guarded = op.handler;
    op.handler = context_.handlers.guard;
    op.guard = guard_of(*item.instruction->guard, op);
  };
  if (guarded) wrap(operation);
  append(operation, item);
  for (Operation& op : after_) {
    if (guarded) wrap(op);
    append(op, item, true);
  }
  emits_once_ = emits_linear_ = false;
}

void FunctionDecoder::emit_flow(const Item& item, std::uint32_t position, Operation& operation) {
  Program& program = context_.program;
  // Lowering an operand may emit operations first, so ask for our own position only when it is needed.
  const auto here = [&] { return static_cast<std::uint32_t>(program.operations.size()); };
  const auto reconverge = [&] {
    operation.b = kNoOperand;
    const std::int32_t meet = graph_->blocks()[graph_->block_of(position)].reconvergence;
    if (meet >= 0) reconvergences_.emplace_back(here(), static_cast<std::uint32_t>(meet));
    operation.branch = static_cast<std::uint32_t>(program.branches.size());
    program.branches.push_back(here());
  };
  if (item.skip_branch || item.match->id == OperationId::bra) {
    operation.handler = context_.handlers.branch;
    const std::uint32_t target =
        item.skip_branch ? position + 2 : label(*item.instruction, item.instruction->operands.at(0).name);
    branch_targets_.emplace_back(here(), graph_->block_of(target));
    if (item.instruction->guard) operation.guard = guard_of(*item.instruction->guard, operation);
    if (item.skip_branch) operation.flags.turn_guard_round();
    reconverge();
  } else if (item.match->id == OperationId::brx_idx) {
    operation.handler = context_.handlers.indexed_branch;
    operation.a = input(item, item.instruction->operands.at(0), ptx::Type::u32, operation, 0);
    operation.immediate = static_cast<std::int64_t>(program.jump_tables.size());
    program.jump_tables.emplace_back();
    const std::string& list = item.instruction->operands.at(1).name;
    for (const ptx::TargetList& targets : source_.target_lists) {
      if (targets.name != list) continue;
      for (const std::string& target : targets.targets) {
        program.jump_tables.back().push_back(
            graph_->block_of(label(*item.instruction, target)));  // Patched to an operation.
      }
    }
    jump_tables_.push_back(static_cast<std::uint32_t>(operation.immediate));
    reconverge();
  } else {
    operation.handler =
        item.match->id == OperationId::ret && !source_.entry ? context_.handlers.ret : context_.handlers.exit;
  }
}

void FunctionDecoder::emit_call(const Item& item, Operation& operation) {
  Program& program = context_.program;
  const ptx::Call& call = *item.call;
  CallSite site;
  std::vector<Parameter> parameters, returns;
  site.name = call.callee.name;
  const ptx::Function* callee = nullptr;
  for (const ptx::Function& function : context_.module.functions) {
    if (function.name == call.callee.name && (!callee || function.defined)) callee = &function;
  }
  if (call.callee.kind == ptx::Operand::Kind::reg) {
    const auto prototype = std::find_if(source_.prototypes.begin(), source_.prototypes.end(),
                                        [&](const ptx::Prototype& p) { return p.name == call.prototype; });
    if (prototype == source_.prototypes.end()) {
      fail(operation, item, "an indirect call needs a .callprototype");
      return;
    }
    std::uint32_t offset = 0;
    parameters = place(prototype->parameters, offset);
    returns = place(prototype->returns, offset);
    operation.handler = context_.handlers.indirect_call;
    operation.a = input(item, call.callee, ptx::Type::u64, operation, 0);
  } else if (callee && callee->defined && callee->entry) {
    fail(operation, item, "the kernel " + call.callee.name + " is called as a function");
    return;
  } else if (callee && callee->defined) {
    const FrameLayout& layout = context_.frames.at(callee->name);
    parameters = layout.parameters;
    returns = layout.returns;
    site.function = static_cast<std::int32_t>(program.function_index.at(callee->name));
    operation.handler = context_.handlers.call;
  } else {
    std::uint32_t offset = 0;
    if (callee) {
      parameters = place(callee->parameters, offset);
      returns = place(callee->returns, offset);
    }
    site.system = system_call(call.callee.name);
    if ((site.system == SystemCall::unknown && !is_device_runtime(call.callee.name)) || !callee) {
      fail(operation, item, "function " + call.callee.name + " is not defined in this module");
      return;
    }
    operation.handler = context_.handlers.system_call;
  }
  const auto copies = [&](const std::vector<ptx::Operand>& actual, const std::vector<Parameter>& formal, bool in) {
    std::vector<CallSite::Copy> result;
    for (std::size_t i = 0; i < actual.size() && i < formal.size(); ++i) {
      const auto found = frame_.offset.find(actual[i].name);
      if (found == frame_.offset.end()) {
        throw DecodeError("call of " + call.callee.name + " in " + source_.name + " passes " + actual[i].name +
                          ", which is not a .param variable");
      }
      const std::uint32_t from = in ? found->second : formal[i].offset;
      const std::uint32_t to = in ? formal[i].offset : found->second;
      if (formal[i].bytes > frame_.bytes - found->second) {
        throw DecodeError("call of " + call.callee.name + " in " + source_.name + " passes " + actual[i].name +
                          " for " + std::to_string(formal[i].bytes) + " bytes: it has fewer");
      }
      result.push_back({from, to, formal[i].bytes});
    }
    return result;
  };
  site.arguments = copies(call.arguments, parameters, true);
  site.returns = copies(call.returns, returns, false);
  operation.immediate = static_cast<std::int64_t>(program.calls.size());
  program.calls.push_back(std::move(site));
}

void FunctionDecoder::patch() {
  Program& program = context_.program;
  for (const auto& [operation, block] : branch_targets_) program.operations[operation].immediate = block_start_[block];
  for (const auto& [operation, block] : reconvergences_) program.operations[operation].b = block_start_[block];
  for (std::uint32_t table : jump_tables_) {
    for (std::uint32_t& entry : program.jump_tables[table]) entry = block_start_[entry];
  }
}

}  // namespace warpbook::simulator
