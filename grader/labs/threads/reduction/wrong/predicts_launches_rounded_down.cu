// Counts launches as if every count were a power of two.
// rejected-by: correctness.the predicted number of launches is right
// because: predict_launches(3) returned 1, but it is 2
#include "reduction.h"

#define predict_launches right_predict_launches
#include "solutions/threads/reduction/reduction.cu"
#undef predict_launches

int predict_launches(int n) {
  int launches = 0;
  for (; n > 1; n /= 2) ++launches;
  return launches;
}
