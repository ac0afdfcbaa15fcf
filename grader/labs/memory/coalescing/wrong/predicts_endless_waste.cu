// Takes the waste for as large as the record, however large that is.
// rejected-by: correctness.the prediction for records is what is counted
// because: predict_bytes_per_useful_byte(9) returned 9
#include "coalescing.h"

#define predict_bytes_per_useful_byte right_predict_bytes_per_useful_byte
#include "solutions/memory/coalescing/coalescing.cu"
#undef predict_bytes_per_useful_byte

int predict_bytes_per_useful_byte(int fields) { return fields; }
