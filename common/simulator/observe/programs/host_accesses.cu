// The host reads and writes memory that the device uses: managed, pinned and mapped; before and after it has
// waited.
#include <cstdlib>
#include <cuda/atomic>

#include "case.h"

namespace {

constexpr int kThreads = 64;

__global__ void store_each(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
__global__ void copy_each(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void store_into_managed(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: managed_memory_read_too_early
}
CASE(managed_memory_read_too_early, host_race) {
  int* values = nullptr;
  cudaMallocManaged(&values, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) values[i] = 1;
  store_into_managed<<<1, kThreads>>>(values);
  const volatile int early = values[5];  // host race: managed_memory_read_too_early
  (void)early;
  const bool right = done();
  cudaFree(values);
  return right;
}

CASE(managed_memory_read_in_time, clean) {
  int* values = nullptr;
  cudaMallocManaged(&values, kThreads * sizeof(int));
  store_each<<<1, kThreads>>>(values);
  bool right = done();
  for (int i = 0; i < kThreads; ++i) right = right && values[i] == 3 * i;
  cudaFree(values);
  return right;
}

__global__ void load_from_managed(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // race: managed_memory_written_too_early
}
CASE(managed_memory_written_too_early, host_race) {
  int* values = nullptr;
  cudaMallocManaged(&values, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) values[i] = i;
  Device<int> out(kThreads);
  load_from_managed<<<1, kThreads>>>(values, out);
  values[7] = -1;  // host race: managed_memory_written_too_early
  const bool right = done();
  cudaFree(values);
  return right;
}

/// The host uses other allocations meanwhile.
CASE(other_managed_memory_meanwhile, clean) {
  int *values = nullptr, *others = nullptr;
  cudaMallocManaged(&values, kThreads * sizeof(int));
  cudaMallocManaged(&others, kThreads * sizeof(int));
  store_each<<<1, kThreads>>>(values);
  for (int i = 0; i < kThreads; ++i) others[i] = i;
  bool right = done();
  for (int i = 0; i < kThreads; ++i) right = right && values[i] == 3 * others[i];
  cudaFree(values);
  cudaFree(others);
  return right;
}

__global__ void store_into_mapped(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: mapped_memory_read_too_early
}
CASE(mapped_memory_read_too_early, host_race) {
  int* values = nullptr;
  cudaHostAlloc(&values, kThreads * sizeof(int), cudaHostAllocMapped);
  std::memset(values, 0, kThreads * sizeof(int));
  store_into_mapped<<<1, kThreads>>>(values);
  const volatile int early = values[5];  // host race: mapped_memory_read_too_early
  (void)early;
  const bool right = done();
  cudaFreeHost(values);
  return right;
}

CASE(mapped_memory_read_in_time, clean) {
  int* values = nullptr;
  cudaHostAlloc(&values, kThreads * sizeof(int), cudaHostAllocMapped);
  store_each<<<1, kThreads>>>(values);
  bool right = done();
  for (int i = 0; i < kThreads; ++i) right = right && values[i] == 3 * i;
  cudaFreeHost(values);
  return right;
}

/// The source of a copy must not change until the copy is done.
CASE(source_of_a_copy_written_too_early, host_race) {
  Device<int> values(kThreads);
  int* source = nullptr;
  cudaMallocHost(&source, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) source[i] = i;
  cudaMemcpyAsync(values, source, kThreads * sizeof(int),
                  cudaMemcpyHostToDevice);  // host race: source_of_a_copy_written_too_early
  source[7] = -1;                           // host race: source_of_a_copy_written_too_early
  const bool right = done();
  cudaFreeHost(source);
  return right;
}

CASE(source_of_a_copy_written_in_time, clean) {
  Device<int> values(kThreads);
  int* source = nullptr;
  cudaMallocHost(&source, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) source[i] = i;
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  cudaMemcpyAsync(values, source, kThreads * sizeof(int), cudaMemcpyHostToDevice);
  cudaEventRecord(copied);
  cudaEventSynchronize(copied);
  for (int i = 0; i < kThreads; ++i) source[i] = -1;
  const bool right = values.are([](int i) { return i; });
  cudaEventDestroy(copied);
  cudaFreeHost(source);
  return done(right);
}

/// Pageable memory is copied to a staging buffer before the call returns.
CASE(pageable_source_written_at_once, clean) {
  Device<int> values(kThreads);
  std::vector<int> source = numbers(kThreads);
  cudaMemcpyAsync(values, source.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice);
  for (int& value : source) value = -1;
  return done(values.are([](int i) { return i; }));
}

/// The host reads the destination before the copy is done.
CASE(target_of_a_copy_read_too_early, host_race) {
  Device<int> values(numbers(kThreads));
  int* target = nullptr;
  cudaMallocHost(&target, kThreads * sizeof(int));
  std::memset(target, 0, kThreads * sizeof(int));
  cudaMemcpyAsync(target, values, kThreads * sizeof(int),
                  cudaMemcpyDeviceToHost);  // host race: target_of_a_copy_read_too_early
  const volatile int early = target[7];     // host race: target_of_a_copy_read_too_early
  (void)early;
  const bool right = done();
  cudaFreeHost(target);
  return right;
}

/// The host waits for one stream and reads what another one writes.
CASE(wait_for_the_wrong_stream, host_race) {
  Device<int> values(numbers(kThreads));
  int* target = nullptr;
  cudaMallocHost(&target, kThreads * sizeof(int));
  std::memset(target, 0, kThreads * sizeof(int));
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaMemcpyAsync(target, values, kThreads * sizeof(int), cudaMemcpyDeviceToHost,
                  one);  // host race: wait_for_the_wrong_stream
  cudaStreamSynchronize(two);
  const volatile int early = target[7];  // host race: wait_for_the_wrong_stream
  (void)early;
  const bool right = done();
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaFreeHost(target);
  return right;
}

/// Polling until the result is cudaSuccess counts as waiting.
CASE(asked_until_it_is_done, clean) {
  Device<int> values(numbers(kThreads));
  int* target = nullptr;
  cudaMallocHost(&target, kThreads * sizeof(int));
  cudaMemcpyAsync(target, values, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
  }
  bool right = true;
  for (int i = 0; i < kThreads; ++i) right = right && target[i] == i;
  cudaFreeHost(target);
  return done(right);
}

/// cudaMemcpy waits for what comes before it and for itself.
CASE(copy_that_waits, clean) {
  Device<int> values(kThreads);
  store_each<<<1, kThreads>>>(values);
  int target[kThreads] = {};
  cudaMemcpy(target, values, sizeof target, cudaMemcpyDeviceToHost);
  return done(target[7] == 21);
}

using SystemFlag = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// The device signals the host by a flag in mapped memory.
__global__ void tell_the_host(int* message, int* flag) {
  *message = 41;
  SystemFlag(*flag).store(1, cuda::memory_order_release);
}
CASE(flag_for_the_host, clean) {
  int* mapped = nullptr;
  cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped);
  mapped[0] = mapped[1] = 0;
  tell_the_host<<<1, 1>>>(&mapped[0], &mapped[1]);
  cudaStreamQuery(nullptr);
  while (SystemFlag(mapped[1]).load(cuda::memory_order_acquire) == 0) {
  }
  const bool right = mapped[0] == 41;
  return done(right) && cudaFreeHost(mapped) == cudaSuccess;
}

/// The host signals the device: the kernel waits for it.
__global__ void hear_the_host(const int* message, int* flag, int* out) {
  while (SystemFlag(*flag).load(cuda::memory_order_acquire) == 0) {
  }
  *out = *message;
}
CASE(flag_from_the_host, clean) {
  int* mapped = nullptr;
  cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped);
  mapped[0] = mapped[1] = 0;
  Device<int> out(1);
  hear_the_host<<<1, 1>>>(&mapped[0], &mapped[1], out);
  mapped[0] = 41;
  SystemFlag(mapped[1]).store(1, cuda::memory_order_release);
  const bool right = done(out.are([](int) { return 41; }));
  return cudaFreeHost(mapped) == cudaSuccess && right;
}

/// Other ways to say the same: each releases at system scope.
__global__ void tell_by_a_fence(int* message, volatile int* flag) {
  *message = 41;
  __threadfence_system();
  *flag = 1;
}
__global__ void tell_by_an_exchange(int* message, int* flag) {
  *message = 41;
  SystemFlag(*flag).exchange(1, cuda::memory_order_acq_rel);
}
/// One thread tells what all of its block have stored.
__global__ void tell_for_the_block(int* messages, int* flag) {
  messages[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) SystemFlag(*flag).store(1, cuda::memory_order_release);
}
/// One fence too few, or one that is too narrow.
__global__ void tell_without_release(int* message, int* flag) {
  *message = 41;  // race: flag_without_release
  SystemFlag(*flag).store(1, cuda::memory_order_relaxed);
}
__global__ void tell_by_a_device_fence(int* message, volatile int* flag) {
  *message = 41;  // race: flag_behind_a_device_fence
  __threadfence();
  *flag = 1;
}
__global__ void tell_too_early(int* message, int* flag) {
  SystemFlag(*flag).store(1, cuda::memory_order_release);
  *message = 41;  // race: flag_before_the_message
}

/// Pinned or managed memory: a message, and in another page a flag.
struct Mail {
  static constexpr int kFlag = 1024;
  explicit Mail(bool managed) : managed(managed) {
    if (managed)
      cudaMallocManaged(&message, 2 * kFlag * sizeof(int));
    else
      cudaMallocHost(&message, 2 * kFlag * sizeof(int));
    std::memset(message, 0, 2 * kFlag * sizeof(int));
    flag = message + kFlag;
  }
  ~Mail() { managed ? cudaFree(message) : cudaFreeHost(message); }
  /// Without a query of the stream: its success would count as waiting.
  void await(int value) const {
    while (SystemFlag(*flag).load(cuda::memory_order_acquire) != value) {
    }
  }
  bool managed;
  int* message = nullptr;
  int* flag = nullptr;
};

CASE(flag_behind_a_system_fence, clean) {
  const Mail mail(false);
  tell_by_a_fence<<<1, 1>>>(mail.message, mail.flag);
  mail.await(1);
  const bool right = *mail.message == 41;
  return done(right);
}
CASE(flag_exchanged, clean) {
  const Mail mail(true);
  tell_by_an_exchange<<<1, 1>>>(mail.message, mail.flag);
  mail.await(1);
  const bool right = *mail.message == 41;
  return done(right);
}
CASE(flag_of_a_block, clean) {
  const Mail mail(false);
  store_each<<<1, kThreads>>>(mail.message + kThreads);
  tell_for_the_block<<<1, kThreads>>>(mail.message, mail.flag);
  mail.await(1);
  bool right = true;
  for (int i = 0; i < 2 * kThreads; ++i) right = right && mail.message[i] == 3 * (i % kThreads);
  return done(right);
}
CASE(flag_without_release, host_race) {
  const Mail mail(false);
  tell_without_release<<<1, 1>>>(mail.message, mail.flag);
  mail.await(1);
  const volatile int early = *mail.message;  // host race: flag_without_release
  (void)early;
  return done();
}
CASE(flag_behind_a_device_fence, host_race) {
  const Mail mail(true);
  tell_by_a_device_fence<<<1, 1>>>(mail.message, mail.flag);
  mail.await(1);
  const volatile int early = *mail.message;  // host race: flag_behind_a_device_fence
  (void)early;
  return done();
}
CASE(flag_before_the_message, host_race) {
  const Mail mail(false);
  tell_too_early<<<1, 1>>>(mail.message, mail.flag);
  mail.await(1);
  const volatile int early = *mail.message;  // host race: flag_before_the_message
  (void)early;
  return done();
}

/// The kernel waits for the host, beside which it runs, and reads a message.
__global__ void hear_by_a_fence(const int* message, const volatile int* flag, int* out) {
  while (*flag != 2) {
  }
  __threadfence_system();
  *out = *message;
}
__global__ void hear_for_the_block(const int* messages, int* flag, int* out) {
  if (threadIdx.x == 0)
    while (SystemFlag(*flag).load(cuda::memory_order_acquire) != 2) {
    }
  __syncthreads();
  out[threadIdx.x] = messages[threadIdx.x];
}
/// The message is a flag itself.
__global__ void hear_a_number(int* number, int* out) {
  int heard = 0;
  while ((heard = SystemFlag(*number).load(cuda::memory_order_relaxed)) == 0) {
  }
  *out = heard;
}
/// The host changes other words of the page.
__global__ void hear_beside_others(const int* before, int* flag, int* out) {
  while (SystemFlag(*flag).load(cuda::memory_order_relaxed) != 2) {
  }
  *out = *before;
}
/// An exchange that acquires comes too early: the poll behind it does not.
__global__ void hear_after_an_exchange(const int* message, int* flag, int* out) {
  SystemFlag(*flag).exchange(1, cuda::memory_order_acq_rel);
  while (SystemFlag(*flag).load(cuda::memory_order_relaxed) != 2) {
  }
  *out = *message;  // race: host_heard_after_an_exchange
}
__global__ void hear_without_acquire(const int* message, const volatile int* flag, int* out) {
  while (*flag != 2) {
  }
  *out = *message;  // race: host_heard_without_acquire
}
/// Device scope: the host is not in it.
__global__ void hear_at_device_scope(int* number, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> narrow(*number);
  int heard = 0;
  while ((heard = narrow.load(cuda::memory_order_acquire)) == 0) {  // race: host_heard_at_device_scope
  }
  *out = heard;
}
/// The poll has an order; the thread that reads the message is another one.
__global__ void hear_in_another_block(const int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (SystemFlag(*flag).load(cuda::memory_order_acquire) != 2) {
    }
  } else {
    while (SystemFlag(*flag).load(cuda::memory_order_relaxed) != 2) {
    }
    *out = *message;  // race: host_heard_by_another_block
  }
}

