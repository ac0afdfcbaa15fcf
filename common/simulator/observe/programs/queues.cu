// Lock-free queues, stacks and lists: who owns which slot, and when its contents may be read.
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kThreads = 64, kBlocks = 2, kCount = kThreads * kBlocks;
using Index = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ int place() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// A list whose head is exchanged atomically; the next kernel reads it.
__global__ void push_by_exchange(int* head, int* next) { next[place()] = atomicExch(head, place()); }
__global__ void walk(const int* head, const int* next, int* length) {
  for (int node = *head; node >= 0; node = next[node]) ++*length;
}
CASE(list_by_exchange, clean) {
  Device<int> head(1, -1), next(kCount), length(1, 0);
  push_by_exchange<<<kBlocks, kThreads>>>(head, next);
  walk<<<1, 1>>>(head, next, length);
  return done(length.are([](int) { return kCount; }));
}

/// The head is read and stored as if no other thread did.
__global__ void list_by_plain_stores(int* head, int* next) {
  next[place()] = *head;  // race: list_by_plain_stores
  *head = place();        // race: list_by_plain_stores
}
CASE(list_by_plain_stores, race) {
  Device<int> head(1, -1), next(kCount);
  list_by_plain_stores<<<kBlocks, kThreads>>>(head, next);
  return done();
}

__global__ void stack_by_compare_and_swap(int* head, int* next) {
  int seen = Index(*head).load(cuda::memory_order_relaxed);
  do {
    next[place()] = seen;
  } while (!Index(*head).compare_exchange_weak(seen, place(), cuda::memory_order_release, cuda::memory_order_relaxed));
}
CASE(stack_by_compare_and_swap, clean) {
  Device<int> head(1, -1), next(kCount), length(1, 0);
  stack_by_compare_and_swap<<<kBlocks, kThreads>>>(head, next);
  walk<<<1, 1>>>(head, next, length);
  return done(length.are([](int) { return kCount; }));
}

/// One block pushes, the other pops one node as soon as there is one.
__global__ void pop_what_was_released(int* head, int* values, int* out) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = 100 + threadIdx.x;
    Index(*head).store(threadIdx.x, cuda::memory_order_release);
  } else if (threadIdx.x == 0) {
    int node;
    while ((node = Index(*head).load(cuda::memory_order_acquire)) < 0) {
    }
    *out = values[node] - node;
  }
}
CASE(pop_what_was_released, clean) {
  Device<int> head(1, -1), values(kThreads, 0), out(1);
  pop_what_was_released<<<2, kThreads>>>(head, values, out);
  return done(out.are([](int) { return 100; }));
}

__global__ void pop_what_was_not_released(int* head, int* values, int* out) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = 100 + threadIdx.x;  // race: pop_what_was_not_released
    atomicExch(head, threadIdx.x);
  } else if (threadIdx.x == 0) {
    int node;
    while ((node = atomicAdd(head, 0)) < 0) {
    }
    *out = values[node];  // race: pop_what_was_not_released
  }
}
CASE(pop_what_was_not_released, race) {
  Device<int> head(1, -1), values(kThreads, 0), out(1);
  pop_what_was_not_released<<<2, kThreads>>>(head, values, out);
  return done();
}

/// Each thread with a value takes a slot.
__global__ void compact_by_atomics(const int* in, int* length, int* out) {
  if (in[place()] % 3 == 0) out[atomicAdd(length, 1)] = in[place()];
}
CASE(compact_by_atomics, clean) {
  Device<int> in(numbers(kCount)), length(1, 0), out(kCount, 0);
  compact_by_atomics<<<kBlocks, kThreads>>>(in, length, out);
  int sum = 0;
  for (const int value : out.values()) sum += value;
  return done(length.are([](int) { return 43; }) && sum == 3 * 42 * 43 / 2);
}

/// Two threads may take the same slot (each with a value of its own).
__global__ void compact_by_plain_sums(const int* in, volatile int* length, int* out) {
  const int slot = *length;
  *length = slot + 1;
  out[slot] = in[place()];  // race: compact_by_plain_sums
}
CASE(compact_by_plain_sums, race) {
  Device<int> in(numbers(kCount)), length(1, 0), out(kCount, 0);
  compact_by_plain_sums<<<kBlocks, kThreads>>>(in, length, out);
  return done();
}

/// The tail is ahead of the slots' contents, and the consumer looks only at the tail.
__global__ void tail_before_the_slot(const int* in, int* tail, int* slots, int* out) {
  if (blockIdx.x == 0) {
    const int slot = atomicAdd(tail, 1);
    slots[slot] = in[threadIdx.x];  // race: tail_before_the_slot
    __threadfence();
  } else {
    while (atomicAdd(tail, 0) <= static_cast<int>(threadIdx.x)) {
    }
    __threadfence();
    out[threadIdx.x] = slots[threadIdx.x];  // race: tail_before_the_slot
  }
}
CASE(tail_before_the_slot, race) {
  Device<int> in(numbers(32)), tail(1, 0), slots(32, 0), out(32);
  tail_before_the_slot<<<2, 32>>>(in, tail, slots, out);
  return done();
}

