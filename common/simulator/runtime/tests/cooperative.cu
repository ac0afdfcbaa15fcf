// Cooperative launches and groups: h200_cooperative.txt holds what an H200 printed. Every line is the same in every
// run.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

namespace {

const char* answer(cudaError_t error) { return cudaGetErrorName(error); }

/// A hash of what a kernel wrote, so that one line checks many values.
unsigned digest(const std::vector<unsigned>& values) {
  unsigned hash = 2166136261u;
  for (const unsigned value : values) hash = (hash ^ value) * 16777619u;
  return hash;
}

__global__ void queries(unsigned* out) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long rank = grid.thread_rank();
  if (rank != grid.num_threads() - 3) return;
  const dim3 block = grid.block_index(), blocks = grid.dim_blocks(), thread = grid.thread_index();
  const unsigned answers[] = {grid.is_valid(),
                              static_cast<unsigned>(rank),
                              static_cast<unsigned>(grid.num_threads()),
                              static_cast<unsigned>(grid.size()),
                              static_cast<unsigned>(grid.num_blocks()),
                              static_cast<unsigned>(grid.block_rank()),
                              block.x,
                              block.y,
                              block.z,
                              blocks.x,
                              blocks.y,
                              blocks.z,
                              grid.group_dim().x,
                              thread.x,
                              thread.y,
                              thread.z};
  for (unsigned i = 0; i < sizeof answers / sizeof *answers; ++i) out[i] = answers[i];
}

/// Every block reads what the previous block wrote in the previous phase.
__global__ void ring(unsigned* a, unsigned* b, int phases) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned self = grid.thread_rank(), count = grid.num_threads();
  const unsigned from = (self + blockDim.x * blockDim.y + 1) % count;
  for (int phase = 0; phase < phases; ++phase) {
    b[self] = a[from] * 3 + phase;
    grid.sync();
    unsigned* swapped = a;
    a = b;
    b = swapped;
  }
}

/// Work between arriving and waiting.
__global__ void split_barrier(unsigned* out) {
  __shared__ unsigned part[256];
  cg::thread_block block = cg::this_thread_block();
  part[block.thread_rank()] = block.thread_rank() * 7;
  auto block_token = block.barrier_arrive();
  const unsigned own = block.thread_rank() + 1;
  block.barrier_wait(std::move(block_token));
  const unsigned seen = part[block.num_threads() - 1 - block.thread_rank()];
  cg::grid_group grid = cg::this_grid();
  const unsigned long long rank = grid.thread_rank();
  out[rank] = seen + own;
  auto grid_token = grid.barrier_arrive();
  const unsigned other = (rank + 300) % grid.num_threads();
  grid.barrier_wait(std::move(grid_token));
  const unsigned value = out[other];
  grid.sync();
  out[rank] = value + own;
}

template <unsigned Size>
__global__ void tile(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned rank = tile.thread_rank(), v = (block.thread_rank() * 2654435761u) >> 7;
  unsigned h = rank + 64 * tile.size() + 4096 * tile.meta_group_rank() + 65536 * tile.meta_group_size();
  const auto mix = [&h](unsigned value) { h = (h ^ value) * 16777619u; };
  mix(tile.shfl(v, Size - 1));
  mix(tile.shfl_down(v, 1));
  mix(tile.shfl_up(v, 1));
  mix(tile.shfl_xor(v, Size / 2));
  mix(tile.any(rank == 1));
  mix(tile.all(v != 0));
  mix(tile.ballot(v & 1));
  mix(tile.match_any(v & 3));
  int all_equal = 7;
  mix(tile.match_all(v >> 31, all_equal));
  mix(all_equal);
  mix(cg::reduce(tile, v, cg::plus<unsigned>()));
  mix(cg::reduce(tile, v, cg::less<unsigned>()));
  mix(cg::reduce(tile, static_cast<int>(v - 9999), cg::greater<int>()));
  mix(cg::reduce(tile, v, cg::bit_and<unsigned>()) + cg::reduce(tile, v, cg::bit_or<unsigned>()));
  mix(cg::reduce(tile, v, cg::bit_xor<unsigned>()));
  mix(__float_as_uint(cg::reduce(tile, static_cast<float>(rank) + 0.5f, cg::plus<float>())));
  mix(cg::reduce(tile, v % 97, [](unsigned a, unsigned b) { return a * b + a + b; }));
  const unsigned long long wide = cg::reduce(tile, 0x100000001ull * rank, cg::plus<unsigned long long>());
  mix(static_cast<unsigned>(wide >> 32));
  mix(cg::inclusive_scan(tile, v % 97));
  mix(cg::exclusive_scan(tile, v % 97));
  mix(cg::inclusive_scan(tile, v % 97, cg::greater<unsigned>()));
  mix(cg::invoke_one_broadcast(tile, [&] { return 3u; }));
  tile.sync();
  out[block.thread_rank()] = h;
}

