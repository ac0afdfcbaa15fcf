// 16 pixels with each load, and a histogram for each warp.
#include "grader/labs/patterns/histogram/rungs/copies.cuh"

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  histogram_by_copies<kWarps, uint4>(image, width, height, pitch, bins);
}
