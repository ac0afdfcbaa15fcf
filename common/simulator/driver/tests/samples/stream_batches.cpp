// Two streams wait for each other's values; several waits and writes go into one call.
#include "sample.h"

namespace {

CUstreamBatchMemOpParams wait_for(CUdeviceptr address, cuuint32_t value, unsigned condition) {
  CUstreamBatchMemOpParams operation{};
  operation.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operation.waitValue.address = address;
  operation.waitValue.value = value;
  operation.waitValue.flags = condition;
  return operation;
}

CUstreamBatchMemOpParams write_word(CUdeviceptr address, cuuint32_t value) {
  CUstreamBatchMemOpParams operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operation.writeValue.address = address;
  operation.writeValue.value = value;
  return operation;
}

CUstreamBatchMemOpParams write_double_word(CUdeviceptr address, cuuint64_t value) {
  CUstreamBatchMemOpParams operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operation.writeValue.address = address;
  operation.writeValue.value64 = value;
  return operation;
}

void check_order(CUstream first, CUstream second, CUdeviceptr words) {
  CUstreamBatchMemOpParams waits[] = {wait_for(words, 3, CU_STREAM_WAIT_VALUE_GEQ), write_word(words + 4, 7),
                                      write_double_word(words + 8, 0x123456789abcdef)};
  CUstreamBatchMemOpParams gives[] = {write_word(words, 4), wait_for(words + 4, 7, CU_STREAM_WAIT_VALUE_EQ)};
  CU(cuStreamBatchMemOp(first, 3, waits, 0));
  CU_FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  CU(cuStreamBatchMemOp(second, 2, gives, 0));
  CU(cuStreamSynchronize(first));
  CU(cuStreamSynchronize(second));
  unsigned got[4];
  CU(cuMemcpyDtoH(got, words, sizeof got));
  REQUIRE(got[0] == 4 && got[1] == 7 && got[2] == 0x89abcdef && got[3] == 0x1234567);
}

void check_refused(CUstream stream, CUdeviceptr words) {
  CUstreamBatchMemOpParams right = write_word(words, 1), unknown = right, odd = write_word(words + 2, 1);
  CU(cuStreamBatchMemOp(stream, 0, &right, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, &right, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, &odd, 0));
  unknown.operation = static_cast<CUstreamBatchMemOpType>(77);
  CUstreamBatchMemOpParams both[] = {right, unknown};
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 2, both, 0));
  CU(cuStreamSynchronize(stream));
  unsigned got = 0;
  CU(cuMemcpyDtoH(&got, words, sizeof got));
  REQUIRE(got == 4);  // A batch with an invalid operation does nothing.
}

}  // namespace

int main() {
  make_context();
  CUdeviceptr words = 0;
  CU(cuMemAlloc(&words, 16));
  CU(cuMemsetD32(words, 0, 4));
  CUstream first = nullptr, second = nullptr;
  CU(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CU(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  check_order(first, second, words);
  check_refused(first, words);
  return passed("stream_batches");
}
