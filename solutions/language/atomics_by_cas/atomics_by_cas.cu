// Exercise atomics_by_cas: an atomic built from atomicCAS, and what other atomics do to a value. See atomics_by_cas.h.
#include "atomics_by_cas.h"

// BEGIN SOLUTION
// TODO(student): write the atomic addition and a kernel. Compare bits, as NaN == NaN is false. (13 lines)
__device__ void add_by_cas(double* place, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(place);
  unsigned long long seen = 0, expected;  // A wrong guess costs one more iteration.
  do {
    expected = seen;
    const double sum = __longlong_as_double(expected) + value;
    seen = atomicCAS(bits, expected, __double_as_longlong(sum));
  } while (seen != expected);
}
__global__ void add_up_kernel(const double* in, double* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) add_by_cas(sum, in[i]);
}
// END SOLUTION

void add_up(const double* in, double* sum, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  add_up_kernel<<<(count + 127) / 128, 128>>>(in, sum, count);
  // END SOLUTION
}

int predict(int kind, int count, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a line for each kind in place of this one.
  if (kind == 0) return count % (n + 1);
  if (kind == 1) return n - (count - 1) % (n + 1);
  if (kind == 7) return count < 2048 ? count : 2048;  // 2049 is rounded to the even one of its neighbours.
  if (kind == 8) return count * (count + 1) / 2;
  return kind == 6 || (kind == 3 && count % 2 == 0) ? 0 : n;
  // END SOLUTION
}
