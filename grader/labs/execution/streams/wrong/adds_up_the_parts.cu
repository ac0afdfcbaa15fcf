// Predicts the time without any overlap.
// rejected-by: correctness.the time of a pipeline is predicted
// because: The slowest row then has no gaps
#include "streams.h"

#define predict_pipeline_us right_predict_pipeline_us
#include "solutions/execution/streams/streams.cu"
#undef predict_pipeline_us

int predict_pipeline_us(int in_us, int kernel_us, int out_us, int) { return in_us + kernel_us + out_us; }
