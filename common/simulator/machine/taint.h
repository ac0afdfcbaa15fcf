// The checker that tracks uninitialised values: from memory into registers, through computations, to where a value
// first matters: in a branch, an address, or an output.
//
// A set bit in a shadow means an undefined bit. The shadows of a frame's registers lie after them, in the same layout;
// while Warp::tainted is false they are ignored.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/machine/host_stores.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/taint_rule.h"
#include "common/simulator/machine/warp_state.h"
#include "common/simulator/observe/findings.h"
#include "common/simulator/observe/undefined_bits.h"

namespace warpbook::simulator {

/// Global memory is tracked up to this offset: after it is memory that was the host's before it was registered.
inline constexpr std::uint64_t kFollowed = GlobalMemory::kHostBegin + GlobalMemory::kHostBytes - GlobalMemory::kBase;

struct TaintedBlock;
class TaintChecker;

/// What is tracked for one warp's own memory.
struct WarpTaint {
  TaintChecker* checker = nullptr;
  TaintedBlock* block = nullptr;
  UndefinedBits local;             ///< Lane by lane, laid out like Warp::local.
  std::uint32_t carry = 0;         ///< Lanes whose Warp::carry is undefined,
  std::uint32_t carry_origin = 0;  ///< and the origin of that.
};

/// A load of undefined bits, or a shuffle from lanes that do not supply a value. Kept for each operation and warp: the
/// latest one.
struct TaintOrigin {
  static constexpr std::uint32_t kRegister = 1;  ///< The number of undefined values that no load brought: registers.
  const Operation* operation = nullptr;
  const TaintRule* rule = nullptr;
  ptx::Space space = ptx::Space::global;
  std::uint32_t warp = 0;
  bool shuffled = false;
  std::uint32_t lanes = 0;
  std::uint32_t remote = 0;               ///< Lanes that read the shared memory of another block of the cluster.
  std::array<std::uint64_t, 32> at = {};  ///< The first undefined byte of each lane; for a shuffle, the lane that is
                                          ///< read,
  std::uint32_t named = 0;                ///< and lanes whose mask names it.
};

/// What is tracked for one block's memory.
struct TaintedBlock {
  UndefinedBits shared;
  std::vector<WarpTaint> warps;
  std::vector<TaintOrigin> origins;                            ///< By number; number 0 means none.
  std::unordered_map<std::uint64_t, std::uint32_t> origin_of;  ///< By warp and operation.
  /// Origins of undefined values stored in shared and local memory, by 4-byte word.
  std::unordered_map<std::uint64_t, std::uint32_t> stored;
};

class TaintChecker {
 public:
  TaintChecker(const GlobalMemory& memory, CheckFindings& findings);

  /// The block's warps have been prepared: they are tracked from now on.
  std::unique_ptr<TaintedBlock> follow(BlockState& block);
  /// A block starts.
  void start(BlockState& block, TaintedBlock& tainted);

  // Called by the runtime; addresses are device addresses.
  void allocated(std::uint64_t address, std::uint64_t bytes);
  void freed(std::uint64_t address, std::uint64_t bytes);
  /// @param from 0 or memory that the device does not know: what is written is defined
  void copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// The machine has written to a lane's generic address.
  void wrote(WarpState& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);
  /// A lane's printf reads an argument at its generic address.
  void printed(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes);
  /// The device is about to read memory to which the host may have stored.
  void look_at_host_stores() { host_stores_.find(global_); }
  void flush();

