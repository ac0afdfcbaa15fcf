// Batched copies, prefetches and discards, pools by location, and a pool's memory counters. An H200 gave every answer
// that is checked here (2026-11-24).
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.h"

namespace {

constexpr int kCount = 1000;
constexpr std::size_t kBytes = kCount * sizeof(int);

void test_copies(cudaStream_t stream) {
  std::vector<int> from(kCount), first(kCount), second(kCount);
  std::iota(from.begin(), from.end(), 0);
  int *a = nullptr, *b = nullptr;
  SUCCEEDS(cudaMalloc(&a, kBytes));
  SUCCEEDS(cudaMalloc(&b, kBytes));
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  std::size_t begins[] = {0, 2}, sizes[] = {kBytes / 2, kBytes / 2, kBytes};
  void* to[] = {a, a + kCount / 2, b};
  const void* sources[] = {from.data(), from.data() + kCount / 2, from.data()};
  SUCCEEDS(cudaMemcpyBatchAsync(to, sources, sizes, 3, attributes, begins, 2, stream));
  void* back[] = {first.data(), second.data()};
  const void* there[] = {a, b};
  std::size_t whole[] = {kBytes, kBytes}, zero[] = {0};
  SUCCEEDS(cudaMemcpyBatchAsync(back, there, whole, 2, attributes, zero, 1, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(first == from && second == from);

  const auto refused = [&](std::size_t count, std::size_t* starts, std::size_t entries, cudaStream_t where) {
    ANSWERS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, sources, sizes, count, attributes, starts, entries, where));
    ANSWERS(cudaErrorInvalidValue, cudaGetLastError());
  };
  std::size_t late[] = {1, 2}, twice[] = {0, 0};
  refused(3, begins, 2, nullptr);  // The legacy default stream.
  refused(0, begins, 1, stream);
  refused(3, begins, 0, stream);
  refused(3, begins, 4, stream);
  refused(3, late, 2, stream);
  refused(3, twice, 2, stream);
  sizes[1] = 0;
  refused(3, zero, 1, stream);
  sizes[1] = kBytes / 2;
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  refused(3, zero, 1, stream);
  SUCCEEDS(cudaFree(a));
  SUCCEEDS(cudaFree(b));
}

cudaMemcpy3DOperand in_memory(void* memory, std::size_t row, bool on_device) {
  cudaMemcpy3DOperand operand{};
  operand.type = cudaMemcpyOperandTypePointer;
  operand.op.ptr.ptr = memory;
  operand.op.ptr.rowLength = row;
  operand.op.ptr.layerHeight = row;
  operand.op.ptr.locHint = {on_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0};
  return operand;
}

void test_boxes(cudaStream_t stream) {
  std::vector<unsigned char> from(64), to(64);
  std::iota(from.begin(), from.end(), 0);
  void* memory = nullptr;
  SUCCEEDS(cudaMalloc(&memory, 64));
  cudaMemcpy3DBatchOp operations[2] = {};
  operations[0].src = in_memory(from.data(), 8, false);
  operations[0].dst = operations[1].src = in_memory(memory, 8, true);
  operations[1].dst = in_memory(to.data(), 8, false);
  for (auto& operation : operations) {
    operation.extent = {4, 4, 1};
    operation.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  }
  SUCCEEDS(cudaMemcpy3DBatchAsync(1, operations, 0, stream));
  SUCCEEDS(cudaMemcpy3DBatchAsync(1, operations + 1, 0, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  for (int i = 0; i < 64; ++i) CHECK(to[i] == (i % 8 < 4 && i / 8 < 4 ? i : 0));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(0, operations, 0, stream));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, nullptr, 0, stream));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, operations, 1, stream));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, operations, 0, nullptr));
  cudaGetLastError();
  SUCCEEDS(cudaFree(memory));
}

int last_prefetch(void* range, std::size_t bytes) {
  int device = -3;
  SUCCEEDS(cudaMemRangeGetAttribute(&device, sizeof device, cudaMemRangeAttributeLastPrefetchLocation, range, bytes));
  return device;
}

