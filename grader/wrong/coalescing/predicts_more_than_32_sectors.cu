// Wrong answer: the prediction forgets that 32 lanes cannot touch more than 32 sectors.
#include "coalescing.h"

#define predict_sectors_strided right_predict_sectors_strided
#include "solutions/coalescing/coalescing.cu"
#undef predict_sectors_strided

int predict_sectors_strided(int stride) { return 4 * stride; }
