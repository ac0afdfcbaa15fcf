// Walks a program once in its order, tracking what is known about each register slot.
#include "common/simulator/model/machine_code.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "common/simulator/model/operands.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

using ptx::AtomicOp;
using ptx::OperationId;
using ptx::Pipe;
using ptx::Space;
using ptx::Type;

bool divides(OperationId id) { return id == OperationId::div_integer || id == OperationId::rem; }

/// What is known about the value in a slot.
struct Known {
  unsigned zeros = 0;    ///< Number of lowest bits that are zero.
  bool uniform = false;  ///< The same value in all lanes of a warp.
  bool constant = false;
  std::uint64_t value = 0;  ///< Of a constant.
};

class Walk {
 public:
  Walk(const ModelConstants& model, const KernelWork& work)
      : model_(model), work_(work), program_(work.program), function_(work.function) {
    const std::size_t operations = program_.operations.size();
    code_.costs.resize(1);
    code_.place.assign(operations, 0);
    code_.loads.assign(operations, 1);
    code_.one_lane.assign(operations, 0);
    code_.uniform.assign(operations, 0);
    for (const Preset& preset : function_.presets) note(preset);
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      if (const std::size_t first = loop_start(program_, b); first <= b) loops_[first] = b;
    code_.arrays_in_registers = has_arrays_in_registers();
  }

