// Exercise atomics_by_cas: the atomics there are, and one more, made of atomicCAS. See atomics_by_cas.h.
#include "atomics_by_cas.h"

// TODO(student): write the atomic addition, which compares bits as NaN == NaN is false, and two kernels. (10, 4, 13 lines)

void add_up(const double* in, double* sum, int count) {
  // TODO(student): launch your kernel in place of the next line.
  warpbook::not_started();
}

void apply(const unsigned* in, unsigned* values, unsigned* old, __half* half, int count, unsigned limit) {
  // TODO(student): launch your kernel in place of the next line.
  warpbook::not_started();
}

int predict(int kind, int count, int limit) {
  // TODO(student): a line for each kind in place of the next.
  warpbook::not_started();
}
