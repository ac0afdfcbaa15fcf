// The solution of lab matrix_product compared with cublasSgemm.
#include <cublas_v2.h>
#include <cuda_pipeline.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "common/cuda/check.cuh"
#include "common/cuda/device_buffer.cuh"
#include "common/cuda/lab.h"
#include "common/cuda/random.h"
#include "grader/libraries/comparison.h"

namespace {
#include "solutions/patterns/matrix_product/matrix_product.cu"

void check_blas(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

std::vector<float> drawn(warpbook::Random& random, int count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.real(-1, 1));
  return values;
}
}  // namespace

namespace warpbook::grader {

void compare_matrix_product(const Compare& compare) {
  cublasHandle_t handle;
  check_blas(cublasCreate(&handle));  // By default it computes in single precision.
  for (const auto& [rows, inner, columns] :
       {std::array{1024, 256, 1024}, {1000, 250, 1001}, {1024, 1024, 1024}, {4096, 4096, 4096}}) {
    Random random(rows + inner);
    const std::vector<float> left = drawn(random, rows * inner), right = drawn(random, inner * columns);
    const DeviceBuffer<float> a{std::span<const float>(left)}, b{std::span<const float>(right)};
    const DeviceBuffer<float> own(rows * columns), other(rows * columns);
    const float one = 1, zero = 0;
    const int m = rows, k = inner, n = columns;
    compare({.lab = "matrix_product",
             .library = "cublasSgemm",
             .size = std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n),
             .amount = 2e-3 * m * k * n,
             .unit = "TFLOP/s",
             .solution = [&] { product(a.data(), b.data(), own.data(), m, k, n, 1, 0); },
             .of_library =
                 [&] {
                   // For cuBLAS, which is column-major, each matrix is its transpose: C' = B' A'.
                   check_blas(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data(), n, a.data(), k,
                                          &zero, other.data(), n));
                 },
             .difference = [&] { return first_difference(own.download(), other.download(), 2e-6 * k + 1e-5); }});
  }
  check_blas(cublasDestroy(handle));
}

}  // namespace warpbook::grader
