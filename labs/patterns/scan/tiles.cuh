// Given: quads of elements; tiles that a block scans in rounds: which they are, their copies in shared memory, and what
// blocks tell each other.
#pragma once

#include <cuda_pipeline.h>

/// The tiles of a block, one in each round: those of all blocks in a round lie side by side. A tile is for a block of
/// kThreads threads with kQuads quads each; each warp has kQuads rows of 32 quads. The tile of a round is copied to
/// stage round % kStages of the block's dynamic shared memory.
template <int kThreads, int kQuads, int kStages>
class Tiles {
 public:
  static constexpr int kNumbers = 4 * kQuads * kThreads;  ///< Of a tile.

  /// @param in n numbers
  __device__ Tiles(const int* in, int n) : in_(in), n_(n), tiles_((n + kNumbers - 1) / kNumbers) {}

  /// The number of the block's tile in a round.
  __device__ int tile(int round) const { return round * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x); }
  __device__ bool exists(int round) const { return tile(round) < tiles_; }

  /// The last tile of block threadIdx.x that comes before the block's own one of a round; negative if there is none.
  __device__ int before(int round) const {
    const int other = threadIdx.x, blocks = gridDim.x;
    return other >= blocks ? -1 : (other < static_cast<int>(blockIdx.x) ? round : round - 1) * blocks + other;
  }

  /// The thread's quad in row q of its warp: its copy, and the index of its first number.
  __device__ int4& quad(int round, int q) const {
    extern __shared__ int4 stages[];
    return stages[round % kStages * kQuads * kThreads + quad_of_tile(q)];
  }
  __device__ int first(int round, int q) const { return tile(round) * kNumbers + 4 * quad_of_tile(q); }

  /// Starts the copies of the thread's quads of a round, with 0 for numbers that do not exist. All threads call it, for
  /// rounds without a tile too.
  __device__ void copy(int round) const {
    const int left = n_ - tile(round) * kNumbers;
    if (left >= kNumbers)
      for (int q = 0; q < kQuads; ++q) __pipeline_memcpy_async(&quad(round, q), in_ + first(round, q), 16);
    for (int q = 0; q < kQuads && left > 0 && left < kNumbers; ++q) {
      const int exist = min(4, max(0, n_ - first(round, q)));
      __pipeline_memcpy_async(&quad(round, q), exist > 0 ? in_ + first(round, q) : in_, 16, 16 - 4 * exist);
    }
    __pipeline_commit();
  }

 private:
  __device__ int quad_of_tile(int q) const {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    return (warp * kQuads + q) * 32 + lane;
  }

  const int* in_;
  int n_, tiles_;
};

/// Tells the sum of a tile: a word that is not 0, whatever the sum is.
__device__ inline void tell(unsigned long long* place, int sum) {
  const unsigned long long word = 1ULL << 32 | static_cast<unsigned>(sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(word) : "memory");
}

/// What is at a place now: 0, or what was told, with the sum in its lower half.
__device__ inline unsigned long long look(const unsigned long long* place) {
  unsigned long long word = 0;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(place) : "memory");
  return word;
}

__device__ inline int sum_of(int4 quad) { return quad.x + quad.y + quad.z + quad.w; }

/// The sum of the first numbers, as many as `count`.
__device__ inline int sum_of(const int* numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

/// The four elements from `first` on, with 0 for those that do not exist. `first` is a multiple of 4.
__device__ inline int4 quad_at(const int* in, int first, int n) {
  if (first + 3 < n) return *reinterpret_cast<const int4*>(in + first);
  return {first < n ? in[first] : 0, first + 1 < n ? in[first + 1] : 0, first + 2 < n ? in[first + 2] : 0, 0};
}

/// Stores four elements from `first` on, as far as they exist.
__device__ inline void store_quad(int* out, int first, int n, int4 quad) {
  const int each[3] = {quad.x, quad.y, quad.z};
  if (first + 3 < n) *reinterpret_cast<int4*>(out + first) = quad;
  for (int k = 0; k < 3; ++k)
    if (first + 3 >= n && first + k < n) out[first + k] = each[k];
}

__device__ inline int4 plus(int4 quad, int number) {
  return {quad.x + number, quad.y + number, quad.z + number, quad.w + number};
}
