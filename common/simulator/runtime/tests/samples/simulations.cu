// Time-stepped grids: the game of life in bits, heat in a plate with two buffers, and string waves in double precision.
#include "sample.h"

namespace {

constexpr int kSize = 96;

/// A word of 32 cells per thread; neighbours are added bit by bit.
__global__ void life(const unsigned* in, unsigned* out, int words, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= words || y >= rows) return;
  unsigned one = 0, two = 0, four = 0;
  const auto add = [&](unsigned cells) {
    const unsigned carry = one & cells;
    one ^= cells;
    four |= two & carry;
    two ^= carry;
  };
  const auto at = [&](int dx, int dy) { return in[(y + dy + rows) % rows * words + (x + dx + words) % words]; };
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned left = at(-1, dy), middle = at(0, dy), right = at(1, dy);
    add(__funnelshift_l(left, middle, 1));
    add(__funnelshift_r(middle, right, 1));
    if (dy != 0) add(middle);
  }
  out[y * words + x] = ~four & two & (one | at(0, 0));
}

/// A five-point stencil with a halo in shared memory.
__global__ void heat(const int* in, int* out) {
  __shared__ int tile[18][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int i = threadIdx.y; i < 18; i += 16) {
    for (int k = threadIdx.x; k < 34; k += 32) {
      const int px = blockIdx.x * 32 + k - 1, py = blockIdx.y * 16 + i - 1;
      tile[i][k] = px >= 0 && px < kSize && py >= 0 && py < kSize ? in[py * kSize + px] : 0;
    }
  }
  __syncthreads();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  out[y * kSize + x] =
      (4 * tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]) / 8;
}

__global__ void wave(const double* before, const double* now, double* after, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= count - 1) return;
  after[i] = __dadd_rn(__dadd_rn(2 * now[i], -before[i]),
                       __dmul_rn(0.25, __dadd_rn(__dadd_rn(now[i - 1], now[i + 1]), -2 * now[i])));
}

}  // namespace

int main() {
  sample::Numbers numbers(17);
  constexpr int kWords = 3, kRows = 50, kWidth = kWords * 32;
  std::vector<unsigned> cells(kWords * kRows);
  for (unsigned& word : cells) word = (numbers.next() << 8 ^ numbers.next()) & (numbers.next() << 8 ^ numbers.next());
  sample::Device<unsigned> a(cells), b(cells.size());
  unsigned *from = a, *to = b;
  for (int step = 0; step < 20; ++step, std::swap(from, to)) {
    life<<<dim3(1, 13), dim3(4, 4)>>>(from, to, kWords, kRows);
    const auto alive = [&](int x, int y) {
      x = (x + kWidth) % kWidth, y = (y + kRows) % kRows;
      return static_cast<int>(cells[y * kWords + x / 32] >> x % 32 & 1);
    };
    std::vector<unsigned> next(cells.size());
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        int around = -alive(x, y);
        for (int d = 0; d < 9; ++d) around += alive(x + d % 3 - 1, y + d / 3 - 1);
        if (around == 3 || (around == 2 && alive(x, y) != 0)) next[y * kWords + x / 32] |= 1u << x % 32;
      }
    }
    cells = next;
  }
  FINISH();
  sample::compare("life", a.get(), cells);

  std::vector<int> plate(kSize * kSize), host(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) plate[i] = i / kSize == 0 ? 1 << 20 : numbers.below(1000);
  sample::Device<int> p(plate), q(plate.size());
  for (int step = 0; step < 10; ++step) {
    heat<<<dim3(kSize / 32, kSize / 16), dim3(32, 16)>>>(step % 2 == 0 ? p : q, step % 2 == 0 ? q : p);
    const auto at = [&](int x, int y) { return x >= 0 && x < kSize && y >= 0 && y < kSize ? plate[y * kSize + x] : 0; };
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x)
        host[y * kSize + x] = (4 * at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 8;
    plate = host;
  }
  FINISH();
  sample::compare("heat", p.get(), plate);

  constexpr int kPoints = 300;
  std::vector<double> w[3] = {std::vector<double>(kPoints), std::vector<double>(kPoints), std::vector<double>(kPoints)};
  for (int i = 1; i < kPoints - 1; ++i) w[0][i] = w[1][i] = i < 50 ? i * 0.1 : i < 100 ? (100 - i) * 0.1 : 0;
  sample::Device<double> d0(w[0]), d1(w[1]), d2(w[2]);
  double* d[3] = {d0, d1, d2};
  for (int step = 0; step < 60; ++step) {
    wave<<<3, 100>>>(d[step % 3], d[(step + 1) % 3], d[(step + 2) % 3], kPoints);
    const std::vector<double>&before = w[step % 3], &now = w[(step + 1) % 3];
    for (int i = 1; i < kPoints - 1; ++i)
      w[(step + 2) % 3][i] = (2 * now[i] + -before[i]) + 0.25 * ((now[i - 1] + now[i + 1]) + -2 * now[i]);
  }
  FINISH();
  sample::compare("waves", d1.get(), w[1]);
  return sample::passed();
}
