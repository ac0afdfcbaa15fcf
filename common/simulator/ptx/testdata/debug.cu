// A kernel compiled with -G: the source of debug.ptx (see generate.sh).
__global__ void square(float* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) {
    const float value = values[i];
    values[i] = value * value;
  }
}
