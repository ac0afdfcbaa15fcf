// From the row of an operation to its rule for undefined bits.
#include <algorithm>

#include "common/simulator/machine/control.h"
#include "common/simulator/machine/taint_control.h"
#include "common/simulator/machine/taint_rule.h"
#include "common/simulator/ptx/operation_shapes.h"

namespace warpbook::simulator {
namespace {

using Kind = TaintRule::Kind;
using ptx::OperationId;
using ptx::Shape;
using ptx::Type;

bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }
bool is_pair(Type type) { return type == Type::u16x2 || type == Type::s16x2; }

std::uint8_t size_of(Shape shape, Type fixed, const ptx::Modifiers& modifiers) {
  const auto bytes = [](Type type) {
    return type == Type::pred ? TaintRule::kPredicate : static_cast<std::uint8_t>(ptx::size_of(type));
  };
  switch (shape) {
    case Shape::type1:
      return bytes(modifiers.types[1]);
    case Shape::type2:
      return bytes(modifiers.types[2]);
    case Shape::wide:
      return static_cast<std::uint8_t>(2 * ptx::size_of(modifiers.types[0]));
    case Shape::fixed:
      return bytes(fixed);
    case Shape::predicate:
      return TaintRule::kPredicate;
    case Shape::place:
      return 8;
    default:
      return bytes(modifiers.types[0]);
  }
}

/// The operands of the row, in the fields where the decoder puts them.
void describe_operands(const Operation& operation, const OperationDetail& detail, TaintRule& rule) {
  std::size_t out = 0, in = 0;
  for (const ptx::OperandShape& shape : ptx::shapes(detail.id)) {
    if (shape.shape == Shape::immediate || shape.shape == Shape::label) continue;
    const bool vector = shape.shape == Shape::vector;
    std::uint8_t size = size_of(vector ? shape.element : shape.shape, shape.fixed, detail.modifiers);
    if (shape.shape == Shape::address) size = 0;  // Treated as an address.
    if (shape.shape == Shape::image) {            // A handle and a list of coordinates.
      in += 2;
      continue;
    }
    if (vector && shape.element == Shape::any) size = static_cast<std::uint8_t>(size / operation.count);
    rule.list = rule.list || (shape.output && vector && operation.count > 1);
    if (!shape.output) {
      if (in < rule.inputs.size()) rule.inputs[in++] = size;
      continue;
    }
    if (out < rule.outputs.size()) rule.outputs[out++] = size;
    if (shape.pair && out < rule.outputs.size())
      rule.outputs[out++] = size_of(shape.second, shape.second_fixed, detail.modifiers);
  }
}

Kind kind_of(const Operation& operation, const OperationDetail& detail, TaintRule& rule) {
  const ptx::Modifiers& m = detail.modifiers;
  if (ptx::is_atomic(detail.id)) {
    rule.exchanges = m.atomic == ptx::AtomicOp::exch;
    return Kind::atomic;
  }
  const Type type = m.types[0];
  rule.sign = is_signed(type);
  switch (detail.id) {
    case OperationId::mov:
    case OperationId::mov_pred:
      return Kind::same;
    case OperationId::mov_pack:
      return Kind::pack;
    case OperationId::mov_unpack:
      return Kind::unpack;
    case OperationId::selp:
      return Kind::select;
    case OperationId::and_pred:
    case OperationId::and_bits:
      rule.table = 0xc0;
      return Kind::logic;
    case OperationId::or_pred:
    case OperationId::or_bits:
      rule.table = 0xfc;
      return Kind::logic;
    case OperationId::xor_pred:
    case OperationId::xor_bits:
      rule.table = 0x3c;
      return Kind::logic;
    case OperationId::not_pred:
    case OperationId::not_bits:
      return Kind::same;
    case OperationId::lop3:
      rule.table = static_cast<std::uint8_t>(operation.immediate);
      return Kind::logic;
    case OperationId::shl:
      return Kind::shift_left;
    case OperationId::shr:
      return Kind::shift_right;
    case OperationId::shf:
      return Kind::funnel;
    case OperationId::bfe:
      return Kind::extract;
    case OperationId::bfi:
      return Kind::insert;
    case OperationId::prmt:
      return m.mode == ptx::Mode::none ? Kind::permute : Kind::any;
    case OperationId::add_integer:
    case OperationId::mul_integer:
    case OperationId::mad_integer:
    case OperationId::neg_integer:
      rule.sign = false;
      return is_pair(type) || m.half == ptx::Half::hi ? Kind::any : Kind::upwards;
    case OperationId::sub_integer:
      rule.sign = true;
      return is_pair(type) ? Kind::any : Kind::upwards;
    case OperationId::mul_wide:
    case OperationId::mad_wide:
    case OperationId::cvta:
    case OperationId::cvta_to:
      rule.sign = false;
      return Kind::upwards;
    case OperationId::add_cc:
    case OperationId::sub_cc:
    case OperationId::mad_cc:
      rule.carry_out = true;
      return Kind::any;
    case OperationId::addc:
    case OperationId::subc:
    case OperationId::madc:
      rule.carry_in = true;
      rule.carry_out = m.cc;
      return Kind::any;
    case OperationId::cvt_integer:
      rule.sign = is_signed(m.types[1]);
      return m.sat ? Kind::any : Kind::extend;
    case OperationId::setp_integer:
    case OperationId::setp_integer_bool:
      rule.sign = true;
      return Kind::compare;
    case OperationId::setp_floating:
    case OperationId::setp_floating_bool:
      rule.sign = false;
      return Kind::compare;
    case OperationId::shfl:
    case OperationId::shfl_sync:
      return Kind::shuffle;
    case OperationId::vote:
    case OperationId::vote_sync:
      return Kind::vote;
    case OperationId::vote_ballot:
    case OperationId::vote_sync_ballot:
      return Kind::ballot;
    case OperationId::match_any_sync:
    case OperationId::match_all_sync:
    case OperationId::redux_sync_arithmetic:
    case OperationId::redux_sync_logic:
    case OperationId::redux_sync_floating:
      return Kind::among_lanes;
    case OperationId::activemask:
    case OperationId::elect_sync:
    case OperationId::clusterlaunchcontrol_is_canceled:
    case OperationId::clusterlaunchcontrol_get_first_ctaid:
    case OperationId::clusterlaunchcontrol_get_first_ctaids:
      return Kind::defined;
    case OperationId::ld:
    case OperationId::ldu:
    case OperationId::ld_param:
      return operation.space == ptx::Space::param || operation.space == ptx::Space::constant ? Kind::defined
                                                                                             : Kind::load;
    case OperationId::st:
    case OperationId::st_param:
      return Kind::store;
    case OperationId::cp_async:
    case OperationId::cp_async_cache_hint:
      return Kind::copy;
    case OperationId::bra:
      return Kind::branch;
    case OperationId::brx_idx:
      return Kind::indexed_branch;
    case OperationId::bar_red_popc:
    case OperationId::bar_red_pred:
    case OperationId::barrier_red_popc:
    case OperationId::barrier_red_pred:
      return Kind::block_vote;
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case OperationId::id:
#include "common/simulator/ptx/operations/matrix.def"
#undef WB_OPERATION
      return Kind::matrix;
#define WB_OPERATION(id, opcode, modifiers, operands, pipe) case OperationId::id:
#include "common/simulator/ptx/operations/image.def"
#undef WB_OPERATION
      return Kind::image;
    default:
      return rule.outputs[0] != 0 || rule.outputs[1] != 0 ? Kind::any : Kind::none;
  }
}

/// Operations added by the decoder: moves between slots of 4 and 8 bytes, and clocks.
Kind kind_of_internal(const Operation& operation, Handler handler, TaintRule& rule) {
  const HandlerSet& handlers = handler_set();
  rule.inputs = {};
  rule.outputs = {};
  if (handler == handlers.read_clock) {
    rule.outputs[0] = operation.count == 8 ? 8 : 4;
    return Kind::defined;
  }
  const bool widens = handler == handlers.widen_signed || handler == handlers.widen_unsigned;
  if (operation.b != kNoOperand && operation.d != kNoOperand) {  // The displacement of an address among several.
    rule.inputs[0] = rule.inputs[1] = 8;
    rule.outputs[0] = 8;
    rule.sign = false;
    return Kind::upwards;
  }
  if (!widens && handler != handlers.narrow) return Kind::none;
  rule.inputs[0] = widens ? 4 : 8;
  rule.outputs[0] = widens ? 8 : 4;
  rule.sign = handler == handlers.widen_signed;
  return Kind::extend;
}

/// Control flow by handler: a call and the branch around it have the same row.
Kind kind_of_control(Handler handler) {
  const HandlerSet& handlers = handler_set();
  if (handler == handlers.branch) return Kind::branch;
  if (handler == handlers.indexed_branch) return Kind::indexed_branch;
  if (handler == handlers.call) return Kind::call;
  if (handler == handlers.indirect_call) return Kind::indirect_call;
  if (handler == handlers.system_call) return Kind::system_call;
  if (handler == handlers.ret) return Kind::ret;
  return Kind::none;
}

void describe(const Operation& operation, const OperationDetail& detail, Handler original, TaintRule& rule) {
  if (detail.internal) {
    rule.kind = kind_of_internal(operation, original, rule);
    return;
  }
  rule.kind = kind_of_control(original);
  if (rule.kind != Kind::none) return;
  describe_operands(operation, detail, rule);
  rule.kind = kind_of(operation, detail, rule);
  rule.element = static_cast<std::uint8_t>(ptx::size_of(detail.modifiers.types[0]));
  if (detail.modifiers.types[0] == Type::b128) rule.element = 8;  // Two halves.
  // The second predicate of a pair; without it there is one output.
  if (operation.e == kNoOperand) rule.outputs[1] = 0;
  const bool cached = detail.id == OperationId::cp_async_cache_hint;
  if (cached) rule.inputs[2] = 0;  // A policy, not a size.
}

}  // namespace

void follow_undefined(Program& program) {
  const HandlerSet& handlers = handler_set();
  program.taint_rules = std::make_shared<TaintRule[]>(program.operations.size());
  for (Operation& operation : program.code) {
    const OperationDetail& detail = program.details[operation.index];
    TaintRule& rule = program.taint_rules[operation.index];
    const std::uint32_t registers = program.functions[detail.function].register_bytes;
    rule.shadow = shadow_offset(registers);
    rule.origins = origins_offset(registers);
    const bool guarded = operation.guarded != nullptr;
    Handler& handler = guarded ? operation.guarded : operation.handler;
    if (handler == handlers.unsupported) continue;
    if (guarded) operation.handler = tainting_guard();
    describe(operation, detail, handler, rule);
    const bool unguarded_branch = rule.kind == Kind::branch && operation.guard == kNoOperand;
    if (rule.kind == Kind::none || unguarded_branch) continue;
    rule.handler = handler;
    handler = tainting_handler(rule.kind);
  }
}

}  // namespace warpbook::simulator
