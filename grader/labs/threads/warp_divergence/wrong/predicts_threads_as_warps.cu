// The prediction divides threads by 32 in both schemes: but by remainder they are spread over all warps.
// rejected-by: correctness.the prediction of busy warps is right
// because: predict_busy_warps(Scheme::by_remainder, 1) returned 4
#include "warp_divergence.h"

#define predict_busy_warps right_predict_busy_warps
#include "solutions/threads/warp_divergence/warp_divergence.cu"
#undef predict_busy_warps

int predict_busy_warps(Scheme, int stride) { return (kThreads / (2 * stride) + 31) / 32; }
