// Reserves addresses for graphs; maps and unmaps their memory.
#include "common/simulator/runtime/graph_memory.h"

#include <algorithm>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

/// The unit in which an H200 allocates memory for graphs (2026-11-23).
constexpr std::uint64_t kGraphPiece = std::uint64_t{32} << 20;

}  // namespace

std::uint64_t GraphMemory::reserve(std::uint64_t bytes) {
  const Allocation* const place = runtime_.memory.allocate(bytes, MemoryKind::device, 256, {}, active_device());
  if (place == nullptr) return 0;
  const std::uint64_t address = place->address;
  runtime_.memory.hide(address);
  pieces_[address] = {bytes, false};
  return address;
}

bool GraphMemory::is_live(std::uint64_t address) const {
  const auto found = pieces_.find(address);
  return found != pieces_.end() && found->second.live;
}

cudaError_t GraphMemory::allocate(std::uint64_t address) {
  const auto found = pieces_.find(address);
  if (found == pieces_.end() || found->second.live) return cudaErrorInvalidValue;
  if (!runtime_.memory.reveal(address)) return cudaErrorMemoryAllocation;
  Piece& piece = found->second;
  piece.live = true;
  live_ += piece.bytes;
  held_ = std::max(held_, (live_ + kGraphPiece - 1) / kGraphPiece * kGraphPiece);
  used_high = std::max(used_high, held_);
  reserved_high = std::max(reserved_high, held_);
  if (runtime_.checker) runtime_.checker->allocated(address, piece.bytes);
  runtime_.profile.allocated(address, piece.bytes, "device", "cudaGraphAddMemAllocNode", runtime_.places.here(),
                             runtime_.memory.find(address)->device);
  return cudaSuccess;
}

cudaError_t GraphMemory::free(std::uint64_t address) {
  const auto found = pieces_.find(address);
  if (found == pieces_.end() || !found->second.live) return cudaErrorInvalidValue;
  found->second.live = false;
  live_ -= found->second.bytes;
  runtime_.profile.freed(address, runtime_.places.here());
  if (runtime_.checker) runtime_.checker->freed(address, found->second.bytes);
  runtime_.memory.hide(address);
  return cudaSuccess;
}

void GraphMemory::clear() {
  pieces_.clear();
  live_ = held_ = used_high = reserved_high = 0;
}

void GraphMemory::trim() { held_ = (live_ + kGraphPiece - 1) / kGraphPiece * kGraphPiece; }

}  // namespace warpbook::simulator::runtime
