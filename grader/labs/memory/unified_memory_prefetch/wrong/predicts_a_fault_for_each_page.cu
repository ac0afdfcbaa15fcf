// Takes the host to fault at each 4 KiB.
// rejected-by: correctness.the predicted page faults of the host are those that are counted
// because: predict_cpu_page_faults(2) returned 512, but it is 6
#include "unified_memory_prefetch.h"
#define predict_cpu_page_faults right_predict_cpu_page_faults
#include "solutions/memory/unified_memory_prefetch/unified_memory_prefetch.cu"
#undef predict_cpu_page_faults

int predict_cpu_page_faults(int mebibytes) { return mebibytes * 256; }
