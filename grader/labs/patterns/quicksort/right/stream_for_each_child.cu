// A stream for each child, launched by the last thread; a padded bitonic network whose runs rise and fall; the tail is
// launched first.
#define sort_in_shared solution_sort_in_shared
#define partition_block solution_partition_block
#define sort_kernel solution_sort_kernel
#define sort_small_kernel solution_sort_small_kernel
#define sort_small solution_sort_small
#define partition_kernel solution_partition_kernel
#define partition solution_partition
#define quicksort solution_quicksort
#define sort_and_count_kernel solution_sort_and_count_kernel
#define quicksort_and_count solution_quicksort_and_count
#include "solutions/patterns/quicksort/quicksort.cu"
#undef sort_in_shared
#undef partition_block
#undef sort_kernel
#undef sort_small_kernel
#undef sort_small
#undef partition_kernel
#undef partition
#undef quicksort
#undef sort_and_count_kernel
#undef quicksort_and_count

constexpr int kBlock = 256;

// The usual bitonic network, padded with the largest key: runs rise and fall in turn.
__device__ void sort_padded(unsigned* keys, int count, unsigned* part) {
  int padded = 1;
  while (padded < count) padded *= 2;
  for (int i = threadIdx.x; i < padded; i += blockDim.x) part[i] = i < count ? keys[i] : ~0u;
  __syncthreads();
  for (int width = 2; width <= padded; width *= 2)
    for (int distance = width / 2; distance > 0; distance /= 2) {
      for (int i = threadIdx.x; i < padded; i += blockDim.x) {
        const int partner = i ^ distance;
        if (partner < i) continue;
        const unsigned one = part[i], other = part[partner];
        if ((one > other) == ((i & width) == 0)) part[i] = other, part[partner] = one;
      }
      __syncthreads();
    }
  for (int i = threadIdx.x; i < count; i += blockDim.x) keys[i] = part[i];
}

__global__ void sort_small_kernel(unsigned* keys, int count) {
  __shared__ unsigned part[kSmall];
  sort_padded(keys, count, part);
}

void sort_small(unsigned* keys, int count) { sort_small_kernel<<<1, kBlock>>>(keys, count); }

// Three loops bring the keys back.
__device__ int2 split(unsigned* keys, unsigned* scratch, int count, unsigned pivot) {
  __shared__ int less, greater;
  __syncthreads();
  if (threadIdx.x == 0) less = greater = 0;
  __syncthreads();
  for (int first = 0; first < count; first += blockDim.x) {
    const int i = first + static_cast<int>(threadIdx.x);
    const unsigned key = i < count ? keys[i] : pivot;
    const int low = place(&less, key < pivot), high = place(&greater, key > pivot);
    if (key != pivot) scratch[key < pivot ? low : count - 1 - high] = key;
  }
  __syncthreads();
  const int2 found = {less, greater};
  for (int i = threadIdx.x; i < found.x; i += blockDim.x) keys[i] = scratch[i];
  for (int i = found.x + threadIdx.x; i < count - found.y; i += blockDim.x) keys[i] = pivot;
  for (int i = count - found.y + threadIdx.x; i < count; i += blockDim.x) keys[i] = scratch[i];
  __syncthreads();
  return found;
}

__global__ void partition_kernel(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* counts) {
  const int2 found = split(keys, scratch, count, pivot);
  if (threadIdx.x == 0) counts[0] = found.x, counts[1] = found.y;
}

void partition(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* counts) {
  partition_kernel<<<1, kThreads>>>(keys, scratch, count, pivot, counts);
}

__global__ void sort_kernel(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  __shared__ unsigned part[kSmall];
  int rounds = kRounds;
  while (count > kSmall && rounds-- > 0) {
    const int2 found = split(keys, scratch, count, choose_pivot(keys, count, pivot));
    const bool low_is_smaller = found.x <= found.y;
    unsigned* const low = keys;
    unsigned* const high = keys + count - found.y;
    unsigned* const high_scratch = scratch + count - found.y;
    const int smaller = min(found.x, found.y);
    if (threadIdx.x == blockDim.x - 1 && smaller >= 2) {
      cudaStream_t stream;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      sort_kernel<<<1, blockDim.x, 0, stream>>>(low_is_smaller ? low : high, low_is_smaller ? scratch : high_scratch,
                                                smaller, pivot);
      cudaStreamDestroy(stream);
    }
    count = max(found.x, found.y);
    keys = low_is_smaller ? high : low;
    scratch = low_is_smaller ? high_scratch : scratch;
  }
  if (count > kSmall) return sort_network(keys, count);
  sort_padded(keys, count, part);
}

void quicksort(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  if (count > 1) sort_kernel<<<1, kThreads>>>(keys, scratch, count, pivot);
}

// The tail is the root's own: it sorts the first part itself, as a child of nobody.
__global__ void both_kernel(unsigned* keys, unsigned* scratch, int count, int* distinct) {
  count_distinct<<<1, kThreads, 0, cudaStreamTailLaunch>>>(keys, count, distinct);
  sort_kernel<<<1, kThreads>>>(keys, scratch, count, Pivot::sampled);
}

void quicksort_and_count(unsigned* keys, unsigned* scratch, int count, int* distinct) {
  both_kernel<<<1, 1>>>(keys, scratch, count, distinct);
}
