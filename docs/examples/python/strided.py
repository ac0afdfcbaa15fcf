"""The example of docs/python.md: reads with strides from 1 to 32, as docs/examples/strided.cu does in CUDA C++."""

import numpy as np
from numba import cuda

THREADS, LARGEST = 256, 32


@cuda.jit(lineinfo=True)
def read_strided(data, out, stride):
    i = cuda.grid(1)
    out[i] = data[i * stride]


data = cuda.to_device(np.arange(THREADS * LARGEST, dtype=np.float32))
out = cuda.device_array(THREADS, dtype=np.float32)
for stride in (1, 2, 4, 8, 16, 32):
    read_strided[1, THREADS](data, out, stride)
    assert (out.copy_to_host() == np.arange(THREADS) * stride).all()
print("all strides read")
