// How tiles of 8 x 8 halves move between shared memory and the registers of a warp: ldmatrix, stmatrix and movmatrix in
// all shapes.
#include "sample.h"

constexpr int kTile = 64;  ///< Elements of a tile; each row has 16 bytes.

/// Row addresses: those of tile t are in lanes 8 t to 8 t + 7; other lanes' are unused.
__device__ unsigned row_of(const unsigned short* tiles, int count) {
  const int lane = threadIdx.x % (8 * count);
  return static_cast<unsigned>(__cvta_generic_to_shared(tiles + lane * 8));
}

template <int kCount, bool kTransposed>
__global__ void load(const unsigned short* in, unsigned* out) {
  __shared__ alignas(16) unsigned short tiles[4 * kTile];
  for (int i = threadIdx.x; i < 4 * kTile; i += 32) tiles[i] = in[i];
  __syncwarp();
  unsigned r[4] = {};
  const unsigned at = row_of(tiles, kCount);
  if constexpr (kCount == 1 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  if constexpr (kCount == 1 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  if constexpr (kCount == 2 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
  if constexpr (kCount == 2 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
  if constexpr (kCount == 4 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  if constexpr (kCount == 4 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  for (int k = 0; k < kCount; ++k) out[k * 32 + threadIdx.x] = r[k];
}

template <int kCount, bool kTransposed>
__global__ void store(const unsigned* in, unsigned short* out) {
  __shared__ alignas(16) unsigned short tiles[4 * kTile];
  for (int i = threadIdx.x; i < 4 * kTile; i += 32) tiles[i] = 0xffff;
  __syncwarp();
  unsigned r[4];
  for (int k = 0; k < 4; ++k) r[k] = in[k * 32 + threadIdx.x];
  const unsigned at = row_of(tiles, kCount);
  if constexpr (kCount == 1 && !kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[0]) : "memory");
  if constexpr (kCount == 1 && kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[0]) : "memory");
  if constexpr (kCount == 2 && !kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]) : "memory");
  if constexpr (kCount == 2 && kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1])
                 : "memory");
  if constexpr (kCount == 4 && !kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3])
                 : "memory");
  if constexpr (kCount == 4 && kTransposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 4 * kTile; i += 32) out[i] = tiles[i];
}

__global__ void turn(const unsigned* in, unsigned* out) {
  unsigned r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(in[threadIdx.x]));
  out[threadIdx.x] = r;
}

/// Row and column in the tile of half @p half of @p lane.
static int place(int lane, int half, bool transposed) {
  const int row = lane / 4, column = lane % 4 * 2 + half;
  return transposed ? column * 8 + row : row * 8 + column;
}

template <int kCount, bool kTransposed>
static void check(const std::vector<unsigned short>& tiles, const std::vector<unsigned>& words) {
  char name[64];
  const sample::Device<unsigned short> in(tiles);
  const sample::Device<unsigned> out(kCount * 32);
  load<kCount, kTransposed><<<1, 32>>>(in, out);
  FINISH();
  std::vector<unsigned> loaded(kCount * 32);
  for (int i = 0; i < kCount * 32; ++i)
    for (int half = 0; half < 2; ++half)
      loaded[i] |= static_cast<unsigned>(tiles[i / 32 * kTile + place(i % 32, half, kTransposed)]) << (16 * half);
  std::snprintf(name, sizeof name, "ldmatrix.x%d%s", kCount, kTransposed ? ".trans" : "");
  sample::compare(name, out.get(), loaded);

  const sample::Device<unsigned> from(words);
  const sample::Device<unsigned short> to(4 * kTile);
  store<kCount, kTransposed><<<1, 32>>>(from, to);
  FINISH();
  std::vector<unsigned short> stored(4 * kTile, 0xffff);
  for (int i = 0; i < kCount * 32; ++i)
    for (int half = 0; half < 2; ++half)
      stored[i / 32 * kTile + place(i % 32, half, kTransposed)] = static_cast<unsigned short>(words[i] >> (16 * half));
  name[0] = 's';
  name[1] = 't';
  sample::compare(name, to.get(), stored);
}

int main() {
  sample::Numbers numbers(7);
  std::vector<unsigned short> tiles(4 * kTile);
  std::vector<unsigned> words(128);
  for (auto& value : tiles) value = static_cast<unsigned short>(numbers.next());
  for (auto& value : words) value = numbers.next() * 257u;
  check<1, false>(tiles, words);
  check<1, true>(tiles, words);
  check<2, false>(tiles, words);
  check<2, true>(tiles, words);
  check<4, false>(tiles, words);
  check<4, true>(tiles, words);
  const sample::Device<unsigned> in(words), out(32);
  turn<<<1, 32>>>(in, out);
  FINISH();
  std::vector<unsigned> turned(32);
  for (int lane = 0; lane < 32; ++lane)
    for (int half = 0; half < 2; ++half) {
      const int at = place(lane, half, true), source = at / 8 * 4 + at % 8 / 2;
      turned[lane] |= (words[source] >> (16 * (at % 2)) & 0xffff) << (16 * half);
    }
  sample::compare("movmatrix", out.get(), turned);
  return sample::passed();
}