/// A flag in each slot says that it is filled.
__global__ void marks_in_the_slots(const int* in, int* tail, int* slots, int* marks, int* sum) {
  if (blockIdx.x == 0) {
    const int slot = atomicAdd(tail, 1);
    slots[slot] = in[threadIdx.x];
    Index(marks[slot]).store(1, cuda::memory_order_release);
  } else {
    while (Index(marks[threadIdx.x]).load(cuda::memory_order_acquire) == 0) {
    }
    atomicAdd(sum, slots[threadIdx.x]);
  }
}
CASE(marks_in_the_slots, clean) {
  Device<int> in(numbers(32)), tail(1, 0), slots(32), marks(32, 0), sum(1, 0);
  marks_in_the_slots<<<2, 32>>>(in, tail, slots, marks, sum);
  return done(sum.are([](int) { return 496; }));
}

constexpr int kRing = 4, kMessages = 12;

/// A ring of four slots between two blocks; head and tail say which slots are free and which are filled.
__global__ void ring_of_one_producer(int* tail, int* head, int* ring, int* out) {
  for (int i = 0; i < kMessages; ++i) {
    if (blockIdx.x == 0) {
      while (i - Index(*head).load(cuda::memory_order_acquire) >= kRing) {
      }
      ring[i % kRing] = 3 * i;
      Index(*tail).store(i + 1, cuda::memory_order_release);
    } else {
      while (Index(*tail).load(cuda::memory_order_acquire) <= i) {
      }
      out[i] = ring[i % kRing];
      Index(*head).store(i + 1, cuda::memory_order_release);
    }
  }
}
CASE(ring_of_one_producer, clean) {
  Device<int> tail(1, 0), head(1, 0), ring(kRing), out(kMessages);
  ring_of_one_producer<<<2, 1>>>(tail, head, ring, out);
  return done(out.are([](int i) { return 3 * i; }));
}

/// The consumer frees the slot without a release: it may be refilled while it is read.
__global__ void ring_freed_without_release(int* tail, int* head, int* ring, int* out) {
  for (int i = 0; i < kMessages; ++i) {
    if (blockIdx.x == 0) {
      while (i - Index(*head).load(cuda::memory_order_acquire) >= kRing) {
      }
      ring[i % kRing] = 3 * i;  // race: ring_freed_without_release
      Index(*tail).store(i + 1, cuda::memory_order_release);
    } else {
      while (Index(*tail).load(cuda::memory_order_acquire) <= i) {
      }
      out[i] = ring[i % kRing];  // race: ring_freed_without_release
      Index(*head).store(i + 1, cuda::memory_order_relaxed);
    }
  }
}
CASE(ring_freed_without_release, race) {
  Device<int> tail(1, 0), head(1, 0), ring(kRing), out(kMessages);
  ring_freed_without_release<<<2, 1>>>(tail, head, ring, out);
  return done();
}

/// Many threads on both sides: the number in a slot says whose turn it is.
__global__ void ring_of_many(int* tail, int* head, int* turns, int* ring, int* sum) {
  const bool producer = blockIdx.x % 2 == 0;
  const int i = atomicAdd(producer ? tail : head, 1), slot = i % kRing, turn = i / kRing;
  Index mine(turns[slot]);
  while (mine.load(cuda::memory_order_acquire) != 2 * turn + (producer ? 0 : 1)) {
  }
  if (producer)
    ring[slot] = 3 * i;
  else
    atomicAdd(sum, ring[slot]);
  mine.store(2 * turn + (producer ? 1 : 2), cuda::memory_order_release);
}
CASE(ring_of_many, clean) {
  Device<int> tail(1, 0), head(1, 0), turns(kRing, 0), ring(kRing), sum(1, 0);
  ring_of_many<<<2 * kMessages, 1>>>(tail, head, turns, ring, sum);
  return done(sum.are([](int) { return 3 * kMessages * (kMessages - 1) / 2; }));
}

/// Work is taken by an atomic, each piece once; no thread looks at the results of others.
__global__ void pieces_of_work(int* next, int* values) {
  for (int piece; (piece = atomicAdd(next, 1)) < kCount;) values[piece] = values[piece] * 2 + 1;
}
CASE(pieces_of_work, clean) {
  Device<int> next(1, 0), values(numbers(kCount));
  pieces_of_work<<<3, 32>>>(next, values);
  return done(values.are([](int i) { return 2 * i + 1; }));
}

/// A piece depends on the previous one, which may still be in progress.
__global__ void pieces_that_need_each_other(int* next, int* values) {
  const int piece = atomicAdd(next, 1) + 1;
  values[piece] = values[piece - 1] + 1;  // race: pieces_that_need_each_other
}
CASE(pieces_that_need_each_other, race) {
  Device<int> next(1, 0), values(kCount + 1, 0);
  pieces_that_need_each_other<<<kBlocks, kThreads>>>(next, values);
  return done();
}

}  // namespace