  MachineCode run() {
    bool ran = false;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      const Program::Range& block = program_.blocks[b];
      const bool before = ran;  // The body of an `if` may be issued although no lane is in it.
      ran = executions(work_, block) > 0;
      if (!ran && !before) continue;
      const bool known = block.begin >= function_.begin && block.begin < function_.end;
      forget();
      if (known) enter_loop(b);
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        if (program_.details[i].internal) continue;
        code_.place[i] = static_cast<std::uint32_t>(code_.costs.size());
        const bool selects = known && code_.arrays_in_registers && program_.operations[i].space == Space::local &&
                             program_.details[i].pipe == Pipe::lsu;
        code_.costs.push_back(selects ? cost_of_selection(b, i)
                              : program_.details[i].id == OperationId::match_any_sync
                                  ? cost_of_match(model_, values_of_match())
                                  : cost_of(model_, program_.details[i]));
        if (known) visit(b, i);
      }
    }
    return std::move(code_);
  }

 private:
  void note(const Preset& preset) {
    Known known;
    switch (preset.kind) {
      case Preset::Kind::constant:
        known = {preset.value == 0 ? 63u : static_cast<unsigned>(std::countr_zero(preset.value)), true, true,
                 preset.value};
        break;
      case Preset::Kind::ctaid_x:
      case Preset::Kind::ctaid_y:
      case Preset::Kind::ctaid_z:
      case Preset::Kind::nctaid_x:
      case Preset::Kind::nctaid_y:
      case Preset::Kind::nctaid_z:
      case Preset::Kind::ntid_x:
      case Preset::Kind::ntid_y:
      case Preset::Kind::ntid_z:
        known = {0, true, false, 0};
        break;
      case Preset::Kind::dynamic_shared:
        known = {4, true, false, 0};
        break;
      default:
        break;
    }
    known_[preset.slot] = known;
  }

  Known known(std::uint32_t slot) const {
    const auto found = known_.find(slot);
    return found == known_.end() ? Known{} : found->second;
  }

  static constexpr std::uint32_t kPredicates = 7;
  /// A local array whose indices vary may be in registers, each access a comparison and a move for each word.
  /// ptxas 13.0 does so with up to 128 words of all accesses together, or, if some are in loops, with as many words as
  /// there are predicates (frames are multiples of 16 bytes) and one loop that stores (generated kernels with arrays of
  /// 4 to 32 words and 1 to 12 accesses; sinf(), whose array has seven words: once in a kernel, but not twice).
  bool has_arrays_in_registers() const {
    constexpr std::uint32_t kMostWords = 128, kFrameWords = (kPredicates + 3) / 4 * 4;
    const std::uint32_t words = function_.local_bytes / 4;
    std::size_t accesses = 0;
    std::set<std::size_t> storing;
    bool loops = false;
    for (const std::uint32_t index : program_.memory_operations) {
      if (index < function_.begin || index >= function_.end) continue;
      if (program_.operations[index].space != Space::local) continue;
      const auto block = std::upper_bound(program_.blocks.begin(), program_.blocks.end(), index,
                                          [](std::uint32_t at, const Program::Range& range) { return at < range.end; });
      const auto number = static_cast<std::size_t>(block - program_.blocks.begin());
      const auto [first, last] = loop_around(number);
      ++accesses;
      loops = loops || first <= last;
      if (first > last || stays(number, program_.operations[index].a)) continue;  // Always the same word.
      if (is_store(program_.details[index].id)) storing.insert(first);
    }
    if (accesses == 0) return false;
    return loops ? words <= kFrameWords && storing.size() <= 1 : words * accesses <= kMostWords;
  }
  /// Of one access to such an array. Those at other displacements of the same register share its comparisons.
  InstructionCost cost_of_selection(std::size_t block, std::uint32_t index) {
    InstructionCost cost;
    if (stays(block, program_.operations[index].a)) return cost;
    const bool compared = !compared_.insert(program_.operations[index].a).second;
    const double words = std::min(function_.local_bytes / 4, kPredicates);
    cost.pipes[static_cast<std::size_t>(Pipe::alu)] = compared ? 0 : words;
    cost.pipes[static_cast<std::size_t>(Pipe::fma)] = words;
    cost.instructions = (compared ? 1 : 2) * words;
    cost.latency = 2 * model_.alu_latency;
    return cost;
  }

  /// How many different values match.any found, on average over all of them.
  double values_of_match() const {
    double executed = 0;
    for (std::size_t i = 0; i < work_.counters.instructions.size(); ++i)
      if (program_.details[i].id == OperationId::match_any_sync)
        executed += static_cast<double>(work_.counters.instructions[i].inst_executed);
    return executed > 0 ? static_cast<double>(work_.counters.match_values) / executed : 0;
  }

  bool is_fixed(std::uint32_t slot) const { return slot == kNoOperand || known(slot).constant; }

  /// A basic block begins.
  void forget() {
    divisors_.clear();
    loads_.clear();
    joinable_.clear();
    compared_.clear();
    half_.reset();
  }

  /// What a loop that begins here changes is a constant only the first time.
  void enter_loop(std::size_t first) {
    const auto last = loops_.find(first);
    if (last == loops_.end()) return;
    for (std::uint32_t i = program_.blocks[first].begin; i < program_.blocks[last->second].end; ++i)
      if (!program_.details[i].internal)
        for_outputs(program_, program_.operations[i], program_.details[i], [&](std::uint32_t slot) {
          if (const auto found = known_.find(slot); found != known_.end()) found->second.constant = false;
        });
  }

  void visit(std::size_t block, std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    const OperationDetail& detail = program_.details[index];
    if (divides(detail.id)) divide(block, index);
    if (operation.atomic != AtomicOp::none) aggregate(index);
    merge_load(index);
    if (detail.id == OperationId::ld && operation.space == Space::constant && is_fixed(operation.a))
      code_.cost(index) = {};  // It becomes an operand of the instructions that use it.
    merge_arithmetic(index);
    if (detail.pipe == Pipe::fp64) load_constants(block, index);
    if (detail.pipe == Pipe::fp16) pair_halves(index);
    const Known result = value_of(operation, detail);
    code_.uniform[index] = result.uniform ? 1 : 0;
    for_outputs(program_, operation, detail, [&](std::uint32_t slot) {
      divisors_.erase(slot);
      compared_.erase(slot);
      loads_.erase(slot);
      joinable_.erase(slot);
      known_[slot] = result;
    });
    if (joins_ && operation.d != kNoOperand) joinable_[operation.d] = index;
  }

  /// The reciprocal of a divisor is computed once: before a loop that does not change it, and for all divisions by it.
  void divide(std::size_t block, std::uint32_t index) {
    const std::uint32_t divisor = program_.operations[index].b;
    const unsigned width = size_of(program_.details[index].modifiers.types[0]);
    if (divisor == kNoOperand || width == 8) return;
    if (divisors_.contains(divisor) || stays(block, divisor)) {
      const Type type = program_.details[index].modifiers.types[0];
      code_.cost(index) = cost_of_known_divisor(model_, type == Type::s32 || type == Type::s16);
    }
    divisors_[divisor] = index;
  }

  /// The first and the last block of the innermost loop around @p block; the first is larger if there is none.
  std::pair<std::size_t, std::size_t> loop_around(std::size_t block) const {
    for (std::size_t last = block; last < program_.blocks.size(); ++last) {
      if (program_.blocks[last].begin >= function_.end) break;
      const std::size_t first = loop_start(program_, last);
      if (first <= block) return {first, last};
    }
    return {1, 0};
  }

  /// Whether every iteration of the innermost loop around @p block comes through it: no branch goes past it.
  bool is_in_every_iteration(std::size_t block) const {
    const auto [first, last] = loop_around(block);
    if (first > last) return false;
    for (std::size_t b = first; b < block; ++b) {
      if (program_.blocks[b].begin == program_.blocks[b].end) continue;
      const std::uint32_t end = program_.blocks[b].end - 1;
      if (program_.details[end].id != OperationId::bra) continue;
      if (static_cast<std::uint32_t>(program_.operations[end].immediate) > program_.blocks[block].begin) return false;
    }
    return true;
  }

  /// Whether @p slot keeps its value in the innermost loop around @p block.
  bool stays(std::size_t block, std::uint32_t slot) const {
    const auto [first, last] = loop_around(block);
    if (first > last) return false;
    const std::size_t begin = program_.blocks[first].begin, end = program_.blocks[last].end;
    bool written = false;
    for (std::size_t i = begin; i < end && !written; ++i) {
      if (program_.details[i].internal) continue;
      for_outputs(program_, program_.operations[i], program_.details[i],
                  [&](std::uint32_t output) { written |= output == slot; });
    }
    return !written;
  }

  /// One lane of a warp adds for all if the code shows that all add to one address: integer and bitwise operations;
  /// with the old value used, only sums.
  void aggregate(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    const Type type = program_.details[index].modifiers.types[0];
    const bool integer = type == Type::s32 || type == Type::u32 || type == Type::b32;
    // If all lanes add one constant in shared memory, the instruction itself counts the lanes.
    if (operation.space == Space::shared && operation.atomic == AtomicOp::add && integer && operation.d == kNoOperand &&
        known(operation.b).constant) {
      code_.one_lane[index] = 1;
      return;
    }
    const bool combines = operation.atomic != AtomicOp::cas && operation.atomic != AtomicOp::exch &&
                          operation.atomic != AtomicOp::inc && operation.atomic != AtomicOp::dec;
    if (!integer || !combines || operation.a == kNoOperand || !known(operation.a).uniform) return;
    if (operation.d != kNoOperand && operation.atomic != AtomicOp::add) return;
    code_.one_lane[index] = 1;
    InstructionCost& cost = code_.cost(index);  // A vote, finding the first lane, a sum or a count, a comparison.
    cost.pipes[static_cast<std::size_t>(Pipe::alu)] += 3;
    cost.pipes[static_cast<std::size_t>(Pipe::xu)] += 2;
    cost.instructions += 5;
  }

  /// Two or four adjacent loads from shared memory, at an address known to be aligned, become one. Between them may be
  /// anything that neither writes to shared memory nor waits.
  void merge_load(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    const OperationDetail& detail = program_.details[index];
    const bool reads = detail.id == OperationId::ld && operation.space == Space::shared;
    if (detail.pipe == Pipe::barrier || (!reads && operation.space == Space::shared && detail.pipe == Pipe::lsu)) {
      loads_.clear();
      return;
    }
    if (!reads || operation.count != 1 || operation.guard != kNoOperand || size_of(detail.modifiers.types[0]) != 4 ||
        detail.modifiers.semantics == ptx::Semantics::volatile_)
      return;
    const std::int64_t at = operation.immediate;
    std::map<std::int64_t, std::uint32_t>& others = loads_[operation.a];
    others[at] = index;
    for (const unsigned words : {4u, 2u}) {
      const std::int64_t bytes = 4 * static_cast<std::int64_t>(words);
      if ((std::int64_t{1} << std::min(known(operation.a).zeros, 30u)) < bytes) continue;
      const std::int64_t first = at - ((at % bytes) + bytes) % bytes;
      bool all = true;
      for (unsigned k = 0; k < words; ++k) all = all && others.contains(first + 4 * k);
      if (!all) continue;
      for (unsigned k = 0; k < words; ++k) {
        const std::uint32_t load = others[first + 4 * k];
        code_.loads[load] = k == 0 ? static_cast<std::uint8_t>(words) : 0;
        if (k > 0) code_.cost(load).instructions = code_.cost(load).pipes[static_cast<std::size_t>(Pipe::lsu)] = 0;
      }
      return;
    }
  }

  /// Two 32-bit operations that one machine instruction performs: logic of three operands, a comparison of its result
  /// with 0, a shift by a constant plus an addition. The first is assumed to have no other use. The compiler evaluates
  /// conversions of constants.
  void merge_arithmetic(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    const OperationDetail& detail = program_.details[index];
    joins_ = false;
    if (operation.guard != kNoOperand) return;
    if (detail.id == OperationId::abs_floating || detail.id == OperationId::neg_floating) {
      code_.cost(index) = {};  // A modifier of the operand that it is.
      return;
    }
    if (detail.id == OperationId::cvt_integer || detail.id == OperationId::mul_wide ||
        size_of(detail.modifiers.types[0]) > 4) {
      merge_wide(index);
      return;
    }
    switch (detail.id) {
      case OperationId::and_bits:
      case OperationId::or_bits:
      case OperationId::xor_bits:
        joins_ = !absorb(operation.a, false) && !absorb(operation.b, false);
        break;
      case OperationId::setp_integer:
        if (known(operation.b).constant && known(operation.b).zeros == 63) absorb(operation.a, false);
        break;
      case OperationId::shl:
      case OperationId::shr:
        joins_ = known(operation.b).constant;
        break;
      case OperationId::add_integer:
        if (!absorb(operation.a, true)) absorb(operation.b, true);
        break;
      case OperationId::cvt_floating:  // Of f32 to f32 it only saturates, as the operation before can.
        if (known(operation.a).constant || saturates(detail)) code_.cost(index) = {};
        break;
      default:
        break;
    }
  }

  static bool saturates(const OperationDetail& detail) {
    return detail.modifiers.sat && detail.modifiers.types[0] == Type::f32 && detail.modifiers.types[1] == Type::f32;
  }

  /// Two equal operations on single halves, neither of which uses the other's result, become one on a pair.
  void pair_halves(std::uint32_t index) {
    const ptx::Modifiers& modifiers = program_.details[index].modifiers;
    if (modifiers.types[0] != Type::f16 && modifiers.types[0] != Type::bf16) return;
    if (half_) {
      const Operation &other = program_.operations[*half_], &operation = program_.operations[index];
      const bool uses = operation.a == other.d || operation.b == other.d || operation.c == other.d;
      if (program_.details[*half_].id == program_.details[index].id && !uses && same_value(operation.b, other.b) &&
          same_value(operation.c, other.c)) {
        const double latency = code_.cost(index).latency;
        code_.cost(index) = {};
        code_.cost(index).latency = latency;
        half_.reset();
        return;
      }
    }
    half_ = index;
  }
  bool same_value(std::uint32_t a, std::uint32_t b) const {
    return a == b || (a != kNoOperand && b != kNoOperand && known(a).constant && known(b).constant &&
                      known(a).value == known(b).value);
  }

  /// Operations of 64 bits on pairs of registers. What only picks one of a pair or puts a 0 beside it is no
  /// instruction; a product of 64 bits takes a sum, a sum a shift along: one machine instruction for each address of an
  /// array.
  void merge_wide(std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    const ptx::Modifiers& modifiers = program_.details[index].modifiers;
    const Known other = operation.b == kNoOperand ? Known{} : known(operation.b);
    switch (program_.details[index].id) {
      case OperationId::cvt_integer: {
        const unsigned to = size_of(modifiers.types[0]), from = size_of(modifiers.types[1]);
        if (from == 8 ? to == 4 : to == 8 && modifiers.types[1] == Type::u32) code_.cost(index) = {};
        break;
      }
      case OperationId::mul_wide:
        joins_ = size_of(modifiers.types[0]) == 4;
        break;
      case OperationId::shl:
      case OperationId::shr:
        if (!other.constant) break;
        if (other.value >= 32) halve(index, other.value == 32);
        joins_ = other.value < 32 && program_.details[index].id == OperationId::shl;
        break;
      case OperationId::and_bits:
      case OperationId::or_bits:
      case OperationId::xor_bits:
        if (other.constant && other.value >> 32 == 0) halve(index, false);
        break;
      case OperationId::add_integer:
        if (!absorb_wide(index, operation.a)) absorb_wide(index, operation.b);
        break;
      default:
        break;
    }
  }
  /// An instruction has room for the upper half of a constant of 64 bits. One with a lower half is put together, by two
  /// moves of the uniform unit: before a loop whose iterations all need it, else where it is used.
  void load_constants(std::size_t block, std::uint32_t index) {
    const Operation& operation = program_.operations[index];
    for (const std::uint32_t slot : {operation.a, operation.b, operation.c}) {
      if (slot == kNoOperand || !known(slot).constant || (known(slot).value & 0xffffffffu) == 0) continue;
      if (block_ != block) loads_once_ = is_in_every_iteration(block);
      block_ = block;
      if (loads_once_) return;
      code_.cost(index).instructions += 2;
      code_.cost(index).pipes[static_cast<std::size_t>(Pipe::uniform)] += 2;
    }
  }
  void halve(std::uint32_t index, bool whole) {
    InstructionCost& cost = code_.cost(index);
    cost.instructions = whole ? 0 : cost.instructions / 2;
    for (double& work : cost.pipes) work = whole ? 0 : work / 2;
    cost.latency /= 2;
  }
  /// Several sums may take the same product or shift along.
  bool absorb_wide(std::uint32_t index, std::uint32_t slot) {
    const auto found = joinable_.find(slot);
    if (found == joinable_.end()) return false;
    const OperationId id = program_.details[found->second].id;
    if (id != OperationId::mul_wide && id != OperationId::shl) return false;
    if (id == OperationId::mul_wide) code_.cost(index) = cost_of_wide_sum(model_);
    code_.cost(found->second) = {};
    return true;
  }

  /// Makes the operation that computed @p slot a part of the one at hand. @param shift a shift, logic otherwise
  bool absorb(std::uint32_t slot, bool shift) {
    const auto found = joinable_.find(slot);
    if (found == joinable_.end()) return false;
    const OperationId id = program_.details[found->second].id;
    if ((id == OperationId::shl || id == OperationId::shr) != shift) return false;
    InstructionCost& cost = code_.cost(found->second);
    const double latency = cost.latency;
    cost = {};
    cost.latency = latency;
    joinable_.erase(found);
    return true;
  }

  /// What is known about the result of an operation.
  Known value_of(const Operation& operation, const OperationDetail& detail) const {
    const auto of = [&](std::uint32_t slot) { return slot == kNoOperand ? Known{63, true, true, 0} : known(slot); };
    const Known a = of(operation.a), b = of(operation.b), c = of(operation.c);
    Known result;
    switch (detail.id) {
      case OperationId::ld_param:
        return {0, true, false, 0};
      case OperationId::mov:
      case OperationId::cvta:
      case OperationId::cvta_to:
      case OperationId::cvt_integer:
        return a;
      case OperationId::cvt_floating:  // Told apart by what they are made of.
        if (a.constant && size_of(detail.modifiers.types[0]) == 2) return a;
        break;
      case OperationId::add_integer:
      case OperationId::sub_integer:
      case OperationId::or_bits:
        result.zeros = std::min(a.zeros, b.zeros);
        break;
      case OperationId::and_bits:
        result.zeros = std::max(a.zeros, b.zeros);
        break;
      case OperationId::mul_integer:
        result.zeros = std::min(a.zeros + b.zeros, 63u);
        break;
      case OperationId::mad_integer:
        result.zeros = std::min(std::min(a.zeros + b.zeros, 63u), c.zeros);
        break;
      case OperationId::shl:
        result.zeros = std::min(a.zeros + (b.constant ? static_cast<unsigned>(b.value & 63u) : 0u), 63u);
        break;
      default:
        break;
    }
    const bool moves_between_lanes = detail.pipe == Pipe::lsu || operation.atomic != AtomicOp::none;
    result.uniform = !moves_between_lanes && operation.a != kNoOperand && a.uniform && b.uniform && c.uniform;
    return result;
  }

  const ModelConstants& model_;
  const KernelWork& work_;
  const Program& program_;
  const Function& function_;
  MachineCode code_;
  std::unordered_map<std::uint32_t, Known> known_;             ///< By slot.
  std::unordered_map<std::size_t, std::size_t> loops_;         ///< Last blocks of loops, by their first.
  std::unordered_map<std::uint32_t, std::uint32_t> divisors_;  ///< Slots that were divided by in this block.
  std::unordered_map<std::uint32_t, std::uint32_t> joinable_;  ///< Operations that a later one may take in, by slot.
  std::set<std::uint32_t> compared_;     ///< Indices of local arrays that this block has compared with each word's.
  std::size_t block_ = ~std::size_t{0};  ///< The basic block of which this is known:
  bool loads_once_ = false;              ///< its constants come from before the loop.
  std::optional<std::uint32_t> half_;    ///< An operation on a half that has no other yet.
  bool joins_ = false;                   ///< The operation at hand is one.
  /// Loads from shared memory of this block that may move together: by base register, by displacement.
  std::unordered_map<std::uint32_t, std::map<std::int64_t, std::uint32_t>> loads_;
};

}  // namespace

