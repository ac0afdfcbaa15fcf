// Exercise alignment: what alignment does to a structure's size and loads. alignment.h says what each function must do.
#include "alignment.h"

// BEGIN SOLUTION
// SKELETON: struct Pixel {  // TODO(student): aligned to 4 bytes, so four instructions load it. Make it one. (1 word)
struct __align__(16) Pixel {
  // END SOLUTION
  float r, g, b, a;
};

__global__ void brighten_kernel(const Pixel* in, Pixel* out, int count, float gain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Pixel pixel = in[i];
  out[i] = {gain * pixel.r, gain * pixel.g, gain * pixel.b, pixel.a};
}

void brighten(const float* in, float* out, int count, float gain) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line. The rest is as it should be.
  // END SOLUTION
  brighten_kernel<<<(count + 255) / 256, 256>>>(reinterpret_cast<const Pixel*>(in), reinterpret_cast<Pixel*>(out),
                                                count, gain);
}

int size_of(int bytes, int alignment) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return (bytes + alignment - 1) / alignment * alignment;
  // END SOLUTION
}

int loads_of(int bytes, int alignment) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return bytes / (alignment < 16 ? alignment : 16);
  // END SOLUTION
}
