// Stream memory operations: several waits for values and writes in one call, each like the call for one value.
#include "common/simulator/driver/driver_api.h"

namespace {

constexpr unsigned kMostOperations = 256;

/// Performs @p operation in @p stream; with @p only_looks it only checks that the operation exists.
CUresult do_operation(CUstream stream, const CUstreamBatchMemOpParams& operation, bool only_looks) {
  const auto& wait = operation.waitValue;
  const auto& write = operation.writeValue;
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return only_looks ? CUDA_SUCCESS : cuStreamWaitValue32_v2(stream, wait.address, wait.value, wait.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return only_looks ? CUDA_SUCCESS : cuStreamWaitValue64_v2(stream, wait.address, wait.value64, wait.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return only_looks ? CUDA_SUCCESS : cuStreamWriteValue32_v2(stream, write.address, write.value, write.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return only_looks ? CUDA_SUCCESS : cuStreamWriteValue64_v2(stream, write.address, write.value64, write.flags);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return operation.flushRemoteWrites.flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_BARRIER:  // Work in a stream is in order here anyway.
      return operation.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS
                                                                                : CUDA_ERROR_INVALID_VALUE;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags) {
  if (operations == nullptr || count > kMostOperations || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  for (const bool only_looks : {true, false})
    for (unsigned i = 0; i < count; ++i)
      if (const CUresult error = do_operation(stream, operations[i], only_looks)) return error;
  return CUDA_SUCCESS;
}
