// Exercise thrust_sort: orders of numbers and of records, by a library. See thrust_sort.h.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "thrust_sort.h"

void sort_descending(float* values, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one call in place of this line.
  thrust::sort(thrust::device, values, values + count, thrust::greater<float>());
  // END SOLUTION
}

// BEGIN SOLUTION
// TODO(student): write a functor that compares players by their numbers. (7 lines)
struct Better {
  const int* points;
  const int* times;
  __device__ bool operator()(int one, int other) const {
    return points[one] != points[other] ? points[one] > points[other] : times[one] < times[other];
  }
};
// END SOLUTION

void rank(const int* points, const int* times, int* order, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): thrust::sequence, then a sort, in place of this line.
  thrust::sequence(thrust::device, order, order + count);
  thrust::stable_sort(thrust::device, order, order + count, Better{points, times});
  // END SOLUTION
}

int sorts_by_digits(int what) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return what != 2 && what != 3;
  // END SOLUTION
}
