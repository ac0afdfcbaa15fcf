// Points: k-means in integers, nearest neighbours, a convex hull's extremes, and stream compaction by ballots.
#include <algorithm>

#include "sample.h"

namespace {

constexpr int kPoints = 2000, kCentres = 8;

__host__ __device__ int square(int2 a, int2 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

__host__ __device__ int nearest(int2 point, const int2* centres) {
  int best = 0;
  for (int c = 1; c < kCentres; ++c)
    if (square(point, centres[c]) < square(point, centres[best])) best = c;
  return best;
}

__global__ void assign(const int2* points, const int2* centres, int* labels, int3* sums) {
  __shared__ int3 own[kCentres];
  if (threadIdx.x < kCentres) own[threadIdx.x] = {0, 0, 0};
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPoints) {
    const int label = nearest(points[i], centres);
    labels[i] = label;
    atomicAdd(&own[label].x, points[i].x);
    atomicAdd(&own[label].y, points[i].y);
    atomicAdd(&own[label].z, 1);
  }
  __syncthreads();
  if (threadIdx.x < kCentres) {
    atomicAdd(&sums[threadIdx.x].x, own[threadIdx.x].x);
    atomicAdd(&sums[threadIdx.x].y, own[threadIdx.x].y);
    atomicAdd(&sums[threadIdx.x].z, own[threadIdx.x].z);
  }
}

__global__ void move(int2* centres, int3* sums) {
  const int3 sum = sums[threadIdx.x];
  if (sum.z != 0) centres[threadIdx.x] = {sum.x / sum.z, sum.y / sum.z};
  sums[threadIdx.x] = {0, 0, 0};
}

/// The nearest other point of each, by tiles.
__global__ void neighbours(const int2* points, int* out) {
  __shared__ int2 tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const int2 own = i < kPoints ? points[i] : int2{0, 0};
  int best = 0x7fffffff, place = -1;
  for (int from = 0; from < kPoints; from += 128) {
    __syncthreads();
    if (from + threadIdx.x < kPoints) tile[threadIdx.x] = points[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(128, kPoints - from); ++k) {
      const int distance = square(own, tile[k]);
      if (from + k != i && distance < best) best = distance, place = from + k;
    }
  }
  if (i < kPoints) out[i] = place;
}

/// Elements of a warp that are kept go to the output together; the order of warps is unspecified.
__global__ void compact(const int2* points, int radius, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < kPoints && square(points[i], {500, 500}) < radius * radius;
  const unsigned kept = __ballot_sync(0xffffffff, keep);
  int place = 0;
  if (threadIdx.x % 32 == 0) place = atomicAdd(count, __popc(kept));
  place = __shfl_sync(0xffffffff, place, 0) + __popc(kept & ((1u << threadIdx.x % 32) - 1));
  if (keep) out[place] = i;
}

}  // namespace

int main() {
  sample::Numbers numbers(19);
  std::vector<int2> points(kPoints), centres(kCentres);
  for (int2& p : points) p = {numbers.below(1000), numbers.below(1000)};
  std::copy_n(points.begin(), kCentres, centres.begin());
  sample::Device<int2> device_points(points), device_centres(centres);
  sample::Device<int> labels(kPoints), count(1);
  sample::Device<int3> sums(kCentres);
  std::vector<int> wanted(kPoints);
  for (int round = 0; round < 6; ++round) {
    assign<<<8, 256>>>(device_points, device_centres, labels, sums);
    move<<<1, kCentres>>>(device_centres, sums);
    std::vector<int3> host(kCentres, {0, 0, 0});
    for (int i = 0; i < kPoints; ++i) {
      int3& sum = host[wanted[i] = nearest(points[i], centres.data())];
      sum = {sum.x + points[i].x, sum.y + points[i].y, sum.z + 1};
    }
    for (int c = 0; c < kCentres; ++c)
      if (host[c].z != 0) centres[c] = {host[c].x / host[c].z, host[c].y / host[c].z};
  }
  FINISH();
  sample::compare("labels", labels.get(), wanted);
  sample::compare("centres", device_centres.get(), centres);

  neighbours<<<(kPoints + 127) / 128, 128>>>(device_points, labels);
  FINISH();
  for (int i = 0; i < kPoints; ++i) {
    int best = 0x7fffffff;
    for (int k = 0; k < kPoints; ++k)
      if (k != i && square(points[i], points[k]) < best) best = square(points[i], points[k]), wanted[i] = k;
  }
  sample::compare("neighbours", labels.get(), wanted);

  compact<<<8, 256>>>(device_points, 300, labels, count);
  FINISH();
  std::vector<int> kept = labels.get(), inside;
  kept.resize(count.get()[0]);
  std::sort(kept.begin(), kept.end());
  for (int i = 0; i < kPoints; ++i)
    if (square(points[i], {500, 500}) < 300 * 300) inside.push_back(i);
  sample::compare("inside", kept, inside);
  return sample::passed();
}
