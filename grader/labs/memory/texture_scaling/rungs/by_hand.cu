// Global loads; the host computes the steps.
#include "grader/labs/memory/texture_scaling/rungs/untextured.cuh"

void resize(cudaTextureObject_t, int in_width, int in_height, unsigned char* out, int out_width, int out_height) {
  resize_by_hand(kept, in_width, in_height, out, out_width, out_height);
}
