// The contract of exercise system_atomics: atomics and messages between the device and the host.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup system_atomics Exercise system_atomics
/// Atomics and messages between the device and the host. An atomic has a scope: the threads for which it is one step.
/// `atomicAdd` has that of the device, `atomicAdd_block` of the block, `atomicAdd_system` of all devices and the host.
/// `cuda::atomic_ref<int, cuda::thread_scope_system>(x)` of `<cuda/atomic>` does such steps on x in kernels and on the
/// host: x.fetch_add(n); `x.store(n, cuda::memory_order_release)`, `x.load(cuda::memory_order_acquire)` for a flag.
/// @{
/// Allocates an int of managed memory, 0 at first. One kernel adds 10 to it with each of its `threads` threads, 1 to
/// 10,000; meanwhile, without waiting for it, the host adds 1 to it, `by_host` times, 0 to 1000. Then waits, copies the
/// sum to *total, which is on the device, and frees the int.
void count_together(int* total, int threads, int by_host);
/// Given: what the host computes for ask().
int answer_of(int question);
/// A kernel of one thread writes *question into pinned memory, which it reaches by the host's pointer, and sets a flag
/// there. The host polls the flag, writes answer_of() of the question there, and sets a flag in turn; the kernel polls
/// that one, then copies the answer to *answer.
void ask(const int* question, int* answer);
/// Predicts whether an atomic of a scope, 1 block, 2 device, 3 system, is one step for others that use the same scope:
/// 1. a thread of its block, 2. another block, 3. a kernel in another stream, 4. the host, 5. another GPU. 1 or 0.
int predict(int scope, int other);
/// @}
