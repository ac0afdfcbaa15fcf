// A module ready to run: operations, the layout of registers, parameters and variables, and the source line of each.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/simulator/kernel/operation.h"
#include "common/simulator/kernel/watched.h"
#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {

struct TaintRule;

/// The form of an operation, for messages, reports, handlers that are rarely used and the time model.
struct OperationDetail {
  ptx::OperationId id{};
  ptx::Modifiers modifiers;
  std::string spelling;        ///< "ld.global.nc.f32"
  ptx::SourcePosition source;  ///< file is a key of Program::files
  std::uint32_t ptx_line = 0;
  ptx::Pipe pipe = ptx::Pipe::none;
  std::uint32_t function = 0;  ///< Index into Program::functions.
  bool internal = false;       ///< Added by the decoder; not counted as an instruction.
  bool once = false;           ///< Gives the same result in every block (launch_constants.h): not in Program::code.
  bool linear = false;         ///< Is linear in the block index (block_linear.h): not in Program::code either.
};

/// A register slot that is filled before a frame starts.
struct Preset {
  enum class Kind : std::uint8_t {
    constant,  ///< value in every lane
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_lt,
    lanemask_le,
    lanemask_gt,
    lanemask_ge,
    dynamic_smem_size,
    total_smem_size,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_ctarank,
    cluster_nctarank,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    is_explicit_cluster,
    dynamic_shared,  ///< Where dynamic shared memory starts.
    local,           ///< value + the frame's start in local memory.
  };
  Kind kind = Kind::constant;
  std::uint32_t slot = 0;    ///< Byte offset in the register block.
  std::uint32_t bytes = 4;   ///< 4 or 8 per lane; 1 for a predicate mask.
  std::uint64_t value = 0;   ///< For constant and local.
  bool only_linear = false;  ///< Read only by LinearPart::operations.
};

/// Functions that a kernel may call and that the machine provides.
enum class SystemCall : std::uint8_t { none, vprintf, malloc, free, assertfail, unknown };

/// A call: the callee, and which bytes are copied between the frames.
struct CallSite {
  struct Copy {
    std::uint32_t from = 0, to = 0, bytes = 0;
  };
  std::int32_t function = -1;  ///< Index into Program::functions; -1: through a register or a system call.
  SystemCall system = SystemCall::none;
  std::string name;             ///< As written.
  std::vector<Copy> arguments;  ///< Caller's frame to callee's.
  std::vector<Copy> returns;    ///< Callee's frame to caller's.
};

/// Function pointers: the address of function i is kCodeBase + 16 i.
constexpr std::uint64_t kCodeBase = 0x030000000000;

struct Parameter {
  std::uint32_t offset = 0;  ///< In the parameter buffer.
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 1;
};

/// What the machine keeps of a kernel's linear registers (block_linear.h).
struct LinearPart {
  struct Register {
    std::uint32_t slot = 0;
    bool wide = false;
  };
  struct Check {
    std::uint32_t slot = 0;
    bool is_signed = false;
  };
  std::vector<Operation> operations;  ///< Each warp executes these as if it were in block (0, 0, 0), in this order.
  std::vector<Register> filled;  ///< These hold their value in each block. The others hold their value in block (0, 0,
                                 ///< 0).
  std::vector<std::uint32_t> origins;  ///< Slots of the addresses that accesses with a GlobalPattern compute.
  std::vector<Check> checks;           ///< Must not overflow in 32 bits, signed or unsigned, in any block.
};

