// N-body simulation: forces with tiles in shared memory, and time steps; energy and momentum are conserved.
#include "sample.h"

namespace {

constexpr int kBodies = 128, kTile = 64;

__device__ float3 pull(float3 force, float4 own, float4 other) {
  const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), scale = other.w * inverse * inverse * inverse;
  return {force.x + x * scale, force.y + y * scale, force.z + z * scale};
}

__global__ void step(const float4* from, float4* to, float4* velocities, float dt) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 own = from[i];
  float3 force{0, 0, 0};
  for (int start = 0; start < kBodies; start += kTile) {
    tile[threadIdx.x] = from[start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) force = pull(force, own, tile[k]);
    __syncthreads();
  }
  float4 v = velocities[i];
  v.x += force.x * dt, v.y += force.y * dt, v.z += force.z * dt;
  velocities[i] = v;
  to[i] = {own.x + v.x * dt, own.y + v.y * dt, own.z + v.z * dt, own.w};
}

}  // namespace

int main() {
  sample::Numbers numbers(9);
  std::vector<float4> bodies(kBodies);
  for (float4& body : bodies)
    body = {numbers.unit() - 0.5f, numbers.unit() - 0.5f, numbers.unit() - 0.5f, 1.0f / kBodies};
  std::vector<double> wanted, position(3 * kBodies), velocity(3 * kBodies);
  for (int i = 0; i < kBodies; ++i)
    position[3 * i] = bodies[i].x, position[3 * i + 1] = bodies[i].y, position[3 * i + 2] = bodies[i].z;
  sample::Device<float4> a(bodies), b(kBodies), velocities(kBodies);
  constexpr double kStep = 1.0 / 128;
  for (int s = 0; s < 4; ++s) {
    step<<<kBodies / kTile, kTile>>>(s % 2 == 0 ? a : b, s % 2 == 0 ? b : a, velocities, static_cast<float>(kStep));
    for (int i = 0; i < kBodies; ++i) {
      for (int k = 0; k < kBodies; ++k) {
        double d[3], square = 0.01;
        for (int c = 0; c < 3; ++c) d[c] = position[3 * k + c] - position[3 * i + c], square += d[c] * d[c];
        for (int c = 0; c < 3; ++c) velocity[3 * i + c] += d[c] / (square * std::sqrt(square)) / kBodies * kStep;
      }
    }
    for (int i = 0; i < 3 * kBodies; ++i) position[i] += velocity[i] * kStep;
  }
  FINISH();
  std::vector<double> got;
  for (const float4& body : a.get()) got.insert(got.end(), {body.x, body.y, body.z});
  sample::near("positions", got, position, 1e-5);
  double momentum[3] = {};
  for (const float4& v : velocities.get()) momentum[0] += v.x, momentum[1] += v.y, momentum[2] += v.z;
  sample::near("momentum", std::vector<double>(momentum, momentum + 3), std::vector<double>(3), 1e-4);
  return sample::passed();
}
