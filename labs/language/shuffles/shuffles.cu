// Exercise shuffles: values from other lanes, without memory. shuffles.h says what each function must do.
#include "shuffles.h"

// TODO(student): write the kernel; the mask 0xffffffff says that all lanes take part. (12 lines)

void shuffle(const int* in, int* differences, int* scans, int* sums, int count, int leader) {
  warpbook::not_started();  // TODO(student): launch your kernel: a warp for each 32 elements. (1 line)
}

int source_lane(int kind, int lane, int n, int width) {
  warpbook::not_started();  // TODO(student): a line for each kind in place of this one.
}
