// Shared data structures: lists in the device heap, a lock-free stack, a queue with tickets, locks in a fixed order.
#include <algorithm>

#include "sample.h"

namespace {

struct Node {
  int value;
  Node* next;
};

__device__ Node* head;

__global__ void push(int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
  node->value = i;
  unsigned long long* const place = reinterpret_cast<unsigned long long*>(&head);
  unsigned long long seen = *reinterpret_cast<volatile unsigned long long*>(place), before = 0;
  do {
    before = seen;
    node->next = reinterpret_cast<Node*>(before);
    __threadfence();
    seen = atomicCAS(place, before, reinterpret_cast<unsigned long long>(node));
  } while (seen != before);
}

__global__ void walk(int* values, int* count) {
  int n = 0;
  for (Node* node = head; node != nullptr; ++n) {
    values[n] = node->value;
    Node* const next = node->next;
    free(node);
    node = next;
  }
  head = nullptr;
  *count = n;
}

constexpr int kRing = 64;

struct Queue {
  unsigned put, taken;
  unsigned turns[kRing];
  int values[kRing];
};

/// Half of the blocks enqueue numbers, the others dequeue them; a ticket gives each its cell and its turn.
__global__ void exchange(Queue* queue, int each, long long* sum, int* seen) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < each; ++i) {
    if (blockIdx.x % 2 == 0) {
      const unsigned ticket = atomicAdd(&queue->put, 1), cell = ticket % kRing, turn = ticket / kRing * 2;
      while (atomicAdd(&queue->turns[cell], 0) != turn) __nanosleep(20);
      queue->values[cell] = static_cast<int>(blockIdx.x / 2 * each + i);
      __threadfence();
      atomicExch(&queue->turns[cell], turn + 1);
    } else {
      const unsigned ticket = atomicAdd(&queue->taken, 1), cell = ticket % kRing, turn = ticket / kRing * 2;
      while (atomicAdd(&queue->turns[cell], 0) != turn + 1) __nanosleep(20);
      __threadfence();
      const int value = *static_cast<volatile int*>(&queue->values[cell]);
      __threadfence();
      atomicExch(&queue->turns[cell], turn + 2);
      atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
      atomicAdd(&seen[value], 1);
    }
  }
}

/// Philosophers: every thread takes two locks, the lower one first.
__global__ void dine(int* forks, int* meals, int seats) {
  const int own = threadIdx.x % seats, other = (own + 1) % seats, first = min(own, other), second = max(own, other);
  for (bool fed = false; !fed;) {
    if (atomicCAS(&forks[first], 0, 1) != 0) continue;
    if (atomicCAS(&forks[second], 0, 1) == 0) {
      __threadfence();
      meals[own] = meals[own] + 1;
      __threadfence();
      atomicExch(&forks[second], 0);
      fed = true;
    }
    atomicExch(&forks[first], 0);
  }
}

}  // namespace

int main() {
  constexpr int kNodes = 700;
  sample::Device<int> values(kNodes), count(1);
  push<<<6, 128>>>(kNodes);
  walk<<<1, 1>>>(values, count);
  FINISH();
  std::vector<int> got = values.get(), wanted(kNodes);
  std::sort(got.begin(), got.end());
  for (int i = 0; i < kNodes; ++i) wanted[i] = i;
  sample::compare("a list of", count.get()[0], kNodes);
  sample::compare("its values", got, wanted);

  constexpr int kEach = 50, kBlocks = 16, kAll = kEach * kBlocks / 2;
  sample::Device<Queue> queue(1);
  sample::Device<long long> sum(1);
  sample::Device<int> seen(kAll);
  exchange<<<kBlocks, 32>>>(queue, kEach, sum, seen);
  FINISH();
  sample::compare("the sum of a queue", sum.get()[0], static_cast<long long>(kAll) * (kAll - 1) / 2);
  sample::compare("each was taken once", seen.get(), std::vector<int>(kAll, 1));

  sample::Device<int> forks(5), meals(5);
  dine<<<1, 60>>>(forks, meals, 5);
  FINISH();
  sample::compare("meals", meals.get(), std::vector<int>(5, 12));
  return sample::passed();
}
