// A hash table with compare-and-swap: many threads insert, count, look up and delete; and a Bloom filter.
#include <map>

#include "sample.h"

namespace {

constexpr unsigned kSlots = 4096, kEmpty = 0xffffffff;

struct Slot {
  unsigned key, count;
};

__host__ __device__ unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6b;
  key ^= key >> 13;
  key *= 0xc2b2ae35;
  return key ^ key >> 16;
}

__global__ void insert(Slot* table, const unsigned* keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (unsigned slot = hash(keys[i]) % kSlots;; slot = (slot + 1) % kSlots) {
    const unsigned seen = atomicCAS(&table[slot].key, kEmpty, keys[i]);
    if (seen != kEmpty && seen != keys[i]) continue;
    atomicAdd(&table[slot].count, 1);
    return;
  }
}

__global__ void look_up(const Slot* table, const unsigned* keys, unsigned* counts, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned found = 0;
  for (unsigned slot = hash(keys[i]) % kSlots; table[slot].key != kEmpty; slot = (slot + 1) % kSlots)
    if (table[slot].key == keys[i]) found = table[slot].count;
  counts[i] = found;
}

/// 64-bit pairs of key and value; the smallest value stays.
__global__ void keep_least(unsigned long long* table, const unsigned* keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned long long pair = static_cast<unsigned long long>(keys[i]) << 32 | (i * 7919u % 10007);
  for (unsigned slot = hash(keys[i]) % kSlots;; slot = (slot + 1) % kSlots) {
    unsigned long long seen = atomicCAS(&table[slot], ~0ull, pair);
    if (seen == ~0ull) return;
    if (seen >> 32 != keys[i]) continue;
    atomicMin(&table[slot], pair);
    return;
  }
}

__global__ void bloom_insert(unsigned* bits, const unsigned* keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (unsigned k = 0; k < 3; ++k) {
    const unsigned bit = hash(keys[i] + k * 0x9e3779b9) % 16384;
    atomicOr(&bits[bit / 32], 1u << bit % 32);
  }
}

}  // namespace

int main() {
  sample::Numbers numbers(15);
  constexpr int kKeys = 5000;
  std::vector<unsigned> keys(kKeys), asked(3000), counts(3000);
  std::map<unsigned, unsigned> wanted, least;
  for (int i = 0; i < kKeys; ++i) {
    keys[i] = numbers.below(3000) * 7;
    ++wanted[keys[i]];
    const unsigned value = i * 7919u % 10007;
    least.emplace(keys[i], value).first->second = std::min(least.emplace(keys[i], value).first->second, value);
  }
  for (unsigned i = 0; i < 3000; ++i)
    asked[i] = i * 7 + i % 2, counts[i] = wanted.count(asked[i]) ? wanted[asked[i]] : 0;
  sample::Device<Slot> table(std::vector<Slot>(kSlots, {kEmpty, 0}));
  sample::Device<unsigned> device_keys(keys), device_asked(asked), found(3000), bits(512);
  insert<<<20, 256>>>(table, device_keys, kKeys);
  look_up<<<12, 256>>>(table, device_asked, found, 3000);
  FINISH();
  sample::compare("counts", found.get(), counts);
  unsigned used = 0;
  for (const Slot& slot : table.get()) used += slot.key != kEmpty;
  sample::compare("keys", used, static_cast<unsigned>(wanted.size()));

  sample::Device<unsigned long long> pairs(std::vector<unsigned long long>(kSlots, ~0ull));
  keep_least<<<20, 256>>>(pairs, device_keys, kKeys);
  FINISH();
  std::vector<unsigned> values, least_values;
  std::map<unsigned, unsigned> kept;
  for (const unsigned long long pair : pairs.get())
    if (pair != ~0ull) kept[pair >> 32] = static_cast<unsigned>(pair);
  for (const auto& [key, value] : kept) values.push_back(value);
  for (const auto& [key, value] : least) least_values.push_back(value);
  sample::compare("least values", values, least_values);

  std::vector<unsigned> filter(512);
  for (const unsigned key : keys)
    for (unsigned k = 0; k < 3; ++k)
      filter[hash(key + k * 0x9e3779b9) % 16384 / 32] |= 1u << hash(key + k * 0x9e3779b9) % 32;
  bloom_insert<<<20, 256>>>(bits, device_keys, kKeys);
  FINISH();
  sample::compare("Bloom filter", bits.get(), filter);
  return sample::passed();
}