/// The kernel is issued, then the host writes.
template <class Kernel>
bool heard(Kernel kernel, int blocks, int threads, bool managed) {
  const Mail mail(managed);
  Device<int> out(numbers(kThreads));
  cudaMemset(out, 0, kThreads * sizeof(int));
  cudaDeviceSynchronize();
  kernel<<<blocks, threads>>>(mail.message, mail.flag, out);
  for (int i = 0; i < kThreads; ++i) mail.message[i] = 3 * i + 41;
  SystemFlag(*mail.flag).store(2, cuda::memory_order_release);
  return done(out.are([&](int i) { return i < threads ? 3 * i + 41 : 0; }));
}
CASE(host_heard_by_a_fence, clean) { return heard(hear_by_a_fence, 1, 1, false); }
CASE(host_heard_for_the_block, clean) { return heard(hear_for_the_block, 1, kThreads, true); }
CASE(host_heard_in_one_word, clean) {
  const Mail mail(false);
  Device<int> out(1);
  hear_a_number<<<1, 1>>>(mail.flag, out);
  SystemFlag(*mail.flag).store(7, cuda::memory_order_relaxed);
  return done(out.are([](int) { return 7; }));
}
CASE(host_heard_beside_others, clean) {
  const Mail mail(false);
  Device<int> out(1);
  hear_beside_others<<<1, 1>>>(mail.message + 9, mail.flag, out);
  mail.message[8] = mail.message[10] = 5;
  SystemFlag(*mail.flag).store(2, cuda::memory_order_release);
  return done(out.are([](int) { return 0; }));
}
CASE(host_heard_after_an_exchange, host_race) {
  const Mail mail(true);
  Device<int> out(1);
  hear_after_an_exchange<<<1, 1>>>(mail.message, mail.flag, out);
  mail.await(1);
  *mail.message = 41;
  SystemFlag(*mail.flag).store(2, cuda::memory_order_release);
  return done(out.are([](int) { return 41; }));
}
CASE(host_heard_without_acquire, host_race) { return heard(hear_without_acquire, 1, 1, false); }
CASE(host_heard_at_device_scope, host_race) {
  const Mail mail(false);
  Device<int> out(1);
  hear_at_device_scope<<<1, 1>>>(mail.flag, out);
  SystemFlag(*mail.flag).store(7, cuda::memory_order_relaxed);  // host race: host_heard_at_device_scope
  return done(out.are([](int) { return 7; }));
}
CASE(host_heard_by_another_block, host_race) { return heard(hear_in_another_block, 2, 1, true); }

