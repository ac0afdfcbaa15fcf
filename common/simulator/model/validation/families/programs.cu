// Validation cases: products in register and shared tiles, and other typical course programs: sparse matrices,
// graphs, trees, sequences, queues.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned program_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned program_hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <typename T, int kTile>
__global__ void product_tiles(const T* a, const T* b, T* c, int n) {
  __shared__ T as[kTile][kTile], bs[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += kTile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
/// Each thread computes kRows results of one column.
template <int kRows>
__global__ void product_column(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][32], bs[32][32];
  constexpr int kStep = 32 / kRows;
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32 + x;
  float sums[kRows] = {};
  for (int t = 0; t < n; t += 32) {
    for (int r = 0; r < kRows; ++r) {
      as[y + r * kStep][x] = a[(row + y + r * kStep) * n + t + x];
      bs[y + r * kStep][x] = b[(t + y + r * kStep) * n + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k)
#pragma unroll
      for (int r = 0; r < kRows; ++r) sums[r] += as[y + r * kStep][k] * bs[k][x];
    __syncthreads();
  }
  for (int r = 0; r < kRows; ++r) c[(row + y + r * kStep) * n + column] = sums[r];
}
/// Blocks of 16 by 16 threads; each thread computes kEach by kEach results, kDepth of the inner dimension at a time.
template <int kEach, int kDepth>
__global__ void product_registers(const float* a, const float* b, float* c, int n) {
  constexpr int kSide = 16 * kEach;
  __shared__ float as[kDepth][kSide], bs[kDepth][kSide];
  const int own = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * kSide, column = blockIdx.x * kSide;
  float sums[kEach][kEach] = {};
  for (int t = 0; t < n; t += kDepth) {
    for (int k = own; k < kSide * kDepth; k += 256) {
      as[k % kDepth][k / kDepth] = a[(row + k / kDepth) * n + t + k % kDepth];
      bs[k / kSide][k % kSide] = b[(t + k / kSide) * n + column + k % kSide];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float x[kEach], y[kEach];
#pragma unroll
      for (int r = 0; r < kEach; ++r) x[r] = as[k][threadIdx.y * kEach + r];
#pragma unroll
      for (int r = 0; r < kEach; ++r) y[r] = bs[k][threadIdx.x * kEach + r];
#pragma unroll
      for (int r = 0; r < kEach; ++r)
#pragma unroll
        for (int s = 0; s < kEach; ++s) sums[r][s] += x[r] * y[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r)
    for (int s = 0; s < kEach; ++s)
      c[(row + threadIdx.y * kEach + r) * n + column + threadIdx.x * kEach + s] = sums[r][s];
}
__global__ void product_plain(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// Rows of 0 to 31 entries, columns anywhere.
__global__ void sparse_scalar(const float* values, const int* columns, const float* x, float* y, unsigned mask) {
  const unsigned row = program_thread(), count = program_hash(row) & 31u;
  float sum = 0;
  for (unsigned k = 0; k < count; ++k)
    sum += values[row * 32 + k] * x[static_cast<unsigned>(columns[row * 32 + k]) & mask];
  y[row] = sum;
}
__global__ void sparse_vector(const float* values, const int* columns, const float* x, float* y, unsigned mask) {
  const unsigned row = program_thread() / 32, lane = threadIdx.x % 32, count = program_hash(row) & 31u;
  float sum = 0;
  if (lane < count) sum = values[row * 32 + lane] * x[static_cast<unsigned>(columns[row * 32 + lane]) & mask];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
__global__ void sparse_ell(const float* values, const int* columns, const float* x, float* y, unsigned rows,
                           unsigned mask) {
  const unsigned row = program_thread();
  float sum = 0;
  for (unsigned k = 0; k < 16; ++k)
    sum += values[k * rows + row] * x[static_cast<unsigned>(columns[k * rows + row]) & mask];
  y[row] = sum;
}
__global__ void search_binary(const int* keys, int* out, unsigned n) {
  const unsigned wanted = program_hash(program_thread()) & (n - 1);
  unsigned low = 0, high = n;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (middle + (static_cast<unsigned>(keys[middle]) & 1u) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[program_thread()] = static_cast<int>(low);
}
__global__ void search_text(const unsigned char* text, unsigned* found, unsigned char first, int length) {
  const unsigned i = program_thread();
  int k = 0;
  while (k < length && text[i + k] == static_cast<unsigned char>(first + k)) ++k;
  if (k == length) atomicAdd(found, 1u);
  if (i == 0) found[1] = k;
}
__global__ void table_insert(unsigned long long* table, const int* keys, unsigned mask) {
  const unsigned key = keys[program_thread()] + 1u;
  unsigned at = program_hash(key) & mask;
  for (int k = 0; k < 64; ++k) {
    const unsigned long long seen = atomicCAS(table + at, 0ull, static_cast<unsigned long long>(key));
    if (seen == 0 || seen == key) break;
    at = (at + 1) & mask;
  }
}
__global__ void floyd_step(float* distances, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  const float through = distances[row * n + k] + distances[k * n + column];
  if (through < distances[row * n + column]) distances[row * n + column] = through;
}
__global__ void points_nearest(const float2* points, const float2* centres, int* out, int count) {
  const float2 p = points[program_thread()];
  float best = 1e30f;
  int which = 0;
  for (int k = 0; k < count; ++k) {
    const float dx = p.x - centres[k].x, dy = p.y - centres[k].y + k * 0.01f, d = dx * dx + dy * dy;
    if (d < best) {
      best = d;
      which = k;
    }
  }
  out[program_thread()] = which;
}
__global__ void walk_random(float* out, int steps) {
  unsigned long long state = program_thread() * 0x9e3779b97f4a7c15ull + 1;
  int inside = 0;
  for (int k = 0; k < steps; ++k) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const float x = static_cast<unsigned>(state >> 33) * 4.6566129e-10f;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const float y = static_cast<unsigned>(state >> 33) * 4.6566129e-10f;
    inside += x * x + y * y < 1.0f;
  }
  out[program_thread()] = inside;
}
__global__ void diverging_work(const int* in, float* out, int most) {
  const int steps = (static_cast<unsigned>(in[program_thread()]) >> 4) % static_cast<unsigned>(most);
  float v = threadIdx.x;
  for (int k = 0; k < steps; ++k) v = v * 0.99f + 0.5f;
  out[program_thread()] = v;
}
__global__ void uneven_blocks(float* out, int most) {
  float v = threadIdx.x;
  const int steps = blockIdx.x % 16 == 0 ? most * 16 : most;
  for (int k = 0; k < steps; ++k) v = v * 0.99f + 0.5f;
  out[program_thread()] = v;
}
__global__ void interest(float* out, int years) {
  float v = 100.0f + program_thread() % 7;
  for (int k = 0; k < years; ++k) v += v * 0.03f;
  out[program_thread()] = v;
}
__global__ void transpose_tile(const float* in, float* out, int n, int pad) {
  extern __shared__ float tile[];
  const int width = 32 + pad;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[(threadIdx.y + k) * width + threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x * width + threadIdx.y + k];
}
__global__ void grayscale(const uchar4* in, unsigned char* out) {
  const uchar4 p = in[program_thread()];
  out[program_thread()] = static_cast<unsigned char>(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
}
__global__ void grayscale_bytes(const unsigned char* in, unsigned char* out) {
  const unsigned i = program_thread();
  out[i] = static_cast<unsigned char>(0.299f * in[3 * i] + 0.587f * in[3 * i + 1] + 0.114f * in[3 * i + 2]);
}
struct ProgramParticle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void particles(ProgramParticle* p) {
  ProgramParticle& own = p[program_thread()];
  own.x += own.vx * 0.01f;
  own.y += own.vy * 0.01f;
  own.z += own.vz * 0.01f;
}
__global__ void reduce_two_steps(const float* in, float* out, int each) {
  __shared__ float sums[32];
  float sum = 0;
  for (int k = 0; k < each; ++k) sum += in[(k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}
__global__ void dot_atomic(const float* a, const float* b, float* out) {
  const unsigned i = program_thread();
  atomicAdd(out, a[i] * b[i]);
}

}  // namespace

void add_programs(Cases& cases) {
  const std::string family = "products";
  const int n = 256;
  auto* da = reinterpret_cast<double*>(cases.a);
  auto* dc = reinterpret_cast<double*>(cases.c);
  auto* ia = reinterpret_cast<int*>(cases.a);
  auto* ic = reinterpret_cast<int*>(cases.c);
  cases.add(family, "plain_16x16", 16, product_plain, dim3(16, 16), dim3(16, 16), 0, cases.a, cases.b, cases.c, n);
  cases.add(family, "plain_32x32", 32, product_plain, dim3(8, 8), dim3(32, 32), 0, cases.a, cases.b, cases.c, n);
  cases.add(family, "plain_32x4", 4, product_plain, dim3(8, 64), dim3(32, 4), 0, cases.a, cases.b, cases.c, n);
  cases.add(family, "tiles_8", 8, product_tiles<float, 8>, dim3(32, 32), dim3(8, 8), 0, cases.a, cases.b, cases.c, n);
  cases.add(family, "tiles_16", 16, product_tiles<float, 16>, dim3(16, 16), dim3(16, 16), 0, cases.a, cases.b, cases.c,
            n);
  cases.add(family, "tiles_32", 32, product_tiles<float, 32>, dim3(8, 8), dim3(32, 32), 0, cases.a, cases.b, cases.c,
            n);
  cases.add(family, "tiles_16_512", 512, product_tiles<float, 16>, dim3(32, 32), dim3(16, 16), 0, cases.a, cases.b,
            cases.c, 512);
  cases.add(family, "tiles_32_512", 512, product_tiles<float, 32>, dim3(16, 16), dim3(32, 32), 0, cases.a, cases.b,
            cases.c, 512);
  cases.add(family, "tiles_16_f64", 16, product_tiles<double, 16>, dim3(16, 16), dim3(16, 16), 0, da, da, dc, n);
  cases.add(family, "tiles_16_s32", 16, product_tiles<int, 16>, dim3(16, 16), dim3(16, 16), 0, ia, ia, ic, n);
  cases.add(family, "column_2", 2, product_column<2>, dim3(8, 8), dim3(32, 16), 0, cases.a, cases.b, cases.c, n);
  cases.add(family, "column_4", 4, product_column<4>, dim3(16, 16), dim3(32, 8), 0, cases.a, cases.b, cases.c, 512);
  cases.add(family, "column_8", 8, product_column<8>, dim3(16, 16), dim3(32, 4), 0, cases.a, cases.b, cases.c, 512);
  cases.add(family, "registers_2", 2, product_registers<2, 16>, dim3(16, 16), dim3(16, 16), 0, cases.a, cases.b,
            cases.c, 512);
  cases.add(family, "registers_4", 4, product_registers<4, 16>, dim3(8, 8), dim3(16, 16), 0, cases.a, cases.b, cases.c,
            512);
  cases.add(family, "registers_8", 8, product_registers<8, 8>, dim3(4, 4), dim3(16, 16), 0, cases.a, cases.b, cases.c,
            512);
  const unsigned threads = 1 << 18;
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* s = reinterpret_cast<int*>(cases.c);
  cases.add("sparse", "scalar", 32, sparse_scalar, 512, 128, 0, cases.a, cases.indices, cases.b, cases.c,
            (1u << 16) - 1);
  cases.add("sparse", "vector", 32, sparse_vector, 8192, 256, 0, cases.a, cases.indices, cases.b, cases.c,
            (1u << 16) - 1);
  cases.add("sparse", "ell", 16, sparse_ell, 512, 128, 0, cases.a, cases.indices, cases.b, cases.c, 1u << 16,
            (1u << 16) - 1);
  cases.add("searches", "binary_2e12", 12, search_binary, threads / 256, 256, 0, cases.indices, s, 1u << 12);
  cases.add("searches", "binary_2e22", 22, search_binary, threads / 256, 256, 0, cases.indices, s, 1u << 22);
  cases.add("searches", "text", 8, search_text, threads / 256, 256, 0, reinterpret_cast<unsigned char*>(cases.a), u,
            static_cast<unsigned char>(0x3f), 8);
  cases.add("searches", "insert_2e18", 18, table_insert, threads / 2 / 256, 256, 0,
            reinterpret_cast<unsigned long long*>(cases.c), cases.indices, (1u << 18) - 1);
  cases.list.back().prepare = [c = cases.c] { CHECK_CUDA(cudaMemsetAsync(c, 0, std::size_t{2} << 20)); };
  cases.add("steps", "floyd_16x16", 512, floyd_step, dim3(32, 32), dim3(16, 16), 0, cases.c, 512, 100);
  cases.add("steps", "floyd_32x8", 1024, floyd_step, dim3(32, 128), dim3(32, 8), 0, cases.c, 1024, 100);
  cases.add("steps", "nearest", 64, points_nearest, threads / 256, 256, 0, reinterpret_cast<float2*>(cases.a),
            reinterpret_cast<float2*>(cases.b), s, 64);
  cases.add("steps", "monte_carlo", 64, walk_random, 264, 256, 0, cases.b, 64);
  cases.add("steps", "interest", 200, interest, 528, 256, 0, cases.b, 200);
  cases.add("uneven", "lanes", 256, diverging_work, 528, 256, 0, cases.indices, cases.b, 256);
  cases.add("uneven", "lanes_short", 32, diverging_work, 1056, 256, 0, cases.indices, cases.b, 32);
  cases.add("uneven", "blocks", 64, uneven_blocks, 132 * 8, 256, 0, cases.b, 64);
  cases.add("uneven", "blocks_many", 64, uneven_blocks, 132 * 32, 128, 0, cases.b, 32);
  cases.add("uneven", "even_blocks", 64, interest, 132 * 8, 256, 0, cases.b, 64);
  cases.add("tiles", "transpose", 1024, transpose_tile, dim3(32, 32), dim3(32, 8), 4096, cases.a, cases.b, 1024, 0);
  cases.add("tiles", "transpose_padded", 1024, transpose_tile, dim3(32, 32), dim3(32, 8), 4224, cases.a, cases.b, 1024,
            1);
  cases.add("pixels", "gray_4", 1 << 20, grayscale, 4096, 256, 0, reinterpret_cast<uchar4*>(cases.a),
            reinterpret_cast<unsigned char*>(cases.b));
  cases.add("pixels", "gray_3", 1 << 20, grayscale_bytes, 4096, 256, 0, reinterpret_cast<unsigned char*>(cases.a),
            reinterpret_cast<unsigned char*>(cases.b));
  cases.add("pixels", "particles", threads, particles, threads / 256, 256, 0,
            reinterpret_cast<ProgramParticle*>(cases.c));
  for (const int each : {1, 4, 16})
    cases.add("sums", "two_steps_" + std::to_string(each), each, reduce_two_steps, (1 << 20) / 256 / each, 256, 0,
              cases.a, cases.c, each);
  cases.add("sums", "dot_atomic", 1 << 16, dot_atomic, (1 << 16) / 256, 256, 0, cases.a, cases.b, cases.c);
}