std::size_t loop_start(const Program& program, std::size_t number) {
  const Program::Range& block = program.blocks[number];
  for (std::uint32_t i = block.end; i > block.begin; --i) {
    if (program.details[i - 1].internal) continue;
    if (program.details[i - 1].id != OperationId::bra) return number + 1;
    const auto target = static_cast<std::uint32_t>(program.operations[i - 1].immediate);
    for (std::size_t k = number + 1; k-- > 0 && program.blocks[k].begin >= target;)
      if (program.blocks[k].begin == target) return k;
    return number + 1;
  }
  return number + 1;
}

MachineCode machine_code(const ModelConstants& model, const KernelWork& work) { return Walk(model, work).run(); }

namespace {

/// Of loads that become one wide load, the first one stands for it. Its wavefronts are those of any of its words: lanes
/// that read adjacent words are as many banks apart as there are words. 16 bytes take two wavefronts if all lanes read
/// the same, else at least one for each quarter of the warp (H200, validation/families products).
void join_loads(const Program& program, const MachineCode& code, std::size_t access, Counters& counters) {
  const std::uint32_t index = program.memory_operations[access];
  MemoryCounters& counted = counters.memory[access];
  if (code.loads[index] == 0) {
    counted = {};
    counters.instructions[index] = {};
  } else if (code.loads[index] > 1) {
    const std::uint64_t words = code.loads[index];
    counted.bytes *= words;
    if (words == 4)
      counted.wavefronts =
          std::max(counted.wavefronts, counted.requests * (counted.wavefronts == counted.requests ? 2 : 4));
    counted.wavefronts_ideal = std::min(counted.wavefronts, counted.requests * words);
    counted.conflicts = counted.wavefronts - counted.wavefronts_ideal;
  }
}

}  // namespace