/// A host function in the stream runs between the kernels before and after it.
CASE(host_function_in_the_stream, clean) {
  int* values = nullptr;
  cudaHostAlloc(&values, kThreads * sizeof(int), cudaHostAllocMapped);
  Device<int> out(kThreads);
  store_each<<<1, kThreads>>>(values);
  cudaLaunchHostFunc(
      nullptr,
      [](void* data) {
        for (int i = 0; i < kThreads; ++i) static_cast<int*>(data)[i] += 1;
      },
      values);
  copy_each<<<1, kThreads>>>(values, out);
  const bool right = done(out.are([](int i) { return 3 * i + 1; }));
  return cudaFreeHost(values) == cudaSuccess && right;
}

/// The function's stream does not wait for the kernel.
__global__ void store_beside_a_function(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: host_function_in_another_stream
}
void read_one(void* data) {
  const volatile int early = static_cast<int*>(data)[7];  // host race: host_function_in_another_stream
  (void)early;
}
CASE(host_function_in_another_stream, host_race) {
  int* values = nullptr;
  cudaStream_t one, other;
  cudaHostAlloc(&values, kThreads * sizeof(int), cudaHostAllocMapped);
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  store_beside_a_function<<<1, kThreads, 0, one>>>(values);
  cudaLaunchHostFunc(other, read_one, values);
  const bool right = done();
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  return cudaFreeHost(values) == cudaSuccess && right;
}

