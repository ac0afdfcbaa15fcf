// libcu++: atomics at every scope, atomic_ref, wait and notify, and memory orders between blocks.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "sample.h"

namespace {

template <cuda::thread_scope Scope>
struct Counters {
  cuda::atomic<int, Scope> sum, greatest, least;
  cuda::atomic<unsigned, Scope> bits_or, bits_and, bits_xor;
  cuda::atomic<unsigned long long, Scope> wide;
  cuda::atomic<float, Scope> halves;
  cuda::atomic<double, Scope> quarters;
};

template <cuda::thread_scope Scope>
__device__ void count(Counters<Scope>& counters, int i) {
  counters.sum.fetch_add(i, cuda::memory_order_relaxed);
  counters.sum -= 1;
  counters.greatest.fetch_max(i * 37 % 1009, cuda::memory_order_relaxed);
  counters.least.fetch_min(-(i * 31 % 1013), cuda::memory_order_acq_rel);
  counters.bits_or |= 1u << (i % 29);
  counters.bits_and.fetch_and(~(1u << (i % 7)));
  counters.bits_xor.fetch_xor(i * 2654435761u);
  counters.wide.fetch_add(1ull << (i % 40), cuda::memory_order_seq_cst);
  counters.halves.fetch_add(0.5f);
  counters.quarters.fetch_add(0.25);
}

template <cuda::thread_scope Scope>
__global__ void count_all(Counters<Scope>* counters) {
  count(*counters, blockIdx.x * blockDim.x + threadIdx.x);
}

/// A block counts in shared memory, and every thread multiplies by a factor with compare_exchange.
__global__ void count_in_block(Counters<cuda::thread_scope_block>* out, unsigned* product) {
  __shared__ Counters<cuda::thread_scope_block> shared;
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> power;
  if (threadIdx.x == 0) {
    new (&shared) Counters<cuda::thread_scope_block>{0, -1, 1, 0u, ~0u, 0u, 0ull, 0.0f, 0.0};
    power.store(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  count(shared, threadIdx.x);
  unsigned seen = power.load(cuda::memory_order_relaxed);
  while (!power.compare_exchange_weak(seen, seen * 3, cuda::memory_order_acq_rel, cuda::memory_order_relaxed)) {
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  memcpy(static_cast<void*>(out), &shared, sizeof shared);
  *product = power.load();
}

/// Plain memory of 4, 8 and 2 bytes, accessed by atomic_ref.
__global__ void count_by_reference(int* words, unsigned long long* wide, unsigned short* narrow) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> word(words[i % 5]);
  word.fetch_add(i);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(wide[i % 3]).fetch_max(i * 1000003ull);
  cuda::atomic_ref<unsigned short, cuda::thread_scope_device>(narrow[i % 2]).fetch_add(1);
}

struct Mail {
  cuda::atomic<int, cuda::thread_scope_device> full, empty;
  int letter;
};

/// The first block sends messages, the second one adds them up: each waits for the other with wait() and notify.
__global__ void post(Mail* mail, int* sum) {
  constexpr int kLetters = 20;
  if (blockIdx.x == 0) {
    for (int i = 1; i <= kLetters; ++i) {
      mail->empty.wait(i - 2, cuda::memory_order_acquire);
      while (mail->empty.load(cuda::memory_order_acquire) != i - 1) {
      }
      mail->letter = i * i;
      mail->full.store(i, cuda::memory_order_release);
      mail->full.notify_one();
    }
  } else {
    for (int i = 1; i <= kLetters; ++i) {
      mail->full.wait(i - 1, cuda::memory_order_acquire);
      *sum += mail->letter;
      mail->empty.store(i, cuda::memory_order_release);
      mail->empty.notify_all();
    }
  }
}

/// A lock built from an atomic flag, also for lanes of the same warp.
__global__ void lock(cuda::std::atomic_flag* flag, int* shared_value) {
  while (flag->test_and_set(cuda::std::memory_order_acquire)) {
  }
  *shared_value = *shared_value * 5 % 1000003 + 1;
  flag->clear(cuda::std::memory_order_release);
}

template <cuda::thread_scope Scope>
void check(const char* name, const Counters<Scope>& got, int threads) {
  int sum = 0, greatest = -1, least = 1;
  unsigned all = 0, kept = ~0u, mixed = 0;
  unsigned long long wide = 0;
  for (int i = 0; i < threads; ++i) {
    sum += i - 1;
    greatest = greatest > i * 37 % 1009 ? greatest : i * 37 % 1009;
    least = least < -(i * 31 % 1013) ? least : -(i * 31 % 1013);
    all |= 1u << (i % 29), kept &= ~(1u << (i % 7)), mixed ^= i * 2654435761u;
    wide += 1ull << (i % 40);
  }
  std::printf("%s\n", name);
  sample::compare(" sum", got.sum.load(), sum);
  sample::compare(" greatest", got.greatest.load(), greatest);
  sample::compare(" least", got.least.load(), least);
  sample::compare(" or", got.bits_or.load(), all);
  sample::compare(" and", got.bits_and.load(), kept);
  sample::compare(" xor", got.bits_xor.load(), mixed);
  sample::compare(" 64 bits", got.wide.load(), wide);
  sample::compare(" float", got.halves.load(), 0.5f * threads);
  sample::compare(" double", got.quarters.load(), 0.25 * threads);
}

template <cuda::thread_scope Scope>
void run(const char* name) {
  using Group = Counters<Scope>;
  Group* counters = nullptr;
  CUDA(cudaMallocHost(&counters, sizeof(Group)));
  Group start{0, -1, 1, 0u, ~0u, 0u, 0ull, 0.0f, 0.0};
  Group* device = nullptr;
  CUDA(cudaMalloc(&device, sizeof(Group)));
  CUDA(cudaMemcpy(device, &start, sizeof start, cudaMemcpyHostToDevice));
  count_all<<<7, 96>>>(device);
  FINISH();
  CUDA(cudaMemcpy(counters, device, sizeof start, cudaMemcpyDeviceToHost));
  check(name, *counters, 7 * 96);
  CUDA(cudaFree(device));
  CUDA(cudaFreeHost(counters));
}

}  // namespace

int main() {
  run<cuda::thread_scope_device>("device");
  run<cuda::thread_scope_system>("system");

  sample::Device<char> bytes(sizeof(Counters<cuda::thread_scope_block>));
  sample::Device<unsigned> product(1);
  using Group = Counters<cuda::thread_scope_block>;
  count_in_block<<<1, 96>>>(reinterpret_cast<Group*>(bytes.data()), product);
  FINISH();
  Group got{};
  std::memcpy(static_cast<void*>(&got), bytes.get().data(), sizeof got);
  check("block", got, 96);
  unsigned power = 1;
  for (int i = 0; i < 96; ++i) power *= 3;
  sample::compare("compare_exchange", product.get()[0], power);

  sample::Device<int> words(5);
  sample::Device<unsigned long long> wide(3);
  sample::Device<unsigned short> narrow(2);
  count_by_reference<<<5, 100>>>(words, wide, narrow);
  FINISH();
  std::vector<int> word_sums(5);
  std::vector<unsigned long long> most(3);
  for (int i = 0; i < 500; ++i) word_sums[i % 5] += i, most[i % 3] = i * 1000003ull;
  sample::compare("atomic_ref of int", words.get(), word_sums);
  sample::compare("atomic_ref of 64 bits", wide.get(), most);
  sample::compare("atomic_ref of 16 bits", narrow.get(), std::vector<unsigned short>{250, 250});

  sample::Device<char> mail(sizeof(Mail));
  sample::Device<int> sum(1);
  post<<<2, 1>>>(reinterpret_cast<Mail*>(mail.data()), sum);
  FINISH();
  sample::compare("letters", sum.get()[0], 2870);

  sample::Device<char> flag(sizeof(cuda::std::atomic_flag));
  lock<<<3, 64>>>(reinterpret_cast<cuda::std::atomic_flag*>(flag.data()), sum);
  FINISH();
  int value = 2870;
  for (int i = 0; i < 192; ++i) value = value * 5 % 1000003 + 1;
  sample::compare("atomic_flag", sum.get()[0], value);
  return sample::passed();
}
