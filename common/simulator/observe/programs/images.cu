// CUDA arrays: surfaces that are written and textures that are read, by kernels and by copies.
#include "case.h"

namespace {

constexpr int kWidth = 32, kHeight = 8;

/// An array with a surface and a texture on it; every texel is 1, or all are uninitialised.
class Picture {
 public:
  explicit Picture(bool filled = true) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array_, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
    if (filled) fill(1);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc how{};
    cudaCreateSurfaceObject(&surface, &resource);
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  }
  Picture(const Picture&) = delete;
  ~Picture() {
    cudaDestroySurfaceObject(surface);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array_);
  }
  void fill(int value, int rows = kHeight) {
    const std::vector<int> all(kWidth * kHeight, value);
    cudaMemcpy2DToArray(array_, 0, 0, all.data(), kWidth * sizeof(int), kWidth * sizeof(int), rows,
                        cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
  }
  cudaSurfaceObject_t surface = 0;
  cudaTextureObject_t texture = 0;

 private:
  cudaArray_t array_ = nullptr;
};

__global__ void write_surface(cudaSurfaceObject_t out, int value) {
  surf2Dwrite(value, out, int(threadIdx.x * sizeof(int)), int(blockIdx.x));  // race: written_in_another_stream
}
__global__ void read_texture(cudaTextureObject_t in, int* out) {
  out[blockIdx.x * kWidth + threadIdx.x] = tex2D<int>(in, threadIdx.x, blockIdx.x);  // race: written_in_another_stream
}

bool write_then_read(bool one_stream) {
  Picture picture;
  Device<int> out(kWidth * kHeight);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  write_surface<<<kHeight, kWidth, 0, first>>>(picture.surface, 7);
  read_texture<<<kHeight, kWidth, 0, one_stream ? first : second>>>(picture.texture, out);
  const bool right = done();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return right && (!one_stream || out.are([](int) { return 7; }));
}
CASE(written_in_another_stream, race) { return write_then_read(false); }
CASE(written_in_the_same_stream, clean) { return write_then_read(true); }

/// The neighbour's texel is read from a surface that is updated in place.
__global__ void blur_in_place(cudaSurfaceObject_t image) {
  const int x = int(threadIdx.x * sizeof(int)), y = blockIdx.x;
  const int next = surf2Dread<int>(image, (x + 4) % int(kWidth * sizeof(int)), y);  // race: blur_in_place
  surf2Dwrite(next + 1, image, x, y);                                               // race: blur_in_place
}
CASE(blur_in_place, race) {
  Picture picture;
  blur_in_place<<<kHeight, kWidth>>>(picture.surface);
  return done();
}

__global__ void blur(cudaTextureObject_t in, cudaSurfaceObject_t out) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(tex2D<int>(in, x, y) + tex2D<int>(in, x + 1, y), out, int(x * sizeof(int)), y);
}
CASE(blur_into_another_picture, clean) {
  Picture in, out;
  Device<int> result(kWidth * kHeight);
  blur<<<kHeight, kWidth>>>(in.texture, out.surface);
  blur<<<kHeight, kWidth>>>(out.texture, in.surface);
  read_texture<<<kHeight, kWidth>>>(in.texture, result);
  return done(result.are([](int) { return 4; }));
}

/// Each thread changes its own texel.
__global__ void own_texels(cudaSurfaceObject_t image) {
  const int x = int(threadIdx.x * sizeof(int)), y = blockIdx.x;
  surf2Dwrite(surf2Dread<int>(image, x, y) + x, image, x, y);
}
CASE(own_texels_in_place, clean) {
  Picture picture;
  Device<int> out(kWidth * kHeight);
  own_texels<<<kHeight, kWidth>>>(picture.surface);
  read_texture<<<kHeight, kWidth>>>(picture.texture, out);
  return done(out.are([](int i) { return 1 + 4 * (i % kWidth); }));
}

/// The barrier orders the threads, but textures show only what earlier kernels have stored.
__global__ void read_by_texture_behind_a_barrier(cudaSurfaceObject_t image, cudaTextureObject_t same, int* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(x, image, int(x * sizeof(int)), y);  // race: read_by_texture_behind_a_barrier
  __syncthreads();
  out[y * kWidth + x] = tex2D<int>(same, kWidth - 1 - x, y);  // race: read_by_texture_behind_a_barrier
}
CASE(read_by_texture_behind_a_barrier, race) {
  Picture picture;
  Device<int> out(kWidth * kHeight);
  read_by_texture_behind_a_barrier<<<kHeight, kWidth>>>(picture.surface, picture.texture, out);
  return done();
}

__global__ void write_mirrored(cudaTextureObject_t in, cudaSurfaceObject_t out) {
  const int x = threadIdx.x, y = blockIdx.x;
  __shared__ int row[kWidth];
  row[x] = tex2D<int>(in, x, y) + x;
  __syncthreads();
  surf2Dwrite(row[kWidth - 1 - x], out, int(x * sizeof(int)), y);
}
CASE(read_by_texture_before_it_is_stored, clean) {
  Picture picture;
  Device<int> out(kWidth * kHeight);
  write_mirrored<<<kHeight, kWidth>>>(picture.texture, picture.surface);
  read_texture<<<kHeight, kWidth>>>(picture.texture, out);
  return done(out.are([](int i) { return 1 + kWidth - 1 - i % kWidth; }));
}

/// All blocks write the first row.
__global__ void rows_that_meet(cudaSurfaceObject_t image) {
  surf2Dwrite(int(blockIdx.x), image, int(threadIdx.x * sizeof(int)), int(blockIdx.x / 2));  // race: rows_that_meet
}
CASE(rows_that_meet, race) {
  Picture picture;
  rows_that_meet<<<kHeight, kWidth>>>(picture.surface);
  return done();
}

/// The first rows of an array are filled, and all are read.
__global__ void read_rows(cudaTextureObject_t in, int* out) {
  out[blockIdx.x * kWidth + threadIdx.x] = tex2D<int>(in, threadIdx.x, blockIdx.x);  // init: rows_that_nobody_filled
}
bool read_filled(int rows) {
  Picture picture(false);
  picture.fill(3, rows);
  Device<int> out(kWidth * kHeight);
  read_rows<<<kHeight, kWidth>>>(picture.texture, out);
  return done(rows < kHeight || out.are([](int) { return 3; }));
}
CASE(rows_that_nobody_filled, init) { return read_filled(kHeight - 1); }
CASE(rows_that_all_are_filled, clean) { return read_filled(kHeight); }

/// A kernel fills the surface that the next one reads.
__global__ void read_surface(cudaSurfaceObject_t in, int* out) {
  const int texel = surf2Dread<int>(in, int(threadIdx.x * sizeof(int)), int(blockIdx.x));
  out[blockIdx.x * kWidth + threadIdx.x] = texel;  // init: surface_that_nobody_wrote
}
CASE(surface_that_nobody_wrote, init) {
  Picture picture(false);
  Device<int> out(kWidth * kHeight);
  read_surface<<<kHeight, kWidth>>>(picture.surface, out);
  return done();
}
CASE(surface_that_a_kernel_wrote, clean) {
  Picture picture(false);
  Device<int> out(kWidth * kHeight);
  write_surface<<<kHeight, kWidth>>>(picture.surface, 5);
  read_surface<<<kHeight, kWidth>>>(picture.surface, out);
  return done(out.are([](int) { return 5; }));
}

}  // namespace