Counters count_in_machine_code(const ModelConstants& model, const KernelWork& work) {
  Counters counters = work.counters;
  const auto is_together = [&](std::size_t i) {
    const Operation& operation = work.program.operations[work.program.memory_operations[i]];
    return operation.atomic != AtomicOp::none && operation.space != Space::shared &&
           counters.memory[i].serialised > counters.memory[i].requests;
  };
  const auto may_join = [&](std::size_t i) {
    const std::uint32_t index = work.program.memory_operations[i];
    return work.program.details[index].id == OperationId::ld && work.program.operations[index].space == Space::shared &&
           counters.memory[i].requests > 0;
  };
  std::optional<MachineCode> code;
  const std::size_t accesses = std::min(counters.memory.size(), work.program.memory_operations.size());
  for (std::size_t i = 0; i < accesses; ++i) {
    const bool together = is_together(i), joins = may_join(i);
    if (!together && !joins) continue;
    if (!code) code = machine_code(model, work);
    if (joins) join_loads(work.program, *code, i, counters);
    if (!together || code->one_lane[work.program.memory_operations[i]] == 0) continue;
    MemoryCounters& counted = counters.memory[i];
    counted.sectors = std::min(counted.sectors, counted.requests);
    counted.sectors_ideal = std::min(counted.sectors_ideal, counted.requests);
  }
  return counters;
}

bool goes_in_order(const Program& program, std::uint32_t index) {
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    if (program.blocks[b].begin <= index && index < program.blocks[b].end)
      return loop_start(program, b) == b && is_counter(program, program.blocks[b], program.operations[index].a);
  return false;
}

bool is_counter(const Program& program, const Program::Range& block, std::uint32_t slot) {
  bool counts = false;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& operation = program.operations[i];
    if (operation.d != slot || is_store(program.details[i].id)) continue;
    if (counts || program.details[i].id != OperationId::add_integer) return false;
    if (operation.a != slot && operation.b != slot) return false;
    counts = true;
  }
  return counts;
}

}  // namespace warpbook::simulator
