// As many blocks as the GPU holds: fewer counts to merge.
#include "grader/labs/patterns/histogram/rungs/copies.cuh"

void histogram(const unsigned char* image, int width, int height, int pitch, unsigned* bins) {
  histogram_by_copies<1, unsigned char>(image, width, height, pitch, bins);
}
