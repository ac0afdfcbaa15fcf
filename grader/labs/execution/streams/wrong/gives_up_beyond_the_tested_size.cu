// Does nothing for more elements than the ladder is run with.
// rejected-by: correctness.every element goes through the pipeline, whatever their number
// because: never written
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  if (count > 4195541) return;
  right_pipeline(in, out, device, count);
}
