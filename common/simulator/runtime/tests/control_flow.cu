// How lanes, warps and blocks execute: divergence, calls, spinning, barriers. Each case computes its own expected
// result, so the program can also run on a real GPU (an H200 passed all of them on 2026-11-21).
#include <functional>
#include <vector>

#include "check.h"

namespace {

/// Runs @p launch on a zeroed array of @p count integers and compares with @p expected.
void expect(const char* name, int count, const std::function<void(int*)>& launch,
            const std::function<int(int)>& expected) {
  int* device = nullptr;
  SUCCEEDS(cudaMalloc(&device, count * sizeof(int)));
  SUCCEEDS(cudaMemset(device, 0, count * sizeof(int)));
  launch(device);
  SUCCEEDS(cudaGetLastError());
  SUCCEEDS(cudaDeviceSynchronize());
  std::vector<int> host(count);
  SUCCEEDS(cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost));
  SUCCEEDS(cudaFree(device));
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    if (host[i] == expected(i)) continue;
    if (wrong++ == 0) std::printf("%s: element %d is %d, expected %d\n", name, i, host[i], expected(i));
  }
  CHECK(wrong == 0);
}

__global__ void if_else(int* out) {
  const int i = threadIdx.x;
  if (i & 1) {
    for (int k = 0; k < i; ++k) out[i] += k;
  } else {
    out[i] = -i;
  }
  out[i] += 1000;
}

__global__ void early_return_inside(int* out) {
  const int i = threadIdx.x;
  if (i < 20) {
    if (i % 3 == 0) return;
    out[i] = 1;
  }
  out[i] += __popc(__ballot_sync(__activemask(), true));
}

__global__ void divergent_loop(int* out) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int k = 0; k <= i; ++k) {
    if (k % 5 == 3) continue;
    if (k > 25) break;
    sum += k;
  }
  out[i] = sum;
}
int divergent_loop_host(int i) {
  int sum = 0;
  for (int k = 0; k <= i; ++k) {
    if (k % 5 == 3) continue;
    if (k > 25) break;
    sum += k;
  }
  return sum;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 9); }

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negate(int x) { return -x; }
__device__ int (*table[3])(int) = {twice, square, negate};
__global__ void function_pointers(int* out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x) + 1; }

struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area() const { return size; }
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area() const override { return size * size; }
};
__global__ void virtual_calls(int* out) {
  const Shape plain(threadIdx.x);
  const Square square_shape(threadIdx.x);
  const Shape* shape = threadIdx.x % 2 ? &plain : &square_shape;
  out[threadIdx.x] = shape->area();
}

__global__ void switch_table(int* out, int add) {
  const int i = threadIdx.x;
  switch (i % 7) {
    case 0:
      out[i] = add;
      break;
    case 1:
      out[i] = 3 * i;  // falls through
    case 2:
      out[i] += 5;
      break;
    case 3:
      out[i] = i / add;
      break;
    case 4:
      out[i] = i << 2;
      break;
    case 5:
      out[i] = i ^ 0x55;
      break;
    default:
      out[i] = -1;
  }
}
int switch_host(int i, int add) {
  int out = 0;
  switch (i % 7) {
    case 0:
      out = add;
      break;
    case 1:
      out = 3 * i;
    case 2:
      out += 5;
      break;
    case 3:
      out = i / add;
      break;
    case 4:
      out = i << 2;
      break;
    case 5:
      out = i ^ 0x55;
      break;
    default:
      out = -1;
  }
  return out;
}

/// Jumps into the middle of a loop: irreducible control flow.
__global__ void irreducible(int* out) {
  int i = threadIdx.x, steps = 0;
  asm volatile(
      "{ .reg .pred p;\n"
      "  and.b32 %1, %0, 1;\n"
      "  setp.eq.s32 p, %1, 1;\n"
      "  mov.u32 %1, 0;\n"
      "  @p bra MIDDLE;\n"
      "TOP: add.s32 %1, %1, 100;\n"
      "MIDDLE: add.s32 %1, %1, 1;\n"
      "  sub.s32 %0, %0, 1;\n"
      "  setp.gt.s32 p, %0, 0;\n"
      "  @p bra TOP;\n"
      "}\n"
      : "+r"(i), "+r"(steps));
  out[threadIdx.x] = steps;
}
int irreducible_host(int i) {
  int steps = 0;
  const bool middle = i & 1;
  if (!middle) steps += 100;
  for (;;) {
    steps += 1;
    if (--i <= 0) return steps;
    steps += 100;
  }
}

