// Decodes one function: matches rows, builds the control-flow graph, assigns slots to registers and emits operations.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/kernel/block_linear.h"
#include "common/simulator/kernel/flow_graph.h"
#include "common/simulator/kernel/launch_constants.h"
#include "common/simulator/kernel/layout.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/kernel/program_names.h"
#include "common/simulator/kernel/registers.h"
#include "common/simulator/kernel/video_parts.h"
#include "common/simulator/ptx/operation_shapes.h"

namespace warpbook::simulator {

/// What the functions of a module share while they are decoded.
struct ModuleContext {
  const ptx::Module& module;
  const SymbolAddress& address_of;
  const HandlerSet& handlers;
  const SharedLayout& shared;
  const std::map<std::string, FrameLayout>& frames;
  const DecodeOptions& options;
  Program& program;
  ProgramNames* names = nullptr;  ///< If set: receives the names, and then no two registers share a slot.
  std::map<std::uint32_t, std::string> certain;  ///< Kernels that cannot run, and the message: every thread of theirs
                                                 ///< reaches it.
};

class FunctionDecoder {
 public:
  FunctionDecoder(ModuleContext& context, const ptx::Function& source, std::uint32_t function_index);
  void decode();

 private:
  /// An instruction to decode, or a branch that the decoder puts in front of a guarded call or barrier.
  struct Item {
    const ptx::Instruction* instruction = nullptr;
    const ptx::Call* call = nullptr;
    std::optional<ptx::Match> match;
    std::string problem;       ///< Why it cannot run; empty if it can.
    bool skip_branch = false;  ///< Branches over the next item for lanes that fail its guard.
    bool drop_guard = false;   ///< The skip branch before it replaces its guard.
  };

  void collect();
  void add(const ptx::Instruction& instruction, const ptx::Call* call);
  std::vector<Flow> flows();
  std::vector<Access> accesses() const;
  InstructionKind kind_of(const Item& item) const;
  LinearForm linear_form(const Item& item) const;
  std::optional<LinearForm::Operand> linear_operand(const ptx::Operand& operand, ptx::Type type) const;
  bool is_same_for_all(const ptx::Operand& operand) const;
  void give_pattern(const Item& item, Operation& operation);
  void find_linear(const std::vector<Access>& access, const std::vector<InstructionKind>& kinds);
  void make_linear(std::size_t first_list);
  bool is_launch_constant(const Item& item, const ptx::Operand& operand) const;
  void assign_registers();
  void give_own_slots();
  void note_names();
  /// A debugger looks at registers and must find them as in the PTX.
  bool keeps_addresses() const { return context_.names != nullptr; }
  void collect_registers(const ptx::Operand& operand, std::vector<std::uint32_t>& names) const;
  void emit_block(const BasicBlock& block);
  void emit(const Item& item);
  /// The parts that a video instruction's operands name. @throws DecodeError for parts in any other instruction
  VideoParts parts_of(const Item& item) const;
  void emit_plain(const Item& item, Operation& operation);
  void emit_operands(const Item& item, Operation& operation);
  void emit_call(const Item& item, Operation& operation);
  void emit_flow(const Item& item, std::uint32_t position, Operation& operation);
  void append(Operation operation, const Item& item, bool internal = false);
  void fail(Operation& operation, const Item& item, const std::string& problem);
  /// @throws DecodeError where this decoder judges, as an assembler would
  void refuse_or_fail(Operation& operation, const Item& item, const std::string& problem);
  void patch();
  void make_code(std::size_t first_list);

  std::uint32_t input(const Item& item, const ptx::Operand& operand, ptx::Type type, Operation& operation,
                      unsigned place);
  std::uint32_t output(const Item& item, const ptx::Operand& operand, ptx::Type type);
  std::uint32_t predicate_input(const ptx::Operand& operand, Operation& operation, unsigned place);
  std::uint32_t predicate_slot(const ptx::Operand& operand);
  std::uint32_t guard_of(const ptx::Operand& guard, Operation& operation);
  std::uint32_t symbol(const std::string& name, std::int64_t addend, unsigned bytes);
  void address(const Item& item, const ptx::Operand& operand, Operation& operation, unsigned place);
  void image(const Item& item, const ptx::Operand& operand, Operation& operation);
  std::uint32_t place_address(const Item& item, const ptx::Operand& operand, Operation& operation);
  std::uint32_t active_lanes(const Item& item);
  bool skips_source(const Item& item, std::size_t k) const;
  std::uint32_t size_unless(const Item& item, const ptx::Operand& ignores);
  std::uint32_t temporary(unsigned bytes);
  std::uint32_t register_slot(const std::string& name, RegisterClass* found);
  std::uint32_t label(const ptx::Instruction& from, const std::string& name) const;

  ModuleContext& context_;
  const ptx::Function& source_;
  std::uint32_t index_;
  RegisterNames names_;
  const FrameLayout& frame_;
  PresetSlots presets_;
  SlotAssignment slots_;
  std::vector<Item> items_;
  std::vector<bool> once_;      ///< Items with the same result in every block.
  BlockLinear linear_;          ///< Items that are linear in the block index.
  std::vector<bool> constant_;  ///< The registers that items of either kind write.
  /// Provisional slots of these registers, which share them with no other; moved once the end of all others is known.
  static constexpr std::uint32_t kConstantSlots = 1u << 24;
  std::vector<std::uint32_t> constant_offset_;          ///< Of each of these registers.
  std::map<std::uint32_t, std::uint32_t> shared_slot_;  ///< By that offset: the slot that it would have had.
  std::uint32_t constant_bytes_ = 0;
  bool emits_once_ = false;                         ///< The operations being emitted belong to such an item,
  bool emits_linear_ = false;                       ///< or to one that is linear.
  std::map<std::uint32_t, std::uint32_t> origins_;  ///< Index into LinearPart::origins by register.
  std::map<std::string, std::uint32_t> labels_;     ///< Item index by label.
  std::vector<std::uint32_t> block_start_;          ///< Operation index of each basic block's entry.
  /// Of the basic block that is being emitted: the operations that read clocks, and the items which they belong to.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> clock_readings_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branch_targets_;  ///< Operation and block; filled in at the end.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reconvergences_;
  std::vector<std::uint32_t> jump_tables_;  ///< Tables that still hold block numbers.
  std::vector<Operation> after_;            ///< Widening moves to append after the current operation.
  std::uint32_t temporaries_ = 0;           ///< Offset of the scratch slots.
  unsigned narrow_used_ = 0, wide_used_ = 0;
  const FlowGraph* graph_ = nullptr;
};

}  // namespace warpbook::simulator