/// Tiles of several warps synchronise through shared memory reserved by the headers.
template <unsigned Size>
__global__ void large_tile(unsigned* out) {
  __shared__ cg::block_tile_memory<512> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned v = (block.thread_rank() * 2654435761u) >> 7;
  unsigned h = tile.thread_rank() + 1024 * tile.meta_group_rank();
  const auto mix = [&h](unsigned value) { h = (h ^ value) * 16777619u; };
  mix(tile.any(v % 501 == 3));
  mix(tile.all(v % 501 != 3));
  mix(tile.shfl(v, Size - 2));
  mix(cg::reduce(tile, v, cg::plus<unsigned>()));
  mix(cg::reduce(tile, v, cg::greater<unsigned>()));
  mix(cg::inclusive_scan(tile, v % 97));
  mix(cg::exclusive_scan(tile, v % 97));
  tile.sync();
  out[block.thread_rank()] = h;
}

__global__ void dynamic_groups(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = block.thread_rank(), v = (i * 2654435761u) >> 7;
  unsigned h = 1;
  const auto mix = [&h](unsigned value) { h = (h ^ value) * 16777619u; };
  const cg::thread_group whole = block;
  mix(whole.size());
  mix(whole.thread_rank());
  for (unsigned size = 1; size <= 32; size *= 2) {
    const cg::thread_group group = cg::tiled_partition(block, size);
    mix(group.size() * 64 + group.thread_rank());
    group.sync();
  }
  if (v % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    mix(active.size() * 64 + active.thread_rank());
    mix(active.meta_group_size());
    mix(active.shfl(v, active.size() - 1));
    mix(active.shfl_down(v, 1));
    mix(active.shfl_up(v, 2));
    mix(active.ballot(v & 1));
    mix(active.any(v & 1));
    mix(active.all(v & 1));
    mix(active.match_any(v & 1));
    mix(cg::reduce(active, v, cg::plus<unsigned>()));
    mix(cg::reduce(active, v % 97, [](unsigned a, unsigned b) { return a > b ? a : b; }));
    mix(cg::inclusive_scan(active, v % 97));
    mix(cg::exclusive_scan(active, v % 97));
    active.sync();
    const cg::coalesced_group pairs = cg::tiled_partition(active, 2);
    mix(pairs.size() * 64 + pairs.thread_rank());
    mix(cg::reduce(pairs, v, cg::plus<unsigned>()));
  }
  const auto warp = cg::tiled_partition<32>(block);
  const auto binary = cg::binary_partition(warp, (v & 2) != 0);
  mix(binary.size() * 64 + binary.thread_rank());
  mix(binary.meta_group_rank() + 8 * binary.meta_group_size());
  mix(cg::reduce(binary, v, cg::bit_xor<unsigned>()));
  const auto labelled = cg::labeled_partition(warp, v % 5);
  mix(labelled.size() * 64 + labelled.thread_rank());
  mix(labelled.meta_group_rank() + 8 * labelled.meta_group_size());
  mix(cg::reduce(labelled, v, cg::plus<unsigned>()));
  cg::invoke_one(labelled, [&] { mix(77); });
  const auto nested = cg::tiled_partition<4>(warp);
  mix(cg::reduce(nested, v, cg::plus<unsigned>()) + nested.meta_group_rank());
  block.sync();
  out[i] = h - (v % 3 == 0);
}

template <class Kernel, class... Arguments>
void show(const char* name, unsigned* out, int count, Kernel kernel, dim3 grid, dim3 block, bool cooperative,
          Arguments... arguments) {
  cudaMemset(out, 0, sizeof(unsigned) * count);
  void* pointers[] = {&arguments...};
  const cudaError_t launched =
      cooperative ? cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), grid, block, pointers, 0, nullptr)
                  : cudaLaunchKernel(reinterpret_cast<void*>(kernel), grid, block, pointers, 0, nullptr);
  const cudaError_t ran = cudaDeviceSynchronize();
  std::vector<unsigned> values(count);
  cudaMemcpy(values.data(), out, sizeof(unsigned) * count, cudaMemcpyDeviceToHost);
  std::printf("%s: %s %s %08x\n", name, answer(launched), answer(ran), digest(values));
}

