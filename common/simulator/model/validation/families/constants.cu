// Validation cases: constant memory that fits its caches or does not, read by all lanes at one address or at several.
#include "common/simulator/model/validation/cases.cuh"

namespace {

constexpr int kTableWords = 12288;  ///< 48 KiB of the 64 that a module has.
__constant__ int constant_words[kTableWords];
__constant__ float constant_taps[25];
__constant__ float4 constant_bodies[512];

__device__ unsigned constant_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Each load depends on the previous one: a walk over a table of `mask + 1` words, 68 bytes per step.
__global__ void constant_chase(int* out, int steps, int mask) {
  int at = 0;
  for (int k = 0; k < steps; ++k) at = (at + 17 + constant_words[at]) & mask;
  out[constant_thread()] = at;
}
/// Groups of 2^group adjacent lanes read one word, the next group the next word.
__global__ void constant_lanes(int* out, int steps, int mask, int group, int words) {
  int sum = 0, at = (threadIdx.x >> group) * words;
  for (int k = 0; k < steps; ++k) sum += constant_words[(at + k * 17) & mask];
  out[constant_thread()] = sum;
}
/// Every thread reads its own word, chosen by the data.
__global__ void constant_lookup(const int* in, int* out, int mask) {
  out[constant_thread()] = constant_words[in[constant_thread()] & mask];
}
__global__ void constant_convolution(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = 0; dy < 5; ++dy)
    for (int dx = 0; dx < 5; ++dx) sum += constant_taps[dy * 5 + dx] * in[(y + dy) * width + x + dx];
  out[y * width + x] = sum;
}
/// All lanes go through all bodies in step.
__global__ void constant_pairs(const float4* in, float4* out, int bodies) {
  const float4 own = in[constant_thread()];
  float3 sum = make_float3(0, 0, 0);
  for (int k = 0; k < bodies; ++k) {
    const float4 other = constant_bodies[k];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float weight = other.w * rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    sum = make_float3(sum.x + dx * weight, sum.y + dy * weight, sum.z + dz * weight);
  }
  out[constant_thread()] = make_float4(sum.x, sum.y, sum.z, own.w);
}

}  // namespace

void add_constants(Cases& cases) {
  auto* out = reinterpret_cast<int*>(cases.b);
  for (const int kib : {1, 4, 16, 32}) {
    const std::string name = std::to_string(kib) + "_";
    for (const int steps : {256, 1024})
      cases.add("micro_constants", "chase_" + name + std::to_string(steps), kib, constant_chase, 132, 32, 0, out, steps,
                kib * 256 - 1);
    for (const int steps : {64, 256, 1024})
      cases.add("micro_constants", "uniform_" + name + std::to_string(steps), kib, constant_lanes, 528, 256, 0, out,
                steps, kib * 256 - 1, 31, 0);
  }
  for (const int group : {0, 1, 2, 3, 4})
    for (const int steps : {16, 64})
      cases.add("micro_constants", "lanes_" + std::to_string(32 >> group) + "_" + std::to_string(steps), group,
                constant_lanes, 528, 256, 0, out, steps, 255, group, 1);
  for (const int words : {1, 5, 16})
    for (const int steps : {16, 64})
      cases.add("micro_constants", "apart_" + std::to_string(words) + "_" + std::to_string(steps), words,
                constant_lanes, 528, 256, 0, out, steps, 4095, 0, words);
  for (const int words : {64, 256, 1024, 4096})
    cases.add("constants", "lookup_" + std::to_string(words), words, constant_lookup, 1024, 256, 0, cases.indices, out,
              words - 1);
  cases.add("constants", "convolution_5x5", 5, constant_convolution, dim3(32, 64), dim3(32, 16), 0, cases.a, cases.b,
            1028);
  for (const int bodies : {64, 128, 512})
    cases.add("constants", "pairs_" + std::to_string(bodies), bodies, constant_pairs, 256, 256, 0,
              reinterpret_cast<float4*>(cases.a), reinterpret_cast<float4*>(cases.b), bodies);
  cases.add("constants", "groups_4", 4, constant_lanes, 528, 256, 0, out, 128, 1023, 3, 33);
  cases.add("constants", "steps_8192", 8192, constant_lanes, 264, 256, 0, out, 128, 8191, 31, 0);
}
