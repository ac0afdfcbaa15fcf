// As in courses before CUDA 12: the parent is believed to see its child's result after the launch.
// rejected-by: correctness.the prediction says what a child sees
// because: A parent cannot wait for its child
#include "dynamic_parallelism.h"

#define predict_seen right_predict_seen
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef predict_seen

Seen predict_seen(char situation) { return situation == 'e' ? Seen::surely : right_predict_seen(situation); }