void show_values(const char* name, const unsigned* out, int count) {
  std::vector<unsigned> values(count);
  cudaMemcpy(values.data(), out, sizeof(unsigned) * count, cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (const unsigned value : values) std::printf(" %u", value);
  std::printf("\n");
}

cudaError_t launch_cooperatively(unsigned blocks, unsigned threads, std::size_t shared, unsigned* a, unsigned* b) {
  int phases = 1;
  void* arguments[] = {&a, &b, &phases};
  const cudaError_t launched =
      cudaLaunchCooperativeKernel(reinterpret_cast<void*>(ring), blocks, threads, arguments, shared, nullptr);
  const cudaError_t ran = cudaDeviceSynchronize();
  const cudaError_t last = cudaGetLastError();
  std::printf("  %u x %u threads, %zu bytes: %s, then %s, last %s\n", blocks, threads, shared, answer(launched),
              answer(ran), answer(last));
  return launched;
}

}  // namespace

int main() {
  unsigned *a, *b;
  constexpr std::size_t kBytes = sizeof(unsigned) << 19;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  int supported = -1, processors = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  std::printf("cooperative launch: %d\n", supported);

  queries<<<dim3(3, 2, 2), dim3(8, 4, 2)>>>(a);
  std::printf("plain launch: %s\n", answer(cudaDeviceSynchronize()));
  show_values("queries", a, 16);
  show("cooperative launch", a, 16, queries, dim3(3, 2, 2), dim3(8, 4, 2), true, a);
  show_values("queries", a, 16);

  std::vector<unsigned> start(1 << 19);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<unsigned>(i * 2654435761u);
  for (const auto& [blocks, threads, phases] :
       {std::tuple{1, 32, 5}, {2, 64, 1}, {7, 96, 9}, {132, 256, 20}, {528, 128, 4}}) {
    cudaMemcpy(a, start.data(), kBytes, cudaMemcpyHostToDevice);
    std::printf("%d blocks of %d, %d phases\n", blocks, threads, phases);
    show("  ring", b, blocks * threads, ring, dim3(blocks), dim3(threads), true, a, b, phases);
  }
  cudaMemcpy(a, start.data(), kBytes, cudaMemcpyHostToDevice);
  show("ring of planes", b, 2 * 3 * 4 * 64, ring, dim3(2, 3, 4), dim3(8, 8), true, a, b, 3);
  show("split barrier", a, 4 * 256, split_barrier, dim3(4), dim3(256), true, a);

  // As many blocks as are resident at once, and one more.
  for (const auto& [threads, shared] : {std::pair{256, 0}, {1024, 0}, {32, 0}, {128, 40000}}) {
    int resident = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ring, threads, shared);
    std::printf("%d threads, %d bytes: %d blocks per multiprocessor\n", threads, shared, resident);
    launch_cooperatively(resident * processors, threads, shared, a, b);
    launch_cooperatively(resident * processors + 1, threads, shared, a, b);
  }
  launch_cooperatively(0, 32, 0, a, b);
  launch_cooperatively(1, 0, 0, a, b);
  launch_cooperatively(1, 1025, 0, a, b);
  launch_cooperatively(1, 32, 1 << 20, a, b);
  launch_cooperatively(1 << 20, 1025, 0, a, b);

  // The same through a launch attribute.
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(3, 2, 2);
  config.blockDim = dim3(8, 4, 2);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t launched = cudaLaunchKernelEx(&config, queries, a);
  std::printf("attribute: %s %s\n", answer(launched), answer(cudaDeviceSynchronize()));
  show_values("queries", a, 1);
  config.gridDim = dim3(1 << 20);
  config.blockDim = dim3(32);
  const cudaError_t refused = cudaLaunchKernelEx(&config, ring, a, b, 1);
  std::printf("too large: %s, last %s\n", answer(refused), answer(cudaGetLastError()));

  show("tile 1", a, 128, tile<1>, dim3(1), dim3(128), false, a);
  show("tile 2", a, 128, tile<2>, dim3(1), dim3(128), false, a);
  show("tile 4", a, 128, tile<4>, dim3(1), dim3(128), false, a);
  show("tile 8", a, 128, tile<8>, dim3(1), dim3(128), false, a);
  show("tile 16", a, 128, tile<16>, dim3(1), dim3(128), false, a);
  show("tile 32", a, 128, tile<32>, dim3(1), dim3(128), false, a);
  show("tile 64", a, 512, large_tile<64>, dim3(1), dim3(512), false, a);
  show("tile 128", a, 512, large_tile<128>, dim3(1), dim3(512), false, a);
  show("tile 512", a, 512, large_tile<512>, dim3(1), dim3(512), false, a);
  show("dynamic groups", a, 96, dynamic_groups, dim3(1), dim3(96), false, a);
  return 0;
}
