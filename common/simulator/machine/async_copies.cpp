// Completes asynchronous copies when a lane waits for them.
#include "common/simulator/machine/async_copies.h"

#include <bit>
#include <cstring>

#include "common/simulator/observe/undefined_bits.h"

namespace warpbook::simulator {

void AsyncCopies::forget() {
  copies_.clear();
  committed_ = {};
  used_ = false;
}

AsyncCopies::Copy& AsyncCopies::start(std::uint32_t lanes, std::uint32_t bytes, std::byte* shared) {
  constexpr std::size_t kMost = 1024;
  if (copies_.size() >= kMost) wait_for_all(~0u, shared);
  used_ = true;
  Copy& copy = copies_.emplace_back();
  copy.lanes = lanes;
  copy.bytes = bytes;
  copy.group = committed_;
  copy.number = started_++;
  return copy;
}

void AsyncCopies::commit(std::uint32_t lanes) {
  used_ = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) committed_[lane] += (lanes >> lane) & 1;
}

void AsyncCopies::wait(std::uint32_t lanes, std::uint64_t pending, std::byte* shared) {
  land(lanes, shared, [&](const Copy& copy, unsigned lane) { return copy.group[lane] + pending < committed_[lane]; });
}

void AsyncCopies::wait_until(unsigned lane, std::uint64_t number, std::byte* shared) {
  land(1u << lane, shared, [&](const Copy& copy, unsigned) { return copy.number < number; });
}

void AsyncCopies::wait_for_all(std::uint32_t lanes, std::byte* shared) {
  land(lanes, shared, [](const Copy&, unsigned) { return true; });
}

template <class Done>
void AsyncCopies::land(std::uint32_t lanes, std::byte* shared, Done is_done) {
  for (Copy& copy : copies_) {
    for (std::uint32_t left = copy.lanes & lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (!is_done(copy, lane)) continue;
      std::memcpy(shared + copy.to[lane], copy.data[lane].data(), copy.bytes);
      if (of_shared != nullptr) of_shared->assign(copy.to[lane], copy.bytes, copy.undefined[lane]);
      copy.lanes &= ~(1u << lane);
    }
  }
  std::erase_if(copies_, [](const Copy& copy) { return copy.lanes == 0; });
}

}  // namespace warpbook::simulator
