// The contract of exercise async_barriers: barriers at which a thread arrives first and waits later.
#pragma once
#include "common/cuda/lab.h"
/// @defgroup async_barriers Exercise async_barriers
/// Barriers at which a thread arrives first and waits later: `cuda::barrier<cuda::thread_scope_block>` of
/// `<cuda/barrier>`, in shared memory; one thread calls `init(&barrier, expected)` before a __syncthreads(), the only
/// one here. `arrive()` returns a token and does not wait; wait(token) waits until `expected` threads have arrived, and
/// the next phase begins; arrive_and_wait() does both. Without use of a token, write `(void)barrier.arrive()`. After
/// arrive_and_drop(), later phases expect one thread less. Where all threads meet, __syncthreads() costs less.
/// @{
/// One kernel of one block. Warp w takes part in rounds 0 to lives[w] - 1, then it ends. In round r, each thread t that
/// takes part adds t + 1 to numbers[r], 0 at first, and reads the sum when all have added; out[t] is the sum of what t
/// read. There are 1 to 256 threads, and `lives` are 1 to 10. Arrays: device; `lives` is only read.
void live(const int* lives, int* out, int* numbers, int threads);
/// One kernel of one block of two warps. The first writes 3 * x + 1 for 32 elements x at a time into two buffers in
/// shared memory, in turn; the second writes each 32 to the same places in `out`, in reverse order. One is filled while
/// the other is read: each has a barrier `ready` and one `filled`, for 64 threads, where one warp only arrives.
void hand_on(const int* in, int* out, int batches);
/// Predicts __mbarrier_token_pending_count() of the token of the n-th arrival, 1 to 1000, at a barrier that expects
/// `expected`, 1 to 100: for how many arrivals the phase was waiting when this one came, itself included. pending(0, 0)
/// is __mbarrier_maximum_count(), the most that these functions let a barrier expect: it has 14 bits.
int pending(int expected, int n);
/// @}
