// Asynchronous work that has started and that no thread has waited for: bulk copies and arrivals at mbarriers.
//
// What an mbarrier waits for completes at the last moment that CUDA allows: when a thread tests an mbarrier whose phase
// waits for nothing else. A copy to shared memory has read its source when it started. A copy from shared to global
// memory (in a bulk group) reads and writes when its thread waits for the group, by wait_group.read or wait_group, and
// at the latest when the block ends. With a schedule seed each may also complete at once. CUDA allows both orders, and
// a program that does not wait gets different values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct BlockState;
struct Operation;
struct WarpState;

/// How a tensor is laid out in shared memory: which address bits change with the row (cuTensorMapEncodeTiled).
struct Swizzle {
  std::uint32_t span = 0;  ///< 32, 64 or 128 bytes; 0: none.
  std::uint32_t row = 0;   ///< Bytes of a row shorter than the span, which then has a span of its own; 0: the row fills
                           ///< the span.
  /// Where byte @p at of the rows lies before the swizzle.
  std::uint32_t spread(std::uint32_t at) const { return row == 0 ? at : at / row * span + at % row; }
  /// Swaps pieces of 16 bytes within the span, depending on the number of their 128-byte line.
  std::uint32_t operator()(std::uint32_t address) const {
    return span == 0 ? address : address ^ (address >> 7 & (span / 16 - 1)) << 4;
  }
};

/// A completion that an mbarrier of the block waits for.
struct Landing {
  std::uint32_t barrier = 0;  ///< Offset in the block's shared memory.
  std::uint32_t to = 0;       ///< Destination of the bytes, in the same shared memory.
  std::vector<std::byte> data;
  std::int32_t bytes = 0;  ///< Bytes that the mbarrier counts.
  Swizzle swizzle;
  ptx::AtomicOp reduction = ptx::AtomicOp::none;
  ptx::Type type = ptx::Type::none;
  WarpState* by = nullptr;  ///< The warp that started it, if it is one of this block.
  unsigned lane = 0;
  const Operation* operation = nullptr;
  bool arrives = false;      ///< An arrival that waits for asynchronous copies (cp.async.mbarrier.arrive),
  std::uint64_t copies = 0;  ///< this many of the warp's.
};

/// The pending completions of one block.
class InFlight {
 public:
  void clear() { landings_.clear(); }
  void add(Landing landing) { landings_.push_back(std::move(landing)); }
  bool empty() const { return landings_.empty(); }
  /// Pending arrivals at the mbarrier at @p barrier, and whether anything is pending for it.
  std::uint32_t arrivals(std::uint32_t barrier) const;
  std::int64_t bytes(std::uint32_t barrier) const;
  bool has(std::uint32_t barrier) const;
  /// Removes them and returns them in the order of their start.
  std::vector<Landing> take(std::uint32_t barrier);

 private:
  std::vector<Landing> landings_;
};

/// Batches of asynchronous copies (cp.async) of one block, each of which a phase of an mbarrier waits for.
class CopyBatches {
 public:
  void clear() { latest_.clear(), begun_ = 0; }
  /// An arrival behind copies, of any lane, at the mbarrier at @p barrier in the phase of this parity.
  void begin(std::uint32_t barrier, bool phase);
  /// How many have begun after the one that the mbarrier's latest phase of this parity waits for; nullopt: it waits for
  /// none.
  std::optional<std::uint64_t> begun_after(std::uint32_t barrier, bool phase) const;

 private:
  struct Batch {
    std::uint32_t barrier = 0;
    bool phase = false;
    std::uint64_t number = 0;
  };
  std::vector<Batch> latest_;  ///< Of each mbarrier.
  std::uint64_t begun_ = 0;
};

/// Copies of one warp from shared to global memory, in the groups of its lanes.
class BulkGroups {
 public:
  struct Store {
    unsigned lane = 0;
    std::uint32_t group = 0;
    std::function<void()> perform;
  };
  void clear() {
    if (used_) forget();
  }
  void add(unsigned lane, std::function<void()> perform);
  void commit(std::uint32_t lanes);
  /// Completes those of @p lanes except the latest @p pending groups.
  void wait(std::uint32_t lanes, std::uint64_t pending);
  /// Completes all, including those that belong to no group.
  void finish() {
    if (!stores_.empty()) perform_all();
  }

 private:
  void forget();
  void perform_all();
  std::vector<Store> stores_;
  std::array<std::uint32_t, 32> committed_ = {};
  bool used_ = false;
};

/// @p to = @p to op @p from, element by element of @p type. @p bytes is a multiple of the element size.
void reduce_bytes(std::byte* to, const std::byte* from, std::size_t bytes, ptx::AtomicOp op, ptx::Type type);

}  // namespace warpbook::simulator
