// The prediction takes every stride for its number of ways: but stride 3 visits all banks, and so does 33.
// rejected-by: correctness.the prediction for 4 bytes is what is counted
// because: predict_wavefronts(4, 3) returned 3, but this load takes 1 wavefront.
#include <algorithm>

#include "bank_conflicts.h"

#define predict_wavefronts right_predict_wavefronts
#include "solutions/memory/bank_conflicts/bank_conflicts.cu"
#undef predict_wavefronts

int predict_wavefronts(int bytes, int stride) { return std::min(bytes / 4 * stride, 32); }
