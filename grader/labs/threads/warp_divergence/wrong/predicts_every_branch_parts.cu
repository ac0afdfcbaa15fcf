// The prediction takes every if for divergence: but seven of the eight warps agree.
// rejected-by: correctness.the prediction of parted warps is right
// because: predict_parted_warps(0) returned 8, but 0 warps part
#include "warp_divergence.h"

#define predict_parted_warps right_predict_parted_warps
#include "solutions/threads/warp_divergence/warp_divergence.cu"
#undef predict_parted_warps

int predict_parted_warps(int) { return kThreads / 32; }
