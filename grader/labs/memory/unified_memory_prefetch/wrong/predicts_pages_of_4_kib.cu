// Takes each touched page to move alone.
// rejected-by: correctness.the predicted KiB are those that move
// because: predict_kib_moved(8) returned 4096, but it is 8192
#include "unified_memory_prefetch.h"
#define predict_kib_moved right_predict_kib_moved
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef predict_kib_moved

int predict_kib_moved(int stride) { return 8192 / stride * 4; }
