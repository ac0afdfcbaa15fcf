// Believes that the default stream is a stream like any other.
// rejected-by: correctness.the default stream makes the others wait as predicted
// because: The default stream waits for streams made by cudaStreamCreate
#include "streams.h"

#define predict_three_kernels_us right_predict_three_kernels_us
#include "solutions/execution/streams/streams.cu"
#undef predict_three_kernels_us

int predict_three_kernels_us(char way) { return way == 'A' ? 300 : 100; }
