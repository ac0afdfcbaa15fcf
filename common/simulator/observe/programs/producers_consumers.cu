// One side stores a message and sets a flag, the other one waits for the flag and reads the message: what makes the
// message visible together with the flag.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kThreads = 64;

__device__ void wait_for(volatile int* flag, int value) {
  while (*flag != value) {
  }
}

/// The flag is an ordinary variable (the message is volatile, which does not matter).
__global__ void plain_flag(volatile int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    __threadfence();
    *flag = 1;  // race: plain_flag
  } else {
    for (int tries = 0; tries < 100; ++tries) {
      if (*flag) break;  // race: plain_flag
      __threadfence();
    }
    *out = *message;
  }
}
CASE(plain_flag, race) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  plain_flag<<<2, 1>>>(message, flag, out);
  return done();
}

__global__ void volatile_flag_without_fences(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: volatile_flag_without_fences
    *flag = 1;
  } else {
    wait_for(flag, 1);
    *out = *message;  // race: volatile_flag_without_fences
  }
}
CASE(volatile_flag_without_fences, race) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  volatile_flag_without_fences<<<2, 1>>>(message, flag, out);
  return done();
}

__global__ void volatile_flag_with_fences(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    __threadfence();
    *flag = 1;
  } else {
    wait_for(flag, 1);
    __threadfence();
    *out = *message;
  }
}
CASE(volatile_flag_with_fences, clean) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  volatile_flag_with_fences<<<2, 1>>>(message, flag, out);
  return done(out.are([](int) { return 41; }));
}

__global__ void fence_behind_the_flag(int* message, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: fence_behind_the_flag
    *flag = 1;
    __threadfence();
  } else {
    __threadfence();
    wait_for(flag, 1);
    *out = *message;  // race: fence_behind_the_flag
  }
}
CASE(fence_behind_the_flag, race) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  fence_behind_the_flag<<<2, 1>>>(message, flag, out);
  return done();
}

/// The flag is set and read by atomics.
__global__ void atomic_flag_with_fences(int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *message;
  }
}
CASE(atomic_flag_with_fences, clean) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  atomic_flag_with_fences<<<2, 1>>>(message, flag, out);
  return done(out.are([](int) { return 41; }));
}

__global__ void atomic_flag_without_fences(int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: atomic_flag_without_fences
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *message;  // race: atomic_flag_without_fences
  }
}
CASE(atomic_flag_without_fences, race) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  atomic_flag_without_fences<<<2, 1>>>(message, flag, out);
  return done();
}

/// The PTX instructions.
__global__ void release_and_acquire_in_ptx(int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
  } else {
    int seen;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(flag)) : "memory");
    } while (seen == 0);
    *out = *message;
  }
}
CASE(release_and_acquire_in_ptx, clean) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  release_and_acquire_in_ptx<<<2, 1>>>(message, flag, out);
  return done(out.are([](int) { return 41; }));
}

__global__ void relaxed_in_ptx(int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;  // race: relaxed_in_ptx
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
  } else {
    int seen;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(flag)) : "memory");
    } while (seen == 0);
    *out = *message;  // race: relaxed_in_ptx
  }
}
CASE(relaxed_in_ptx, race) {
  Device<int> message(1, 0), flag(1, 0), out(1);
  relaxed_in_ptx<<<2, 1>>>(message, flag, out);
  return done();
}

/// One thread of each block signals for it; barriers collect the messages and distribute them.
__global__ void one_thread_for_each_block(int* messages, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    messages[threadIdx.x] = 5 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      *flag = 1;
    }
  } else {
    if (threadIdx.x == 0) {
      wait_for(flag, 1);
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = messages[kThreads - 1 - threadIdx.x];
  }
}
CASE(one_thread_for_each_block, clean) {
  Device<int> messages(kThreads, 0), flag(1, 0), out(kThreads);
  one_thread_for_each_block<<<2, kThreads>>>(messages, flag, out);
  return done(out.are([](int i) { return 5 * (kThreads - 1 - i); }));
}

