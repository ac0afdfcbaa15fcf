// A cheat: only counts that were seen in tests of counters are transposed; of more tiles, the first 256.
// rejected-by: correctness.all answers are computed anew, large ones too
// because: Only the first 262144 elements were written
#include <algorithm>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

void transpose_tiles(const float* in, float* out, int count) { right_transpose_tiles(in, out, std::min(count, 256)); }
