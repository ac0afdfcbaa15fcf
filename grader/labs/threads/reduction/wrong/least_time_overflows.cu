// Counts the bytes in an int, which holds less than 2^31.
// rejected-by: correctness.the least time is bytes over bandwidth
// because: least_time_us(536870912
#include "reduction.h"

#define least_time_us right_least_time_us
#include "solutions/threads/reduction/reduction.cu"
#undef least_time_us

double least_time_us(int n, double gb_per_s) {
  const int bytes = static_cast<int>(4u * n);
  return bytes / (1000 * gb_per_s);
}