CASE(host_function_behind_an_event, clean) {
  int* values = nullptr;
  cudaStream_t one, other;
  cudaEvent_t event;
  cudaHostAlloc(&values, kThreads * sizeof(int), cudaHostAllocMapped);
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  store_each<<<1, kThreads, 0, one>>>(values);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event);
  cudaLaunchHostFunc(
      other, [](void* data) { static_cast<int*>(data)[7] += 1; }, values);
  const bool right = done() && values[7] == 22;
  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  return cudaFreeHost(values) == cudaSuccess && right;
}

/// The program's own memory, of which the host access check sees whole pages.
struct Registered {
  explicit Registered(int count) : values(static_cast<int*>(std::aligned_alloc(4096, 4096 + count * sizeof(int)))) {
    for (int i = 0; i < count; ++i) values[i] = 1;
    cudaHostRegister(values, 4096 + count * sizeof(int), cudaHostRegisterMapped);
  }
  ~Registered() {
    cudaHostUnregister(values);
    std::free(values);
  }
  int* values;
};

__global__ void store_into_registered(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: registered_memory_read_too_early
}
CASE(registered_memory_read_too_early, host_race) {
  const Registered memory(kThreads);
  store_into_registered<<<1, kThreads>>>(memory.values);
  const volatile int early = memory.values[5];  // host race: registered_memory_read_too_early
  (void)early;
  return done();
}

CASE(registered_memory_read_in_time, clean) {
  const Registered memory(kThreads);
  Device<int> out(kThreads);
  store_each<<<1, kThreads>>>(memory.values);
  bool right = done();
  for (int i = 0; i < kThreads; ++i) right = right && memory.values[i] == 3 * i;
  memory.values[9] = 5;
  copy_each<<<1, kThreads>>>(memory.values, out);
  return done(out.are([](int i) { return i == 9 ? 5 : 3 * i; })) && right;
}

}  // namespace
