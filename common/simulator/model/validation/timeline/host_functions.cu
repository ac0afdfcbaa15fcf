// nvcc -std=c++17 -O2 -arch=sm_90
// Host functions in streams: when they run, on how many threads, what they hold up; costs of calls.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "ok.cuh"

__global__ void spin(long long cycles) {
  const long long c = clock64();
  while (clock64() - c < cycles) {
  }
}
using Clock = std::chrono::steady_clock;
Clock::time_point origin;
double us() { return std::chrono::duration<double, std::micro>(Clock::now() - origin).count(); }
struct Note {
  double start, end;
  long thread;
  double busy;
};
void busy(void* p) {
  Note& n = *(Note*)p;
  n.thread = syscall(SYS_gettid);
  n.start = us();
  while (us() - n.start < n.busy) {
  }
  n.end = us();
}
Note notes[64];
cudaStream_t s[16];
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
int main() {
  origin = Clock::now();
  for (auto& x : s) OK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
  for (auto& n : notes) n.busy = 0;
  cudaEvent_t a, b;
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  auto launch = [&](int stream, int note, double t) {
    notes[note].busy = t;
    OK(cudaLaunchHostFunc(s[stream], busy, &notes[note]));
  };
  auto show = [&](const char* what, int n, double t0) {
    std::set<long> th;
    printf("%s:", what);
    for (int i = 0; i < n; ++i) {
      printf(" %.1f-%.1f", notes[i].start - t0, notes[i].end - t0);
      th.insert(notes[i].thread);
    }
    printf(" threads %zu\n", th.size());
  };
  for (int i = 0; i < 4; ++i) {
    launch(0, 0, 0);
    OK(cudaDeviceSynchronize());
  }
  {  // in an idle stream: call, start, end seen
    std::vector<double> call, start, seen;
    for (int r = 0; r < 51; ++r) {
      const double t0 = us();
      launch(0, 0, 0);
      const double t1 = us();
      OK(cudaStreamSynchronize(s[0]));
      const double t2 = us();
      call.push_back(t1 - t0);
      start.push_back(notes[0].start - t0);
      seen.push_back(t2 - notes[0].end);
    }
    printf("idle stream: call %.2f, starts %.2f after it began, waiter sees the end %.2f later\n", median(call),
           median(start), median(seen));
  }
  for (int n : {1, 2, 4, 8, 16, 32}) {  // chain by events behind work
    std::vector<double> t, call;
    for (int r = 0; r < 11; ++r) {
      float ms;
      spin<<<1, 1, 0, s[0]>>>(1980 * 500);
      OK(cudaEventRecord(a, s[0]));
      const double t0 = us();
      for (int i = 0; i < n; ++i) launch(0, i, 0);
      call.push_back((us() - t0) / n);
      OK(cudaEventRecord(b, s[0]));
      OK(cudaStreamSynchronize(s[0]));
      OK(cudaEventElapsedTime(&ms, a, b));
      t.push_back(ms * 1000);
    }
    printf("%d host functions in a row: %.1f us by events, call %.2f\n", n, median(t), median(call));
  }
  for (int n : {1, 4, 16}) {  // kernel, function, kernel, ...
    std::vector<double> t;
    for (int r = 0; r < 11; ++r) {
      float ms;
      spin<<<1, 1, 0, s[0]>>>(1980 * 500);
      OK(cudaEventRecord(a, s[0]));
      for (int i = 0; i < n; ++i) {
        launch(0, i, 0);
        spin<<<1, 1, 0, s[0]>>>(0);
      }
      OK(cudaEventRecord(b, s[0]));
      OK(cudaStreamSynchronize(s[0]));
      OK(cudaEventElapsedTime(&ms, a, b));
      t.push_back(ms * 1000);
    }
    printf("%d pairs of host function and empty kernel: %.1f us by events\n", n, median(t));
  }
  for (int r = 0; r < 2; ++r) {  // in several streams, each of 200 us
    const double t0 = us();
    for (int i = 0; i < 8; ++i) launch(i, i, 200);
    OK(cudaDeviceSynchronize());
    if (r) {
      show("8 of 200 us in 8 streams", 8, t0);
      printf("  done after %.1f\n", us() - t0);
    }
  }
  for (int r = 0; r < 2; ++r) {
    const double t0 = us();
    for (int i = 0; i < 4; ++i) launch(0, i, 200);
    for (int i = 4; i < 8; ++i) launch(1, i, 200);
    OK(cudaDeviceSynchronize());
    if (r) show("4 of 200 us in each of 2 streams, depth first", 8, t0);
  }
  for (int r = 0; r < 2; ++r) {  // a function of 500 us in stream 0, a kernel in stream 1 meanwhile
    const double t0 = us();
    launch(0, 0, 500);
    OK(cudaEventRecord(a, s[1]));
    spin<<<1, 1, 0, s[1]>>>(1980 * 100);
    OK(cudaEventRecord(b, s[1]));
    OK(cudaEventSynchronize(b));
    const double t1 = us();
    OK(cudaDeviceSynchronize());
    if (r)
      printf("kernel of 100 us in another stream beside a function of 500: seen done after %.1f, all after %.1f\n",
             t1 - t0, us() - t0);
  }
  for (int r = 0; r < 2; ++r) {  // callbacks too
    const double t0 = us();
    notes[0].busy = notes[1].busy = 100;
    for (int i = 0; i < 2; ++i)
      OK(cudaStreamAddCallback(
          s[i], [](cudaStream_t, cudaError_t, void* p) { busy(p); }, &notes[i], 0));
    OK(cudaDeviceSynchronize());
    if (r) show("2 callbacks of 100 us in 2 streams", 2, t0);
  }
  // Costs of calls, host side, behind a long kernel (nothing to wait for): median of 101.
  spin<<<1, 1, 0, s[2]>>>(1980 * 300);
  OK(cudaDeviceSynchronize());
  void* dev;
  OK(cudaMalloc(&dev, 1 << 20));
  char* pin;
  OK(cudaMallocHost((void**)&pin, 1 << 20));
  cudaEvent_t plain;
  OK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  auto cost = [&](const char* what, std::function<void(int)> f, bool busy_stream = true) {
    std::vector<double> t;
    for (int r = 0; r < 5; ++r) {
      if (busy_stream)
        for (int i = 0; i < 8; ++i) spin<<<1, 1, 0, s[i]>>>(1980 * 1000);
      for (int i = 0; i < 21; ++i) {
        const double t0 = us();
        f(i);
        t.push_back(us() - t0);
      }
      OK(cudaDeviceSynchronize());
    }
    printf("host cost of %s: %.2f us\n", what, median(t));
  };
  cost("an empty launch", [&](int) { spin<<<1, 1, 0, s[0]>>>(0); });
  cost("an empty launch in 8 streams in turn", [&](int i) { spin<<<1, 1, 0, s[i % 8]>>>(0); });
  cost(
      "an empty launch, idle stream", [&](int) { spin<<<1, 1, 0, s[0]>>>(0); }, false);
  cost("cudaEventRecord", [&](int) { OK(cudaEventRecord(a, s[0])); });
  cost("cudaEventRecord without timing", [&](int) { OK(cudaEventRecord(plain, s[0])); });
  cost("cudaStreamWaitEvent, other stream", [&](int) { OK(cudaStreamWaitEvent(s[1], plain)); });
  cost("cudaStreamWaitEvent, same stream", [&](int) { OK(cudaStreamWaitEvent(s[0], plain)); });
  cost("cudaStreamQuery, busy", [&](int) { cudaStreamQuery(s[0]); });
  cost("cudaEventQuery", [&](int) { cudaEventQuery(plain); });
  cost(
      "cudaStreamSynchronize, idle", [&](int) { OK(cudaStreamSynchronize(s[0])); }, false);
  cost(
      "cudaDeviceSynchronize, idle", [&](int) { OK(cudaDeviceSynchronize()); }, false);
  cost("cudaMemcpyAsync in 4 B", [&](int) { OK(cudaMemcpyAsync(dev, pin, 4, cudaMemcpyHostToDevice, s[0])); });
  cost("cudaMemcpyAsync out 4 B", [&](int) { OK(cudaMemcpyAsync(pin, dev, 4, cudaMemcpyDeviceToHost, s[0])); });
  cost("cudaMemcpyAsync in 1 MiB", [&](int) { OK(cudaMemcpyAsync(dev, pin, 1 << 20, cudaMemcpyHostToDevice, s[0])); });
  cost("cudaMemsetAsync 4 B", [&](int) { OK(cudaMemsetAsync(dev, 0, 4, s[0])); });
  cost("cudaMemsetAsync 1 MiB", [&](int) { OK(cudaMemsetAsync(dev, 0, 1 << 20, s[0])); });
  cost("cudaLaunchHostFunc", [&](int) {
    OK(cudaLaunchHostFunc(
        s[0], [](void*) {}, nullptr));
  });
  cost("cudaMallocAsync and cudaFreeAsync of 64 KiB", [&](int) {
    void* p;
    OK(cudaMallocAsync(&p, 65536, s[0]));
    OK(cudaFreeAsync(p, s[0]));
  });
  cost(
      "cudaMalloc and cudaFree of 64 KiB, idle",
      [&](int) {
        void* p;
        OK(cudaMalloc(&p, 65536));
        OK(cudaFree(p));
      },
      false);
  cost(
      "cudaMalloc of 64 MiB and cudaFree, idle",
      [&](int) {
        void* p;
        OK(cudaMalloc(&p, 64 << 20));
        OK(cudaFree(p));
      },
      false);
  cost(
      "cudaStreamCreate and destroy",
      [&](int) {
        cudaStream_t x;
        OK(cudaStreamCreate(&x));
        OK(cudaStreamDestroy(x));
      },
      false);
  cost(
      "cudaEventCreate and destroy",
      [&](int) {
        cudaEvent_t x;
        OK(cudaEventCreate(&x));
        OK(cudaEventDestroy(x));
      },
      false);
  // Launches until the queue is full: the host waits when 1024 or so are pending.
  {
    std::vector<double> at;
    spin<<<1, 1, 0, s[3]>>>(1980 * 20000);
    double t0 = us();
    int full = -1;
    for (int i = 0; i < 4096 && full < 0; ++i) {
      const double t = us();
      spin<<<1, 1, 0, s[3]>>>(0);
      if (us() - t > 1000) full = i;
    }
    printf("launches that are pending before one blocks: %d, after %.0f us\n", full, us() - t0);
    OK(cudaDeviceSynchronize());
  }
  return 0;
}
