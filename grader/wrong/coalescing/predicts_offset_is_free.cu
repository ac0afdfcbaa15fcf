// Wrong answer: the prediction forgets that 128 bytes that do not start at a sector's edge touch five sectors.
#include "coalescing.h"

#define predict_sectors_offset right_predict_sectors_offset
#include "solutions/coalescing/coalescing.cu"
#undef predict_sectors_offset

int predict_sectors_offset(int) { return 4; }
