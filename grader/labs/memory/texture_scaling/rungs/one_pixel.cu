// The filter of the texture, and one pixel for each thread.
#define resize solution_resize
#include "solutions/memory/texture_scaling/texture_scaling.cu"
#undef resize

__global__ void resize_pixel(cudaTextureObject_t texture, unsigned char* out, int width, int height, float2 step) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = grey_at(texture, (x + 0.5f) * step.x, (y + 0.5f) * step.y);
}

void resize(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
            int out_height) {
  resize_pixel<<<blocks_for(out_width, out_height), kBlock>>>(texture, out, out_width, out_height,
                                                              step_of(in_width, in_height, out_width, out_height));
}
