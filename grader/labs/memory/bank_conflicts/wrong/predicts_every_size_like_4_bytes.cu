// The prediction forgets that 32 lanes of 16 bytes want 512 bytes, four times what the banks deliver at once.
// rejected-by: correctness.the prediction for 8 and 16 bytes is what is counted
// because: predict_wavefronts(8, 1) returned 1, but this load takes 2 wavefronts
#include <algorithm>

#include "bank_conflicts.h"

#define predict_wavefronts right_predict_wavefronts
#include "solutions/memory/bank_conflicts/bank_conflicts.cu"
#undef predict_wavefronts

int predict_wavefronts(int, int stride) { return std::gcd(stride, 32); }