struct Function {
  std::string name;  ///< Mangled.
  bool entry = false;
  std::uint32_t begin = 0, end = 0;  ///< Operations [begin, end).
  std::uint32_t register_bytes = 0;  ///< Size of the register block of one warp's frame.
  std::vector<Preset> presets;
  std::vector<Parameter> parameters;  ///< Entry: offsets in the launch's buffer. Otherwise offsets in the frame.
  std::vector<Parameter> returns;     ///< Offsets in the frame's local memory (functions only).
  std::uint32_t parameter_bytes = 0;
  std::uint32_t local_bytes = 0;         ///< Of one lane's frame: .local and .param variables.
  std::uint32_t called_bytes = 0;        ///< Of the frames in its deepest chain of direct calls; 0 if one recurs.
  std::uint32_t shared_bytes = 0;        ///< Static shared memory (of the functions that it may reach, too).
  std::uint32_t declared_registers = 0;  ///< Most 32-bit registers live at once: a lower bound, shown as "estimated".
  std::array<std::uint32_t, 3> max_threads = {0, 0, 0};  ///< .maxntid, 0 if not given
  std::uint32_t min_blocks = 0;
  std::array<std::uint32_t, 3> cluster = {0, 0, 0};  ///< .reqnctapercluster, 0 if not given
  struct Slot {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> cleared;    ///< Registers that may be read before they are written: zero at the start.
  std::vector<Operation> once;  ///< Each warp executes these before its first block, in this order.
  LinearPart linear;
  std::uint32_t patterns = 0;  ///< Number of accesses to shared memory that have a pattern (Operation::pattern).
  /// For accesses to global memory that have a pattern: the address's index in linear.origins, or kNoOperand if it is
  /// the same in every block.
  std::vector<std::uint32_t> global_patterns;
  bool meets_finely = false;  ///< Threads are ordered by more than barriers of the whole block.
  bool needs_order = false;  ///< Its outcome depends on the order of blocks (atomics whose results are used, volatile).
  bool may_wait = false;     ///< For something written outside its grid (outside_waits.h).
  bool takes_stack = false;  ///< It uses alloca.
  bool defined = false;
  ptx::SourcePosition source;
};

struct Program {
  /// As written, for reports and for the time model. Here launch constants share slots with other registers, as they
  /// would if they were not executed separately.
  std::vector<Operation> operations;
  std::vector<OperationDetail> details;  ///< Same index.
  /// What is executed: the operations without those that a warp executes once. Branch targets are positions in this
  /// vector.
  std::vector<Operation> code;
  std::vector<std::uint32_t> code_of;  ///< For each operation: its position in `code`, or that of the next one that is
                                       ///< there.
  std::vector<std::uint32_t> operation_lists;    ///< Like `lists`, for `operations`.
  std::vector<std::uint32_t> lists;              ///< Register offsets of vector operands.
  std::vector<std::uint32_t> memory_operations;  ///< Operation index of each memory counter.
  std::vector<std::uint32_t> branches;           ///< Operation index of each branch counter.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<Range> blocks;  ///< The operations of each basic block, starting with its entry.
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> jump_tables;  ///< Operation indices, for brx.idx.
  std::vector<std::string> messages;                    ///< For operations that can only fail.
  std::vector<Function> functions;
  std::map<std::string, std::uint32_t> function_index;
  std::map<std::uint32_t, std::string> files;
  std::vector<Watched> watched;  ///< Same index as operations; empty without checkers.
  /// How each operation propagates undefined bits (machine/taint_rule.h), same index; empty if nobody asks.
  std::shared_ptr<TaintRule[]> taint_rules;
  const Function* find(const std::string& name) const;
  /// The value of a pointer to function @p name, if the module defines it.
  std::optional<std::uint64_t> function_address(const std::string& name) const;
};

/// The program cannot run here. The message gives the instruction with all its modifiers, the `.cu` line and the PTX
/// line.
class DecodeError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is right and not here: it is told where a thread comes to it.
class NotHere : public DecodeError {
  using DecodeError::DecodeError;
};

/// Resolves a module-scope variable (global, const) to its device address.
using SymbolAddress = std::function<std::optional<std::uint64_t>(const std::string& name)>;

/// What the machine provides to the decoder: handlers for the table's rows and for operations that the decoder adds.
struct HandlerSet {
  Handler (*find)(ptx::OperationId id, const ptx::Modifiers& modifiers) = nullptr;
  Handler block_entry = nullptr;  ///< Starts each basic block: counts, reconverges, lets other warps run.
  Handler guard = nullptr;        ///< Narrows Warp::exec and runs Operation::guarded.
  Handler branch = nullptr, indexed_branch = nullptr, call = nullptr, indirect_call = nullptr, system_call = nullptr;
  Handler ret = nullptr, exit = nullptr;
  Handler read_clock =
      nullptr;  ///< immediate: 0 clock, 1 clock_hi, 2 clock64, 3 globaltimer, 4 its low, 5 its high half.
  Handler widen_unsigned = nullptr, widen_signed = nullptr, narrow = nullptr;  ///< Between 4- and 8-byte slots.
  Handler unsupported = nullptr;  ///< Raises a fault with messages[immediate].
};

struct DecodeOptions {
  /// NVIDIA's assembler has not seen the module (no cubin beside the PTX): what it refuses is refused.
  bool judges = false;
  /// A basic block ends behind every access to shared or global memory, so that a warp's turn may end there.
  bool turns_end_at_accesses = false;
  /// With checkers: each operation that accesses memory or orders threads goes through them.
  bool watched = false;
  /// A checker tracks uninitialised values: all operations that compute, move or branch go through it.
  bool follows_undefined = false;
  /// Names of the functions to decode, which call no others and take no function's address (needed_functions.h);
  /// nullptr: all.
  const std::set<std::string>* only = nullptr;
  bool wants(const std::string& function) const { return only == nullptr || only->count(function) != 0; }
};

/// Decodes the functions of @p module. An unsupported instruction does not stop the decoding: it becomes an operation
/// that raises FaultKind::unsupported when a lane reaches it, and the message names the instruction.
/// @throws DecodeError if the module as a whole makes no sense (a label or register that does not exist)
std::unique_ptr<Program> decode(const ptx::Module& module, const SymbolAddress& address_of, const HandlerSet& handlers,
                                const DecodeOptions& options = {});

}  // namespace warpbook::simulator