  // Called by the operations.
  /// Propagates undefined bits from inputs to outputs.
  void spread(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// The same for operations that read other lanes, called before they execute; does nothing if the lanes have to wait
  /// for others.
  void spread_among_lanes(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// Whether lanes may shuffle from lanes that their masks do not name or that do not take part.
  static bool may_lack_sources(const WarpState& warp, const Operation* op);
  void load(WarpState& warp, const Operation* op, const TaintRule& rule);
  void store(WarpState& warp, const Operation* op, const TaintRule& rule);
  void atomic(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// Called before a matrix operation, whose inputs and outputs are lists of registers.
  void matrix(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// Whether it loads a matrix that is partly uninitialised from shared memory.
  static bool may_load_undefined(const WarpState& warp, const Operation* op);
  /// Called before an operation that may store matrices.
  void stored_matrix(WarpState& warp, const Operation* op);
  void image(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// Called around an operation that reads texels: a lane's result is undefined if it reads uninitialised texels.
  void begin_image_reads() {
    reads_image_ = true;
    image_lanes_ = 0;
  }
  void end_image_reads(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// A lane reads global memory during that, say a texel: @p bytes is a power of two.
  void note_read(unsigned lane, std::uint64_t address, std::uint64_t bytes) {
    if (!reads_image_) return;
    const std::uint64_t at = address - GlobalMemory::kBase;
    if (at >= kFollowed - bytes || at % bytes != 0) return;
    const std::uint64_t undefined = global_.get(at, static_cast<unsigned>(bytes));
    if (undefined == 0) return;
    image_lanes_ |= 1u << lane;
    image_at_[lane] = at + static_cast<unsigned>(std::countr_zero(undefined));
  }
  /// Called after the operation that started a copy.
  void start_copy(WarpState& warp, const Operation* op, const TaintRule& rule);
  void check_copy(WarpState& warp, const Operation* op, const TaintRule& rule);
  /// From now on the shadows of the warp's registers are used.
  void begin_taint(WarpState& warp);
  /// A value was copied within local memory.
  void copy_origins(WarpState& warp, std::uint64_t from, std::uint64_t to, unsigned bytes);

  enum class Use : std::uint8_t { branch, address, store, atomic, atomic_place, vote, print };
  /// Lanes use a register in a decision: lanes for which it is undefined are reported, and then it counts as defined.
  void decide(WarpState& warp, const Operation* op, const TaintRule& rule, std::uint32_t slot, std::uint8_t size,
              std::uint32_t lanes, Use use);

 private:
  struct Lanes;
  void report(WarpState& warp, const Operation* op, const TaintRule& rule, Use use, std::uint32_t lanes,
              std::uint32_t origin, ptx::Space space = ptx::Space::global, std::uint64_t at = 0);
  CheckSite site_of(const WarpState& warp, const Operation* op, unsigned lane) const;
  std::string place(ptx::Space space, std::uint64_t at) const;
  void resolve(WarpState& warp, const Operation* op, std::uint32_t bytes, Lanes& lanes);
  bool clearly_defined(WarpState& warp, const Operation* op, std::uint32_t bytes) const;
  static void resolve_windows(const WarpState& warp, Lanes& lanes);
  static void resolve_shared(const WarpState& warp, unsigned lane, std::uint64_t offset, Lanes& lanes);
  bool find_undefined(const WarpState& warp, const Lanes& lanes, std::uint64_t* undefined) const;
  void write(WarpState& warp, const Lanes& lanes, const std::uint64_t* undefined, std::uint32_t origin);
  void load_matrix(WarpState& warp, const Operation* op, const TaintRule& rule);
  std::uint32_t number_of(TaintedBlock& block, const TaintOrigin& origin);
  /// What lanes get in a shuffle from lanes that do not supply a value is undefined.
  void lack_sources(WarpState& warp, const Operation* op, const TaintRule& rule);
  std::uint32_t origin_at(WarpState& warp, const Operation* op, const TaintRule& rule, const Lanes& lanes,
                          const std::uint64_t* undefined);
  void taint_outputs(WarpState& warp, const Operation* op, const TaintRule& rule, const std::uint64_t* undefined,
                     std::uint32_t origin);
  std::uint32_t value_of(const WarpState& warp, const Operation* op, const TaintRule& rule, std::uint64_t* undefined);

  const GlobalMemory& memory_;
  CheckFindings& findings_;
  UndefinedPages global_;
  HostStores host_stores_;
  bool reads_image_ = false;
  std::uint32_t image_lanes_ = 0;                ///< Lanes that have read an uninitialised texel,
  std::array<std::uint64_t, 32> image_at_ = {};  ///< at this address.
  std::uint32_t sites_ = 0;
  struct Seen {
    CheckFinding finding;
    std::uint64_t more = 0;  ///< Not reported yet.
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
};

// Shared by the files of this checker.
namespace taint {

inline std::uint32_t& predicate_shadow(const Warp& warp, const TaintRule& rule, std::uint32_t slot) {
  return *reinterpret_cast<std::uint32_t*>(warp.registers + rule.shadow + slot);
}
inline std::uint32_t& origin(const Warp& warp, const TaintRule& rule, std::uint32_t slot) {
  return reinterpret_cast<std::uint32_t*>(warp.registers + rule.origins)[slot / 64];
}
constexpr std::uint64_t mask_of(std::uint8_t bytes) {
  return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
}
/// Whether any lane's shadow of a slot has a bit set.
bool any(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size);
/// The shadows of all lanes of a slot, as wide as the type; 0 or 1 for a predicate.
void read(const Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size, std::uint64_t* out);
/// The values themselves.
void read_values(const Warp& warp, std::uint32_t slot, std::uint8_t size, std::uint64_t* out);
/// Sets the shadows of the executing lanes.
void write(Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size, const std::uint64_t* undefined,
           std::uint32_t origin);
/// Makes a slot defined for the executing lanes.
void define(Warp& warp, const TaintRule& rule, std::uint32_t slot, std::uint8_t size);
void define_outputs(Warp& warp, const Operation* op, const TaintRule& rule);
/// Makes all registers of a frame defined.
void clear_shadow(const Frame& frame);
/// Makes registers undefined that may be read before they are written.
void undefine_unwritten(const Frame& frame);

}  // namespace taint
}  // namespace warpbook::simulator
