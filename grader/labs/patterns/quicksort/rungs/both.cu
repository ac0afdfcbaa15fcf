// Two children for each part, which wait for nothing.
#include "grader/labs/patterns/quicksort/rungs/both.cuh"

void quicksort(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  both_kernel<false><<<1, kThreads>>>(keys, scratch, count, pivot);
}
