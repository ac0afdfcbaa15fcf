// The prediction averages over the lanes: but a warp waits for its last one.
// rejected-by: correctness.the prediction of turns is right
// because: The warp goes on until
#include "warp_divergence.h"

#define predict_turns right_predict_turns
#include "solutions/threads/warp_divergence/warp_divergence.cu"
#undef predict_turns

int predict_turns(const int* turns) {
  int sum = 0;
  for (int l = 0; l < 32; ++l) sum += turns[l];
  return sum / 32;
}
