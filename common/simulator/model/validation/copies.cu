// Validation cases: copies with strides, offsets and vector widths, vector addition, layouts, gathers, empty kernels.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__global__ void empty() {}

__global__ void load_stride(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[static_cast<std::size_t>(i) * stride];
}

__global__ void store_stride(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[static_cast<std::size_t>(i) * stride] = in[i];
}

/// Every element once, but neighbouring threads `stride` apart.
__global__ void permuted(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int rows = n / stride;
  const int j = (i % rows) * stride + i / rows;
  out[j] = in[j];
}

__global__ void offset_copy(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = in[i + offset];
}

template <typename T>
__global__ void vector_copy(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void grid_stride_copy(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void move_structures(Particle* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x += 0.5f * p[i].vx;
}

__global__ void move_arrays(float* x, const float* vx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 0.5f * vx[i];
}

__global__ void gather(const int* index, const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

__global__ void read_repeatedly(const float* in, float* out, int n, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < times; ++k) sum += __ldcg(&in[(i + k * 4096) & (n - 1)]);
  out[i] = sum;
}

}  // namespace

void add_copies(Cases& cases) {
  const bool small = cases.reduced;
  float *a = cases.a, *b = cases.b, *c = cases.c;
  for (int blocks : {1, 132, 1056, 13200, 132000})
    cases.add("empty", std::to_string(blocks), blocks, empty, blocks, 256, 0);
  for (int blocks : {132, 13200}) cases.add("empty", std::to_string(blocks) + "x1024", blocks, empty, blocks, 1024, 0);

  const int n = small ? 1 << 18 : 1 << 22;
  for (int stride : {1, 2, 4, 8, 16, 32}) {
    const std::string name = "stride" + std::to_string(stride);
    cases.add("load_stride", name, n, load_stride, ceil_div(n, 256), 256, 0, a, b, n, stride);
    cases.add("store_stride", name, n, store_stride, ceil_div(n, 256), 256, 0, a, b, n, stride);
  }
  const int whole = small ? 1 << 20 : 1 << 25;
  for (int stride : {1, 2, 4, 8, 16, 32, 1024})
    cases.add("permuted_copy", "stride" + std::to_string(stride), whole, permuted, ceil_div(whole, 256), 256, 0, a, b,
              whole, stride);
  for (int offset : {0, 1, 7, 8, 16, 31})
    cases.add("offset_copy", "offset" + std::to_string(offset), whole, offset_copy, ceil_div(whole, 256), 256, 0, a, b,
              whole, offset);
  for (int floats : {small ? 1 << 18 : 1 << 22, small ? 1 << 20 : 1 << 26}) {
    cases.add("vector_copy_" + std::to_string(floats), "float", floats, vector_copy<float>, ceil_div(floats, 256), 256,
              0, a, b, floats);
    cases.add("vector_copy_" + std::to_string(floats), "float2", floats, vector_copy<float2>, ceil_div(floats / 2, 256),
              256, 0, reinterpret_cast<float2*>(a), reinterpret_cast<float2*>(b), floats / 2);
    cases.add("vector_copy_" + std::to_string(floats), "float4", floats, vector_copy<float4>, ceil_div(floats / 4, 256),
              256, 0, reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), floats / 4);
    for (int threads : {32, 64, 1024})
      cases.add("vector_copy_" + std::to_string(floats), "block" + std::to_string(threads), floats, vector_copy<float>,
                ceil_div(floats, threads), threads, 0, a, b, floats);
    for (int blocks : {132, 528, 1056})
      cases.add("vector_copy_" + std::to_string(floats), "grid" + std::to_string(blocks), floats, grid_stride_copy,
                blocks, 256, 0, a, b, floats);
  }
  for (double size : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8}) {
    if (small && size > 1e6) continue;
    const int count = static_cast<int>(size);
    cases.add("vector_add", std::to_string(count), size, vector_add, ceil_div(count, 256), 256, 0, a, b, c, count);
  }
  const int particles = small ? 1 << 17 : 1 << 23;
  cases.add("layout", "array_of_structures", particles, move_structures, ceil_div(particles, 256), 256, 0,
            reinterpret_cast<Particle*>(a), particles);
  cases.add("layout", "structure_of_arrays", particles, move_arrays, ceil_div(particles, 256), 256, 0, a, b, particles);
  const int gathered = small ? 1 << 18 : 1 << 24;
  cases.add("layout", "gather_random", gathered, gather, ceil_div(gathered, 256), 256, 0, cases.indices, a, b,
            gathered);
  for (int times : {1, 4, 16})
    cases.add("l2_reads", std::to_string(times), times, read_repeatedly, ceil_div(small ? 1 << 18 : 1 << 22, 256), 256,
              0, a, b, small ? 1 << 18 : 1 << 22, times);
}
