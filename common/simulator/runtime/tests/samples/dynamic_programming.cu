// Dynamic programming: edit distance by diagonals, longest common subsequence in bits, a knapsack by rows.
#include <string>

#include "sample.h"

namespace {

/// One diagonal after another; cells of one diagonal do not depend on each other.
__global__ void edit_distance(const char* a, int na, const char* b, int nb, int* table) {
  const int width = nb + 1;
  for (int d = 0; d <= na + nb; ++d) {
    for (int i = max(0, d - nb) + threadIdx.x; i <= min(d, na); i += blockDim.x) {
      const int j = d - i;
      int best = i == 0 ? j : j == 0 ? i : table[(i - 1) * width + j - 1] + (a[i - 1] != b[j - 1]);
      if (i > 0 && j > 0) best = min(best, min(table[(i - 1) * width + j], table[i * width + j - 1]) + 1);
      table[i * width + j] = best;
    }
    __syncthreads();
  }
}

/// The length of the longest common subsequence of a pair of words, 64 letters at a time in a word of bits.
__global__ void common(const char* words, int length, int* out, int count) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  const char *a = words + t * length, *b = words + (t + 1) % count * length;
  unsigned long long v = ~0ull;
  for (int j = 0; j < length; ++j) {
    unsigned long long same = 0;
    for (int i = 0; i < length; ++i) same |= static_cast<unsigned long long>(a[i] == b[j]) << i;
    const unsigned long long u = v & same;
    v = (v + u) | (v - u);
  }
  out[t] = __popcll(~v & (length == 64 ? ~0ull : (1ull << length) - 1));
}

__global__ void knapsack_row(const int* before, int* after, int weight, int value, int capacity) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c <= capacity) after[c] = c >= weight ? max(before[c], before[c - weight] + value) : before[c];
}

int lcs(const char* a, const char* b, int n) {
  std::vector<int> row(n + 1);
  for (int i = 0; i < n; ++i) {
    int diagonal = 0;
    for (int j = 0; j < n; ++j) {
      const int up = row[j + 1];
      row[j + 1] = a[i] == b[j] ? diagonal + 1 : std::max(up, row[j]);
      diagonal = up;
    }
  }
  return row[n];
}

}  // namespace

int main() {
  sample::Numbers numbers(14);
  std::vector<char> a(200), b(170);
  for (char& c : a) c = static_cast<char>('a' + numbers.below(4));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = numbers.below(5) == 0 ? 'z' : a[i + i / 10];
  std::vector<int> table(201 * 171);
  for (int i = 0; i <= 200; ++i)
    for (int j = 0; j <= 170; ++j)
      table[i * 171 + j] = i == 0   ? j
                           : j == 0 ? i
                                    : std::min(table[(i - 1) * 171 + j - 1] + (a[i - 1] != b[j - 1]),
                                               std::min(table[(i - 1) * 171 + j], table[i * 171 + j - 1]) + 1);
  sample::Device<char> device_a(a), device_b(b);
  sample::Device<int> device_table(table.size());
  edit_distance<<<1, 128>>>(device_a, 200, device_b, 170, device_table);
  FINISH();
  sample::compare("edit distance", device_table.get(), table);
  std::printf("%d edits\n", table.back());

  constexpr int kWords = 100, kLength = 48;
  std::vector<char> words(kWords * kLength);
  for (char& c : words) c = static_cast<char>('a' + numbers.below(3));
  std::vector<int> lengths;
  for (int t = 0; t < kWords; ++t)
    lengths.push_back(lcs(&words[t * kLength], &words[(t + 1) % kWords * kLength], kLength));
  sample::Device<char> device_words(words);
  sample::Device<int> out(kWords);
  common<<<4, 32>>>(device_words, kLength, out, kWords);
  FINISH();
  sample::compare("common subsequences", out.get(), lengths);

  constexpr int kCapacity = 999;
  std::vector<int> best(kCapacity + 1);
  sample::Device<int> row(kCapacity + 1), other(kCapacity + 1);
  int *before = row, *after = other;
  for (int item = 0; item < 40; ++item, std::swap(before, after)) {
    const int weight = 5 + numbers.below(90), value = 1 + numbers.below(500);
    knapsack_row<<<8, 128>>>(before, after, weight, value, kCapacity);
    for (int c = kCapacity; c >= weight; --c) best[c] = std::max(best[c], best[c - weight] + value);
  }
  FINISH();
  std::vector<int> got(kCapacity + 1);
  CUDA(cudaMemcpy(got.data(), before, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  sample::compare("knapsack", got, best);
  return sample::passed();
}
