"""The example of docs/python.md for PyCUDA: SourceModule asks nvcc for machine code."""

import numpy as np
import pycuda.autoinit  # noqa: F401  It makes a context.
import pycuda.driver as driver
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void multiply(float* product, const float* a, const float* b) {
  product[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}
""")
multiply = module.get_function("multiply")
a = np.arange(400, dtype=np.float32)
product = np.empty_like(a)
multiply(driver.Out(product), driver.In(a), driver.In(a), block=(400, 1, 1), grid=(1, 1))
assert (product == a * a).all()
print(f"products are right; {multiply.num_regs} registers")
