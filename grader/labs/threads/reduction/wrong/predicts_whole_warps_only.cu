// Takes a warp for busy only if all of its threads are.
// rejected-by: correctness.the predicted number of busy warps is right
// because: predict_busy_warps(Order::modulo, 2) returned 4, but it is 8
#include "reduction.h"

#define predict_busy_warps right_predict_busy_warps
#include "solutions/threads/reduction/reduction.cu"
#undef predict_busy_warps

int predict_busy_warps(Order order, int distance) { return order == Order::modulo ? kWarps / distance : distance / 32; }
