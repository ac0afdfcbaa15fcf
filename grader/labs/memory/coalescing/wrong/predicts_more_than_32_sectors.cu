// The prediction forgets that 32 lanes cannot touch more than 32 sectors.
// rejected-by: correctness.the prediction for a stride is what is counted
// because: predict_sectors_strided(9) returned 36, but a full warp touches 32
#include "coalescing.h"

#define predict_sectors_strided right_predict_sectors_strided
#include "solutions/memory/coalescing/coalescing.cu"
#undef predict_sectors_strided

int predict_sectors_strided(int stride) { return 4 * stride; }