/// Lanes of one warp take the same lock in turn: needs independent progress of each lane.
__global__ void spin_lock(int* out) {
  __shared__ int lock, counter;
  if (threadIdx.x == 0) lock = counter = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      counter = counter + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  out[threadIdx.x] = *(volatile int*)&counter;
}

/// The naive form, in which the lane that holds the lock leaves the loop before it unlocks.
__global__ void naive_spin_lock(int* out, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  out[0] = *(volatile int*)&out[0] + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void producer_consumer(int* out) {
  volatile int* box = out;
  if (threadIdx.x == 0) {
    while (box[1] == 0) {
    }
    box[2] = box[1] * 10;
  } else if (threadIdx.x == 1) {
    for (int k = 0; k < 1000; ++k) box[3] = k;
    box[1] = 7;
  }
}

/// The second block waits for the first one's flag, whichever starts first.
__global__ void block_waits_for_block(int* out) {
  volatile int* flag = out;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (flag[1] == 0) {
    }
    flag[0] = flag[1] + 1;
  } else {
    __threadfence();
    flag[1] = 41;
  }
}

__global__ void named_barriers(int* out) {
  __shared__ int value[2];
  const int pair = threadIdx.x / 64;
  if (pair == 0) {
    if (threadIdx.x == 5) value[0] = 50;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = value[0];
  } else {
    if (threadIdx.x == 70) value[1] = 60;
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = value[1];
  }
}

__global__ void barrier_votes(int* out) {
  const int i = threadIdx.x;
  if (i >= 90) return;  // Threads that have exited are not counted.
  const int count = __syncthreads_count(i % 3 == 0);
  const int all = __syncthreads_and(i < 1000);
  const int any = __syncthreads_or(i == 17);
  const int none = __syncthreads_or(i == 1000);
  out[i] = count * 1000 + all * 100 + any * 10 + none;
}

__global__ void shuffles(int* out) {
  const int lane = threadIdx.x;
  int sum = lane;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  const int total = __shfl_sync(~0u, sum, 0);
  const int from33 = __shfl_sync(~0u, lane, 33);
  const int group3 = __shfl_sync(~0u, lane, 11, 8);
  const int up = __shfl_up_sync(~0u, lane, 2, 8);
  const int swapped = __shfl_xor_sync(~0u, lane, 9, 8);
  out[lane] = total;
  out[32 + lane] = from33;
  out[64 + lane] = group3;
  out[96 + lane] = up;
  out[128 + lane] = swapped;
}
int shuffles_host(int i) {
  const int lane = i % 32;
  switch (i / 32) {
    case 0:
      return 496;
    case 1:
      return 1;
    case 2:
      return lane / 8 * 8 + 3;
    case 3:
      return lane % 8 < 2 ? lane : lane - 2;
    default:
      return (lane / 8) % 2 == 0 ? lane : (lane ^ 9);  // Groups 0 and 2 reach outside and keep their own.
  }
}

__global__ void votes_and_matches(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __ballot_sync(~0u, lane % 3 == 0) == 0x49249249u;
  out[32 + lane] = __match_any_sync(~0u, lane / 4) == 0xfu << (lane / 4 * 4);
  int agree = 0;
  const unsigned all = __match_all_sync(~0u, 7, &agree);
  out[64 + lane] = all == ~0u && agree;
  out[96 + lane] = __reduce_add_sync(~0u, lane);
  out[128 + lane] = __reduce_max_sync(~0u, -lane) + 2 * __all_sync(~0u, lane < 32) + 4 * __any_sync(~0u, lane == 40);
}
int votes_host(int i) { return i < 96 ? 1 : i < 128 ? 496 : 2; }

/// Half a warp at a time: *.sync with the mask of a branch, and lanes that arrive on different paths.
__global__ void partial_shuffles(int* out) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < 16)
    value = __shfl_xor_sync(0x0000ffffu, value, 1);
  else
    value = __shfl_xor_sync(0xffff0000u, value, 2);
  if (lane % 2) {
    value += 100;
    __syncwarp();
  } else {
    value += 200;
    __syncwarp();
  }
  out[lane] = value;
}
int partial_host(int lane) { return (lane < 16 ? lane ^ 1 : lane ^ 2) + (lane % 2 ? 100 : 200); }

__global__ void clocks_advance(int* out) {
  const long long start = clock64();
  while (clock64() - start < 5000) {
  }
  unsigned long long ns = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  out[threadIdx.x] = clock64() - start >= 5000 && ns != 0;
}

