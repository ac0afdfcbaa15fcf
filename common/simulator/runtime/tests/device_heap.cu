// malloc and free in kernels: every thread gets its own memory, NULL at the limit, and a heap of the requested size.
#include "check.h"

namespace {

struct Node {
  int value;
  Node* next;
};

/// Each thread builds its own list and sums it.
__global__ void lists(int* sums, int length) {
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) return;
    node->value = i * (threadIdx.x + 1);
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// How many allocations of @p bytes succeed.
__global__ void exhaust(int* pieces, unsigned long long bytes) {
  void* first = nullptr;
  for (*pieces = 0;; ++*pieces) {
    void** piece = static_cast<void**>(malloc(bytes));
    if (piece == nullptr) break;
    *piece = first;
    first = piece;
  }
  while (first != nullptr) {
    void* next = *static_cast<void**>(first);
    free(first);
    first = next;
  }
}

int pieces_of(int* device, unsigned long long bytes) {
  exhaust<<<1, 1>>>(device, bytes);
  int count = -1;
  SUCCEEDS(cudaMemcpy(&count, device, sizeof count, cudaMemcpyDeviceToHost));
  return count;
}

}  // namespace

int main() {
  SUCCEEDS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  int* device = nullptr;
  SUCCEEDS(cudaMalloc(&device, 128 * sizeof(int)));
  SUCCEEDS(cudaMemset(device, 0xff, 128 * sizeof(int)));
  lists<<<2, 64>>>(device, 10);
  int sums[128] = {};
  SUCCEEDS(cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) CHECK(sums[i] == 45 * (i % 64 + 1));
  const int large = pieces_of(device, 1 << 20), small = pieces_of(device, 64 << 10);
  CHECK(large >= 2);
  CHECK(large < 4);
  CHECK(small > 30);
  CHECK(small < 64);
  CHECK(pieces_of(device, 1 << 20) == large);  // Freed memory can be allocated again.
  ANSWERS(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));  // Too late: it is in use.
  return report();
}
