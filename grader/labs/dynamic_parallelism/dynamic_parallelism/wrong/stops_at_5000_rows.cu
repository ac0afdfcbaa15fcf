// Does nothing beyond as many rows as a test once had.
// rejected-by: correctness.rows of every length are summed
// because: sums
#include "dynamic_parallelism.h"

#define sum_rows right_sum_rows
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef sum_rows

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  right_sum_rows(values, offsets, min(rows, 5000), sums);
}
