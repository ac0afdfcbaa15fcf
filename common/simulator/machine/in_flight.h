// Asynchronous work that has begun and that nobody has waited for: copies in bulk and arrivals at mbarriers.
//
// What an mbarrier waits for is done at the last moment that CUDA allows: when a thread looks at the mbarrier whose
// phase lacks nothing else. A copy to shared memory has read its source when it began. A copy from shared to global
// memory (in a bulk group) reads and writes when its thread waits for the group, by wait_group.read or wait_group, and
// at the latest when the block ends. With a schedule's seed each may also be done at once: both are orders that CUDA
// allows, and who does not wait gets other values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct BlockState;
struct Operation;
struct WarpState;

/// How a tensor lies in shared memory: which bits of an address change with the row (cuTensorMapEncodeTiled).
struct Swizzle {
  std::uint32_t span = 0;  ///< 32, 64 or 128 bytes; 0: none.
  std::uint32_t row = 0;   ///< Bytes of a row that is shorter than the span, which it has for itself; 0: as long.
  /// Where byte @p at of the rows lies, before pieces change places.
  std::uint32_t spread(std::uint32_t at) const { return row == 0 ? at : at / row * span + at % row; }
  /// Pieces of 16 bytes change places within the span, by the number of their line of 128 bytes.
  std::uint32_t operator()(std::uint32_t address) const {
    return span == 0 ? address : address ^ (address >> 7 & (span / 16 - 1)) << 4;
  }
};

/// Something that an mbarrier of the block waits for.
struct Landing {
  std::uint32_t barrier = 0;  ///< Offset in the block's shared memory.
  std::uint32_t to = 0;       ///< Where the bytes go, there too.
  std::vector<std::byte> data;
  std::int32_t bytes = 0;  ///< That the mbarrier counts.
  Swizzle swizzle;
  ptx::AtomicOp reduction = ptx::AtomicOp::none;
  ptx::Type type = ptx::Type::none;
  WarpState* by = nullptr;  ///< Who began it, if it is a warp of this block.
  unsigned lane = 0;
  const Operation* operation = nullptr;
  bool arrives = false;      ///< An arrival behind asynchronous copies (cp.async.mbarrier.arrive),
  std::uint64_t copies = 0;  ///< that many of the warp's.
};

/// Of one block.
class InFlight {
 public:
  void clear() { landings_.clear(); }
  void add(Landing landing) { landings_.push_back(std::move(landing)); }
  bool empty() const { return landings_.empty(); }
  /// Arrivals at the mbarrier at @p barrier, and whether anything is on its way there.
  std::uint32_t arrivals(std::uint32_t barrier) const;
  std::int64_t bytes(std::uint32_t barrier) const;
  bool has(std::uint32_t barrier) const;
  /// Takes them out, in the order in which they began.
  std::vector<Landing> take(std::uint32_t barrier);

 private:
  std::vector<Landing> landings_;
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
  /// Performs those of @p lanes but the latest @p pending groups.
  void wait(std::uint32_t lanes, std::uint64_t pending);
  /// Performs all, also those that belong to no group.
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

/// @p to = @p to op @p from, element by element of @p type. @p bytes is a multiple of the element's size.
void reduce_bytes(std::byte* to, const std::byte* from, std::size_t bytes, ptx::AtomicOp op, ptx::Type type);

}  // namespace warpbook::simulator
