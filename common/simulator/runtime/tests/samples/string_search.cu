// Strings: patterns counted with rolling hashes and with an automaton in constant memory, words, CRC-32 and SHA-256.
#include <string>

#include "sample.h"

namespace {

#define PATTERN "abacab"
constexpr int kLength = 6;
__constant__ unsigned char automaton[kLength + 1][4];

/// Each thread hashes the substrings that end in its part.
__global__ void by_hashes(const char* text, int count, unsigned* found) {
  constexpr unsigned kBase = 257;
  unsigned wanted = 0, power = 1;
  for (int i = 0; i < kLength; ++i) wanted = wanted * kBase + PATTERN[i], power *= kBase;
  constexpr int kPiece = 64;
  const int from = (blockIdx.x * blockDim.x + threadIdx.x) * kPiece;
  unsigned hash = 0, own = 0;
  for (int i = max(from - kLength + 1, 0); i < min(from + kPiece, count); ++i) {
    hash = hash * kBase + text[i] - (i - kLength >= max(from - kLength + 1, 0) ? power * text[i - kLength] : 0);
    if (i >= from && i >= kLength - 1 && hash == wanted) {
      bool same = true;
      for (int k = 0; k < kLength; ++k) same = same && text[i - kLength + 1 + k] == PATTERN[k];
      own += same;
    }
  }
  if (own != 0) atomicAdd(found, own);
}

__global__ void by_automaton(const char* text, int count, int piece, unsigned* found) {
  const int from = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  unsigned state = 0, own = 0;
  for (int i = max(from - kLength + 1, 0); i < min(from + piece, count); ++i) {
    state = automaton[state][text[i] - 'a'];
    own += state == kLength && i >= from;
  }
  atomicAdd(found + 1, own);
}

__global__ void count_words(const char* text, int count, unsigned* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool starts = i < count && text[i] != 'd' && (i == 0 || text[i - 1] == 'd');
  const int words = __syncthreads_count(starts);
  if (threadIdx.x == 0) atomicAdd(found + 2, words);
}

__host__ __device__ unsigned crc32(const char* text, int count) {
  unsigned crc = ~0u;
  for (int i = 0; i < count; ++i) {
    crc ^= static_cast<unsigned char>(text[i]);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

__global__ void checksums(const char* text, int piece, unsigned* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = crc32(text + t * piece, piece);
}

__constant__ unsigned rounds[64];

/// SHA-256 of a one-block message: the thread's number as eight digits.
__global__ void sha256(unsigned* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w[64] = {},
           h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0, rest = static_cast<int>(t); i < 8; ++i, rest /= 10)
    w[(7 - i) / 4] |= ('0' + rest % 10) << 8 * (i % 4);
  w[2] = 0x80000000, w[15] = 64;
  const auto turn = [](unsigned x, int n) { return __funnelshift_r(x, x, n); };
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
  unsigned v[8];
  for (int i = 0; i < 8; ++i) v[i] = h[i];
  for (int i = 0; i < 64; ++i) {
    const unsigned a =
        v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
    const unsigned b =
        (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; --k) v[k] = v[k - 1];
    v[4] += a, v[0] = a + b;
  }
  for (int i = 0; i < 8; ++i) out[8 * t + i] = h[i] + v[i];
}

}  // namespace

int main() {
  sample::Numbers numbers(16);
  constexpr int kCount = 40000;
  std::string text(kCount, ' ');
  for (char& c : text) c = "aabbacdc"[numbers.below(8)];
  for (int i = 100; i < kCount - 10; i += 777) text.replace(i, kLength, PATTERN);
  unsigned char table[kLength + 1][4] = {};
  for (int state = 0; state <= kLength; ++state) {
    for (int c = 0; c < 4; ++c) {
      const std::string seen = std::string(PATTERN, state) + static_cast<char>('a' + c);
      for (int k = std::min<int>(kLength, state + 1); k > 0 && table[state][c] == 0; --k)
        if (seen.compare(seen.size() - k, k, PATTERN, k) == 0) table[state][c] = static_cast<unsigned char>(k);
    }
  }
  CUDA(cudaMemcpyToSymbol(automaton, table, sizeof table));
  unsigned matches = 0, words = 0;
  for (std::size_t at = text.find(PATTERN); at != std::string::npos; at = text.find(PATTERN, at + 1)) ++matches;
  for (int i = 0; i < kCount; ++i) words += text[i] != 'd' && (i == 0 || text[i - 1] == 'd');
  sample::Device<char> device(std::vector<char>(text.begin(), text.end()));
  sample::Device<unsigned> found(3), sums(256);
  by_hashes<<<5, 128>>>(device, kCount, found);
  by_automaton<<<4, 64>>>(device, kCount, 157, found);
  count_words<<<(kCount + 255) / 256, 256>>>(device, kCount, found);
  FINISH();
  sample::compare("found", found.get(), std::vector<unsigned>{matches, matches, words});
  std::printf("%u matches, %u words\n", matches, words);

  std::vector<unsigned> wanted;
  for (int t = 0; t < 256; ++t) wanted.push_back(crc32(&text[t * 100], 100));
  checksums<<<2, 128>>>(device, 100, sums);
  FINISH();
  sample::compare("CRC-32", sums.get(), wanted);

  // The fractions of cube roots of the first primes.
  unsigned constants[64];
  for (int i = 0, n = 2; i < 64; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double root = std::cbrt(static_cast<long double>(n));
    constants[i++] = static_cast<unsigned>((root - std::floor(root)) * 4294967296.0L);
  }
  CUDA(cudaMemcpyToSymbol(rounds, constants, sizeof constants));
  sample::Device<unsigned> digests(8 * 128);
  sha256<<<2, 64>>>(digests);
  FINISH();
  const std::vector<unsigned> hashes = digests.get();
  std::printf("SHA-256 of 00000042: ");
  for (int i = 0; i < 8; ++i) std::printf("%08x", hashes[42 * 8 + i]);
  std::printf("\n");
  sample::compare("its first word", hashes[42 * 8], 0x9eb28d78u);
  return sample::passed();
}
