// A module ready to run: operations, the layout of registers, parameters and variables, and where each came from.
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

/// The form of an operation, for messages, reports, rare handlers and the time model.
struct OperationDetail {
  ptx::OperationId id{};
  ptx::Modifiers modifiers;
  std::string spelling;        ///< "ld.global.nc.f32"
  ptx::SourcePosition source;  ///< file is a key of Program::files
  std::uint32_t ptx_line = 0;
  ptx::Pipe pipe = ptx::Pipe::none;
  std::uint32_t function = 0;  ///< Index into Program::functions.
  bool internal = false;       ///< Added by the decoder; counts as no instruction.
  bool once = false;           ///< Comes out the same in every block (launch_constants.h): not in Program::code.
  bool linear = false;         ///< Is linear in the block's index (block_linear.h): not in Program::code either.
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
  bool only_linear = false;  ///< Read by LinearPart::operations alone.
};

/// Functions that a kernel may call and the machine provides.
enum class SystemCall : std::uint8_t { none, vprintf, malloc, free, assertfail, unknown };

/// One call: what is called, and which bytes of the frames are copied there and back.
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

/// What of a kernel is linear in the block's index (block_linear.h).
struct LinearPart {
  struct Register {
    std::uint32_t slot = 0;
    bool wide = false;
  };
  struct Check {
    std::uint32_t slot = 0;
    bool is_signed = false;
  };
  std::vector<Operation> operations;   ///< What each warp executes as if for block (0, 0, 0), in this order.
  std::vector<Register> filled;        ///< Holds its value in each block. The others hold that in block (0, 0, 0).
  std::vector<std::uint32_t> origins;  ///< Slots of addresses that accesses by a GlobalPattern find.
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
  std::uint32_t shared_bytes = 0;        ///< Static shared memory (of the module's functions it may reach).
  std::uint32_t declared_registers = 0;  ///< 32-bit registers live at once at most: a lower bound, "estimated".
  std::array<std::uint32_t, 3> max_threads = {0, 0, 0};  ///< .maxntid, 0 if not given
  std::uint32_t min_blocks = 0;
  std::array<std::uint32_t, 3> cluster = {0, 0, 0};  ///< .reqnctapercluster, 0 if not given
  struct Slot {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> cleared;    ///< Registers that may be read before they are written: zero at the start.
  std::vector<Operation> once;  ///< What each warp executes before its first block, in this order.
  LinearPart linear;
  std::uint32_t patterns = 0;  ///< Accesses to shared memory that have a pattern (Operation::pattern).
  /// Accesses to global memory that have one: the address's position in linear.origins, or kNoOperand where it is the
  /// same in every block.
  std::vector<std::uint32_t> global_patterns;
  bool meets_finely = false;  ///< Threads are put in order by more than barriers of the whole block.
  bool needs_order = false;   ///< Its outcome depends on the order of blocks (atomics with used results, volatile).
  bool may_wait = false;      ///< For what is written outside of its grid (outside_waits.h).
  bool takes_stack = false;   ///< It has an alloca.
  bool defined = false;
  ptx::SourcePosition source;
};

struct Program {
  /// As written, for reports and for the time model: here launch constants share slots with other registers, as they
  /// would without code of their own.
  std::vector<Operation> operations;
  std::vector<OperationDetail> details;  ///< Same index.
  /// What is executed: the operations without those that a warp executes once. Targets of branches are positions here.
  std::vector<Operation> code;
  std::vector<std::uint32_t> code_of;            ///< Position in `code` of each operation or what follows it there.
  std::vector<std::uint32_t> operation_lists;    ///< As `lists`, for `operations`.
  std::vector<std::uint32_t> lists;              ///< Register offsets of vector operands.
  std::vector<std::uint32_t> memory_operations;  ///< Operation index of each memory counter.
  std::vector<std::uint32_t> branches;           ///< Operation index of each branch counter.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<Range> blocks;  ///< Operations of each basic block, its entry first.
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> jump_tables;  ///< Operation indices, for brx.idx.
  std::vector<std::string> messages;                    ///< Of operations that can only fail.
  std::vector<Function> functions;
  std::map<std::string, std::uint32_t> function_index;
  std::map<std::uint32_t, std::string> files;
  std::vector<Watched> watched;  ///< Same index as operations; empty if no checker watches.
  /// What each does to undefined bits (machine/taint_rule.h), by the same index; empty if nobody asks.
  std::shared_ptr<TaintRule[]> taint_rules;
  const Function* find(const std::string& name) const;
  /// The value of a pointer to function @p name, if it is defined here.
  std::optional<std::uint64_t> function_address(const std::string& name) const;
};

/// A program that cannot be run here: names the instruction with all its modifiers, the `.cu` line and the PTX line.
class DecodeError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is right and not here: it is told where a thread comes to it.
class NotHere : public DecodeError {
  using DecodeError::DecodeError;
};

/// Resolves a module-scope variable (global, const) to its device address.
using SymbolAddress = std::function<std::optional<std::uint64_t>(const std::string& name)>;

/// What the machine provides to the decoder: handlers for the rows of the table and for what the decoder adds.
struct HandlerSet {
  Handler (*find)(ptx::OperationId id, const ptx::Modifiers& modifiers) = nullptr;
  Handler block_entry = nullptr;  ///< Starts each basic block: counts, reconverges, lets others run.
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
  /// Checkers watch: each operation that accesses memory or orders threads goes by way of them.
  bool watched = false;
  /// A checker follows what nobody has written: all operations that compute, move or decide go by way of it.
  bool follows_undefined = false;
  /// Names of the functions to decode, which call no others and take nobody's address (needed_functions.h); nullptr:
  /// all.
  const std::set<std::string>* only = nullptr;
  /// Checkers look at the registers of each access, which hold no address where it is linear in the block's index.
  bool keeps_addresses() const { return watched || follows_undefined; }
  bool wants(const std::string& function) const { return only == nullptr || only->count(function) != 0; }
};

/// Decodes the functions of @p module. An instruction that is not supported does not stop the decoding: it becomes an
/// operation that raises FaultKind::unsupported when a lane reaches it, and names itself.
/// @throws DecodeError for what makes the whole module meaningless (a label or register that does not exist)
std::unique_ptr<Program> decode(const ptx::Module& module, const SymbolAddress& address_of, const HandlerSet& handlers,
                                const DecodeOptions& options = {});

}  // namespace warpbook::simulator