void test_managed(cudaStream_t stream) {
  constexpr std::size_t kHalf = 1 << 19;
  int* memory = nullptr;
  SUCCEEDS(cudaMallocManaged(&memory, 2 * kHalf));
  for (std::size_t i = 0; i < 2 * kHalf / sizeof(int); ++i) memory[i] = static_cast<int>(i);
  void* ranges[] = {memory, memory + kHalf / sizeof(int)};
  std::size_t sizes[] = {kHalf, kHalf}, begins[] = {0, 1};
  cudaMemLocation places[] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  SUCCEEDS(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, begins, 2, 0, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(last_prefetch(ranges[0], kHalf) == 0 && last_prefetch(ranges[1], kHalf) == cudaCpuDeviceId);
  CHECK(memory[12345] == 12345);
  SUCCEEDS(cudaMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, places, begins, 1, 0, stream));
  SUCCEEDS(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  memory[0] = 5;
  CHECK(memory[0] == 5);
  SUCCEEDS(cudaFree(memory));
}

void test_pools_by_place() {
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  cudaMemPool_t usual = nullptr, found = nullptr, own = nullptr;
  SUCCEEDS(cudaDeviceGetDefaultMemPool(&usual, 0));
  SUCCEEDS(cudaMemGetDefaultMemPool(&found, &here, cudaMemAllocationTypePinned));
  CHECK(found == usual);
  SUCCEEDS(cudaMemGetMemPool(&found, &here, cudaMemAllocationTypePinned));
  CHECK(found == usual);
  ANSWERS(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(nullptr, &here, cudaMemAllocationTypePinned));
  cudaGetLastError();
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = here;
  SUCCEEDS(cudaMemPoolCreate(&own, &properties));
  SUCCEEDS(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, own));
  SUCCEEDS(cudaDeviceGetMemPool(&found, 0));
  CHECK(found == own);
  SUCCEEDS(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, usual));
  SUCCEEDS(cudaMemPoolDestroy(own));
}

std::uint64_t number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  SUCCEEDS(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void test_numbers_of_a_pool(cudaStream_t stream) {
  constexpr std::size_t kPiece = 256 << 10;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 64 << 20;
  cudaMemPool_t pool = nullptr;
  SUCCEEDS(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t all = ~std::uint64_t{0}, zero = 0;
  SUCCEEDS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  void *pieces[3], *large = nullptr;
  for (void*& piece : pieces) SUCCEEDS(cudaMallocFromPoolAsync(&piece, kPiece, pool, stream));
  ANSWERS(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&large, 96 << 20, pool, stream));
  ANSWERS(cudaErrorMemoryAllocation, cudaGetLastError());
  CHECK(number(pool, cudaMemPoolAttrUsedMemCurrent) == 3 * kPiece);
  for (void* piece : pieces) SUCCEEDS(cudaFreeAsync(piece, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(number(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 3 * kPiece);
  CHECK(number(pool, cudaMemPoolAttrReservedMemCurrent) >= 3 * kPiece);
  SUCCEEDS(cudaMemPoolTrimTo(pool, 0));
  CHECK(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  CHECK(number(pool, cudaMemPoolAttrReservedMemHigh) >= 3 * kPiece);
  SUCCEEDS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  SUCCEEDS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &zero));
  // Freed memory is released where the program waits explicitly; queries, copies and other frees do not count as
  // waiting.
  cudaEvent_t event = nullptr;
  SUCCEEDS(cudaEventCreate(&event));
  SUCCEEDS(cudaMalloc(&large, 64));
  SUCCEEDS(cudaMallocFromPoolAsync(&pieces[0], 40 << 20, pool, stream));
  SUCCEEDS(cudaFreeAsync(pieces[0], stream));
  SUCCEEDS(cudaEventRecord(event, stream));
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  SUCCEEDS(cudaMemcpy(&zero, large, sizeof zero, cudaMemcpyDeviceToHost));
  SUCCEEDS(cudaMemPoolTrimTo(pool, 0));
  SUCCEEDS(cudaFree(large));
  CHECK(number(pool, cudaMemPoolAttrReservedMemCurrent) == 64 << 20);
  SUCCEEDS(cudaEventSynchronize(event));
  CHECK(number(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  SUCCEEDS(cudaEventDestroy(event));
  SUCCEEDS(cudaMemPoolDestroy(pool));
}

/// As an H200 does, in steps of 16 bytes.
void test_limit_of_stacks() {
  std::size_t before = 0, now = 0;
  SUCCEEDS(cudaDeviceGetLimit(&before, cudaLimitStackSize));
  SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, 100));
  SUCCEEDS(cudaDeviceGetLimit(&now, cudaLimitStackSize));
  CHECK(now == 112);
  SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, before));
}

__global__ void sum_on_stack(int count, int* sum) {
  int* const numbers = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) numbers[i] = i;
  for (int i = count - 1; i >= 0; --i) *sum += numbers[i];
}

/// A launch has the limit that held when it was made, whenever it runs. On an H200, setting the limit waits for kernels
/// that run (driver 580.159, 2026-11-27).
void test_limit_of_a_launch(cudaStream_t stream) {
  std::size_t before = 0;
  int* sum = nullptr;
  SUCCEEDS(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  SUCCEEDS(cudaDeviceGetLimit(&before, cudaLimitStackSize));
  SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, 5 * kBytes));
  sum_on_stack<<<1, 1, 0, stream>>>(4 * kCount, sum);
  SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, before));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(*sum == 2 * kCount * (4 * kCount - 1));
  SUCCEEDS(cudaFree(sum));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  test_copies(stream);
  test_boxes(stream);
  test_managed(stream);
  test_pools_by_place();
  test_numbers_of_a_pool(stream);
  test_limit_of_stacks();
  test_limit_of_a_launch(stream);
  SUCCEEDS(cudaStreamDestroy(stream));
  return report();
}
