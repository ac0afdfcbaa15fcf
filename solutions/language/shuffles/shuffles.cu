// Exercise shuffles: values from other lanes, without memory. shuffles.h says what each function must do.
#include "shuffles.h"

// BEGIN SOLUTION
// TODO(student): write the kernel; the mask 0xffffffff says that all lanes take part. (12 lines)
__global__ void shuffle_kernel(const int* in, int* differences, int* scans, int* sums, int leader) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, own = in[i];
  differences[i] = own - __shfl_sync(0xffffffff, own, leader);
  int scan = own, sum = own;
  for (int distance = 1; distance < 8; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffff, scan, distance, 8);
    if (i % 8 >= distance) scan += below;  // Others got their own value back.
  }
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
  scans[i] = scan;
  sums[i] = sum;
}
// END SOLUTION

void shuffle(const int* in, int* differences, int* scans, int* sums, int count, int leader) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel: a warp for each 32 elements. (1 line)
  shuffle_kernel<<<count / 32, 32>>>(in, differences, scans, sums, leader);
  // END SOLUTION
}

int source_lane(int kind, int lane, int n, int width) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a line for each kind in place of this one.
  const int first = lane / width * width;  // Of the lane's group.
  if (kind == 0) return first + n % width;
  if (kind == 1) return lane - n < first ? lane : lane - n;
  const int source = kind == 2 ? lane + n : lane ^ n;
  return source >= first + width ? lane : source;
  // END SOLUTION
}
