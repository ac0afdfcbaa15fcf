// Keeps, merges and compares footprints chunk by chunk.
#include "common/simulator/observe/footprint.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace warpbook::simulator {

struct Footprint::State {
  static constexpr std::size_t kTableBytes = kChunks * sizeof(void*);     ///< Size of chunks_.
  std::vector<std::pair<std::uint32_t, std::unique_ptr<Chunk>>> touched;  ///< By index, in the order of first touch.
  std::vector<std::unique_ptr<Chunk>> spare;                              ///< Cleared chunks of earlier launches.
};

Footprint::Footprint() : state_(std::make_unique<State>()) {
  void* pages =
      mmap(nullptr, State::kTableBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  chunks_ = static_cast<Chunk**>(pages);
}

Footprint::~Footprint() {
  if (chunks_ == nullptr) return;
  munmap(chunks_, State::kTableBytes);
}

Footprint::Footprint(Footprint&& other) noexcept
    : chunks_(std::exchange(other.chunks_, nullptr)),
      swaps_(std::move(other.swaps_)),
      state_(std::move(other.state_)) {}

Footprint& Footprint::operator=(Footprint&& other) noexcept {
  std::swap(chunks_, other.chunks_);
  std::swap(swaps_, other.swaps_);
  std::swap(state_, other.state_);
  return *this;
}

Footprint::Chunk* Footprint::create(std::uint64_t index) {
  std::unique_ptr<Chunk> chunk;
  if (state_->spare.empty()) {
    chunk = std::make_unique<Chunk>();
  } else {
    chunk = std::move(state_->spare.back());
    state_->spare.pop_back();
  }
  chunks_[index] = chunk.get();
  state_->touched.emplace_back(static_cast<std::uint32_t>(index), std::move(chunk));
  return chunks_[index];
}

void Footprint::clear() {
  swaps_.clear();
  for (auto& [index, chunk] : state_->touched) {
    chunks_[index] = nullptr;
    *chunk = Chunk{};
    state_->spare.push_back(std::move(chunk));
  }
  state_->touched.clear();
}

bool Footprint::conflict(const std::vector<const Footprint*>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const auto& [index, chunk] : all[i]->state_->touched) {
      const Chunk& mine = *chunk;
      for (std::size_t j = 0; j < i; ++j) {
        if (all[j]->chunks_[index] == nullptr) continue;
        const Chunk& other = *all[j]->chunks_[index];
        const bool commute = mine.kind == other.kind && !mine.mixed && !other.mixed;
        std::uint64_t shared = 0;
        for (unsigned w = 0; w < kWords; ++w) {
          const std::uint64_t reductions = mine.reduced[w] & other.reduced[w];
          shared |= (mine.written[w] & (other.read[w] | other.written[w] | other.reduced[w])) |
                    (mine.read[w] & (other.written[w] | other.reduced[w])) |
                    (mine.reduced[w] & (other.read[w] | other.written[w])) | (commute ? 0 : reductions);
        }
        if (shared != 0) return true;
      }
    }
  }
  return false;
}

/// In steps that compilers can vectorise, because the popcount instruction may not be available.
std::uint64_t Footprint::count(const Bits& bits) {
  constexpr unsigned kStep = 16;  // The sum of that many bytes' bits fits in a byte.
  static_assert(kWords % kStep == 0);
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < kWords; k += kStep) {
    std::uint64_t bytes = 0;
    for (unsigned i = k; i < k + kStep; ++i) {
      std::uint64_t v = bits[i];
      v -= (v >> 1) & 0x5555555555555555;
      v = (v & 0x3333333333333333) + ((v >> 2) & 0x3333333333333333);
      bytes += (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    }
    bytes = (bytes & 0x00ff00ff00ff00ff) + ((bytes >> 8) & 0x00ff00ff00ff00ff);
    sum += (bytes * 0x0001000100010001) >> 48;
  }
  return sum;
}

Footprint::Bits Footprint::pairs_of(const Bits& bits) {
  constexpr std::uint64_t kEven = 0x5555555555555555;  // the first sector of each pair
  Bits pairs;
  for (unsigned w = 0; w < kWords; ++w) pairs[w] = (bits[w] | bits[w] >> 1) & kEven;
  return pairs;
}

void Footprint::for_each_chunk(const std::vector<const Footprint*>& all,
                               const std::function<void(std::uint64_t, const Bits& read, const Bits& written)>& visit) {
  std::vector<std::uint32_t> touched;
  for (const Footprint* one : all)
    for (const auto& touch : one->state_->touched) touched.push_back(touch.first);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const std::uint32_t index : touched) {
    Bits read = {}, written = {};
    for (const Footprint* one : all) {
      const Chunk* chunk = one->chunks_[index];
      if (chunk == nullptr) continue;
      for (unsigned w = 0; w < kWords; ++w) {
        read[w] |= chunk->read[w] | chunk->reduced[w];
        written[w] |= chunk->written[w] | chunk->reduced[w];
      }
    }
    visit(index, read, written);
  }
}

FootprintSizes Footprint::count_union(const std::vector<const Footprint*>& all) {
  FootprintSizes sizes;
  SwapTally swaps;
  for (const Footprint* one : all) swaps.add(one->swaps_);
  sizes.swaps = swaps.sums();
  for_each_chunk(all, [&](std::uint64_t, const Bits& read, const Bits& written) {
    Bits any;
    for (unsigned w = 0; w < kWords; ++w) any[w] = read[w] | written[w];
    sizes.read += count(read);
    sizes.written += count(written);
    sizes.any += count(any);
    sizes.read_pairs += count(pairs_of(read));
    for (const std::uint64_t word : read)
      sizes.read_kib += ((word & 0xffffffffu) != 0 ? 1u : 0u) + (word >> 32 != 0 ? 1u : 0u);
    sizes.written_pairs += count(pairs_of(written));
  });
  return sizes;
}

}  // namespace warpbook::simulator
