// 16 pixels with each load.
#include "grader/labs/patterns/histogram/rungs/copies.cuh"

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  histogram_by_copies<1, uint4>(image, width, height, pitch, bins);
}