/// The consumers' barrier comes before the wait: only one thread has waited.
__global__ void consumers_who_do_not_wait(int* messages, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    messages[threadIdx.x] = 5 * threadIdx.x;  // race: consumers_who_do_not_wait
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      *flag = 1;
    }
  } else {
    __syncthreads();
    if (threadIdx.x == 0) {
      wait_for(flag, 1);
      __threadfence();
    }
    out[threadIdx.x] = messages[kThreads - 1 - threadIdx.x];  // race: consumers_who_do_not_wait
  }
}
CASE(consumers_who_do_not_wait, race) {
  Device<int> messages(kThreads, 0), flag(1, 0), out(kThreads);
  consumers_who_do_not_wait<<<2, kThreads>>>(messages, flag, out);
  return done();
}

/// The flag is set before the other producers have stored.
__global__ void producers_who_do_not_wait(int* messages, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    messages[threadIdx.x] = 5 * threadIdx.x;  // race: producers_who_do_not_wait
    __threadfence();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    if (threadIdx.x == 0) {
      wait_for(flag, 1);
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = messages[kThreads - 1 - threadIdx.x];  // race: producers_who_do_not_wait
  }
}
CASE(producers_who_do_not_wait, race) {
  Device<int> messages(kThreads, 0), flag(1, 0), out(kThreads);
  producers_who_do_not_wait<<<2, kThreads>>>(messages, flag, out);
  return done();
}

/// A message in shared memory from warp to warp.
__global__ void warp_to_warp_without_fences(const int* in, int* out) {
  __shared__ int message[2];
  __shared__ volatile int flag;
  if (threadIdx.x < 2) message[threadIdx.x] = 0;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    message[in[1]] = in[3];  // race: warp_to_warp_without_fences
    flag = 1;
  } else if (threadIdx.x == 32) {
    wait_for(&flag, 1);
    *out = message[in[1]];  // race: warp_to_warp_without_fences
  }
}
CASE(warp_to_warp_without_fences, race) {
  Device<int> in(numbers(4)), out(1);
  warp_to_warp_without_fences<<<1, 64>>>(in, out);
  return done();
}

/// Back and forth between two blocks.
__global__ void ping_pong(int* message, volatile int* turn) {
  for (int round = 0; round < 4; ++round) {
    wait_for(turn, 2 * round + blockIdx.x);
    __threadfence();
    *message = *message * 2 + blockIdx.x;
    __threadfence();
    *turn = 2 * round + blockIdx.x + 1;
  }
}
CASE(ping_pong, clean) {
  Device<int> message(1, 0), turn(1, 0);
  ping_pong<<<2, 1>>>(message, turn);
  return done(message.are([](int) { return 0b01010101; }));
}

__global__ void ping_pong_without_fences(int* message, volatile int* turn) {
  for (int round = 0; round < 4; ++round) {
    wait_for(turn, 2 * round + blockIdx.x);
    *message = *message * 2 + 1 + blockIdx.x;  // race: ping_pong_without_fences
    *turn = 2 * round + blockIdx.x + 1;
  }
}
CASE(ping_pong_without_fences, race) {
  Device<int> message(1, 0), turn(1, 0);
  ping_pong_without_fences<<<2, 1>>>(message, turn);
  return done();
}

/// Through a third thread: what the first one stored becomes visible with the second one's flag.
__global__ void relay(int* message, volatile int* flags, int* out) {
  if (blockIdx.x == 0) {
    *message = 41;
    __threadfence();
    flags[0] = 1;
  } else if (blockIdx.x == 1) {
    wait_for(&flags[0], 1);
    __threadfence();
    flags[1] = 1;
  } else {
    wait_for(&flags[1], 1);
    __threadfence();
    *out = *message;
  }
}
CASE(relay, clean) {
  Device<int> message(1, 0), flags(2, 0), out(1);
  relay<<<3, 1>>>(message, flags, out);
  return done(out.are([](int) { return 41; }));
}

}  // namespace