__global__ void uneven_block(int* out) {
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[i] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
}

__global__ void sum_into(int* out, int per_thread) {
  for (int k = 0; k < per_thread; ++k) atomicAdd(&out[k % 4], 1);
}

__global__ void last_block(int* out, unsigned* tickets) {
  __shared__ bool last;
  out[1 + blockIdx.x] = blockIdx.x;
  __threadfence();
  if (threadIdx.x == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += out[1 + b];
    out[0] = sum;
  }
}

}  // namespace

int main() {
  expect(
      "if_else", 32, [](int* d) { if_else<<<1, 32>>>(d); },
      [](int i) { return (i & 1 ? i * (i - 1) / 2 : -i) + 1000; });
  expect(
      "early_return_inside", 32, [](int* d) { early_return_inside<<<1, 32>>>(d); },
      [](int i) { return i < 20 && i % 3 == 0 ? 0 : (i < 20) + 25; });
  expect(
      "divergent_loop", 64, [](int* d) { divergent_loop<<<1, 64>>>(d); }, divergent_loop_host);
  expect(
      "recursion", 64, [](int* d) { recursion<<<1, 64>>>(d); },
      [](int i) {
        const int f[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
        return f[i % 9];
      });
  expect(
      "function_pointers", 64, [](int* d) { function_pointers<<<1, 64>>>(d); },
      [](int i) {
        return (i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : -i) + 1;
      });
  expect(
      "virtual_calls", 40, [](int* d) { virtual_calls<<<1, 40>>>(d); }, [](int i) { return i % 2 ? i : i * i; });
  expect(
      "switch_table", 70, [](int* d) { switch_table<<<1, 70>>>(d, 3); }, [](int i) { return switch_host(i, 3); });
  expect(
      "irreducible", 32, [](int* d) { irreducible<<<1, 32>>>(d); }, irreducible_host);
  expect(
      "spin_lock", 96, [](int* d) { spin_lock<<<1, 96>>>(d); }, [](int) { return 96; });
  expect(
      "naive_spin_lock", 2, [](int* d) { naive_spin_lock<<<1, 32>>>(d, d + 1); },
      [](int i) { return i == 0 ? 32 : 0; });
  expect(
      "producer_consumer", 4, [](int* d) { producer_consumer<<<1, 32>>>(d); },
      [](int i) {
        const int e[] = {0, 7, 70, 999};
        return e[i];
      });
  expect(
      "block_waits_for_block", 2, [](int* d) { block_waits_for_block<<<2, 32>>>(d); },
      [](int i) { return i == 0 ? 42 : 41; });
  expect(
      "named_barriers", 128, [](int* d) { named_barriers<<<1, 128>>>(d); }, [](int i) { return i < 64 ? 50 : 60; });
  expect(
      "barrier_votes", 100, [](int* d) { barrier_votes<<<1, 100>>>(d); }, [](int i) { return i < 90 ? 30110 : 0; });
  expect(
      "shuffles", 160, [](int* d) { shuffles<<<1, 32>>>(d); }, shuffles_host);
  expect(
      "votes_and_matches", 160, [](int* d) { votes_and_matches<<<1, 32>>>(d); }, votes_host);
  expect(
      "partial_shuffles", 32, [](int* d) { partial_shuffles<<<1, 32>>>(d); }, partial_host);
  expect(
      "clocks_advance", 32, [](int* d) { clocks_advance<<<1, 32>>>(d); }, [](int) { return 1; });
  expect(
      "uneven_block", 7 * 5 * 3, [](int* d) { uneven_block<<<1, dim3(7, 5, 3)>>>(d); },
      [](int i) { return i % 7 + 10 * (i / 7 % 5) + 100 * (i / 35); });
  expect(
      "sum_into", 4, [](int* d) { sum_into<<<40, 100>>>(d, 12); }, [](int) { return 12000; });
  expect(
      "last_block", 101,
      [](int* d) {
        unsigned* tickets = nullptr;
        SUCCEEDS(cudaMalloc(&tickets, sizeof *tickets));
        SUCCEEDS(cudaMemset(tickets, 0, sizeof *tickets));
        last_block<<<100, 64>>>(d, tickets);
        SUCCEEDS(cudaDeviceSynchronize());
        SUCCEEDS(cudaFree(tickets));
      },
      [](int i) { return i == 0 ? 4950 : i - 1; });
  return report();
}
