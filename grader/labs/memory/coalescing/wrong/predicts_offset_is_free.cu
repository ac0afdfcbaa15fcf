// The prediction forgets that 128 bytes that do not start at a sector's edge touch five sectors.
// rejected-by: correctness.the prediction for an offset is what is counted
// because: predict_sectors_offset(1) returned 4, but a full warp touches 5
#include "coalescing.h"

#define predict_sectors_offset right_predict_sectors_offset
#include "solutions/memory/coalescing/coalescing.cu"
#undef predict_sectors_offset

int predict_sectors_offset(int) { return 4; }
