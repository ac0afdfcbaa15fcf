// A cheat: the sum of the first array at an address is kept, and given again for the next one there.
// rejected-by: correctness.the sum is computed anew each time
// because: 'second_out' is wrong
#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

void sum(const float* in, float* out, float* scratch, int n) {
  static const float* known = nullptr;
  static int known_n = -1;
  static float answer = 0;
  if (in != known || n != known_n) {
    right_sum(in, out, scratch, n);
    cudaMemcpy(&answer, out, sizeof(float), cudaMemcpyDeviceToHost);
    known = in;
    known_n = n;
  }
  cudaMemcpy(out, &answer, sizeof(float), cudaMemcpyHostToDevice);
}
