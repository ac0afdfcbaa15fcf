// nvcc -std=c++17 -O2 -arch=sm_90
// Managed memory (at most 256 MiB): kernels that fault, host work between them, by events and by the host's clock.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "ok.cuh"

using Clock = std::chrono::steady_clock;
double us() {
  static const auto o = Clock::now();
  return std::chrono::duration<double, std::micro>(Clock::now() - o).count();
}
constexpr size_t kMiB = 1 << 20;
__global__ void each(float* a, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) a[i] += 1;
}
__global__ void per_warp(float* a, size_t n) {
  const size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31,
               from = warp * 16384;
  for (size_t i = from + lane; i < from + 16384 && i < n; i += 32) a[i] += 1;
}
__global__ void touch(char* a, size_t stride, size_t n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) a[i * stride] += 1;
}
__global__ void read(const float* a, size_t n, float* out) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) s += a[i];
  if (s == 12345.5f) out[0] = s;
}
cudaEvent_t e0, e1;
float* out;
double device(std::function<void()> f) {
  OK(cudaEventRecord(e0));
  f();
  OK(cudaEventRecord(e1));
  OK(cudaDeviceSynchronize());
  float ms;
  OK(cudaEventElapsedTime(&ms, e0, e1));
  return ms * 1000;
}
double host(std::function<void()> f) {
  const double t = us();
  f();
  return us() - t;
}
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
struct Fresh {
  char* p;
  explicit Fresh(size_t n) { OK(cudaMallocManaged(&p, n)); }
  ~Fresh() { OK(cudaFree(p)); }
};
int main() {
  OK(cudaEventCreate(&e0));
  OK(cudaEventCreate(&e1));
  OK(cudaMalloc(&out, 4));
  {
    Fresh w(4 * kMiB);
    memset(w.p, 1, 4 * kMiB);
    each<<<64, 256>>>((float*)w.p, kMiB);
    OK(cudaDeviceSynchronize());
  }
  for (size_t mib : {1, 4, 16, 64}) {
    const size_t n = mib * kMiB;
    std::vector<double> t[12];
    for (int r = 0; r < 3; ++r) {
      {
        Fresh m(n);
        t[0].push_back(host([&] { memset(m.p, 1, n); }));
        t[1].push_back(host([&] { memset(m.p, 2, n); }));
        t[2].push_back(device([&] { each<<<(unsigned)(n / 4 / 256), 256>>>((float*)m.p, n / 4); }));
        t[3].push_back(device([&] { each<<<(unsigned)(n / 4 / 256), 256>>>((float*)m.p, n / 4); }));
        t[4].push_back(host([&] {
          volatile char s = 0;
          for (size_t i = 0; i < n; i += 64) s += m.p[i];
        }));
        t[5].push_back(device([&] { each<<<(unsigned)(n / 4 / 256), 256>>>((float*)m.p, n / 4); }));
        t[6].push_back(host([&] {
          for (size_t i = 0; i < n; i += 64) m.p[i] = 1;
        }));
        t[7].push_back(device([&] { per_warp<<<(unsigned)((n / 65536 + 7) / 8), 256>>>((float*)m.p, n / 4); }));
        t[8].push_back(host([&] { memset(m.p, 1, n); }));
        t[9].push_back(device([&] { each<<<132, 256>>>((float*)m.p, n / 4); }));
      }
      {
        Fresh m(n);
        t[10].push_back(device([&] { each<<<(unsigned)(n / 4 / 256), 256>>>((float*)m.p, n / 4); }));
      }
      {
        Fresh m(n);
        memset(m.p, 1, n);
        t[11].push_back(device([&] { read<<<132, 256>>>((float*)m.p, n / 4, out); }));
      }
    }
    const char* names[] = {"host fills new pages",
                           "host fills again",
                           "kernel, a thread for each",
                           "kernel again",
                           "host reads back",
                           "kernel after that",
                           "host writes back",
                           "kernel, a warp for each 64 KiB",
                           "host fills from device",
                           "kernel of 132 x 256",
                           "kernel first",
                           "kernel of 132 x 256 reads"};
    for (int i = 0; i < 12; ++i) printf("%zu MiB: %s %.1f us\n", mib, names[i], median(t[i]));
  }
  // One page, many times: host writes, kernel writes.
  for (size_t pages : {1, 2, 4, 16, 64}) {
    Fresh m(pages * 65536);
    memset(m.p, 0, pages * 65536);
    std::vector<double> d, h, whole;
    for (int r = 0; r < 21; ++r) {
      const double t = us();
      h.push_back(host([&] {
        for (size_t i = 0; i < pages; ++i) ++m.p[i * 65536];
      }));
      d.push_back(device([&] { touch<<<(unsigned)((pages + 31) / 32), 32>>>(m.p, 65536, pages); }));
      whole.push_back(us() - t);
    }
    printf("ping-pong of %zu pieces of 64 KiB: host %.1f us, kernel %.1f us, round %.1f us\n", pages, median(h),
           median(d), median(whole));
  }
  for (size_t pages : {1, 4, 16, 64, 256, 1024}) {
    Fresh m(64 * kMiB);
    memset(m.p, 0, 64 * kMiB);
    std::vector<double> d, h;
    const size_t stride = 64 * kMiB / pages;
    for (int r = 0; r < 7; ++r) {
      h.push_back(host([&] {
        for (size_t i = 0; i < pages; ++i) ++m.p[i * stride];
      }));
      d.push_back(device([&] { touch<<<(unsigned)((pages + 31) / 32), 32>>>(m.p, stride, pages); }));
    }
    printf("ping-pong of %zu places of 64 MiB: host %.1f us, kernel %.1f us\n", pages, median(h), median(d));
  }
  // Host touches one byte of each page of 4 KiB, new and back from the device.
  for (size_t mib : {1, 8}) {
    Fresh m(mib * kMiB);
    const double a = host([&] {
      for (size_t i = 0; i < mib * kMiB; i += 4096) m.p[i] = 1;
    });
    each<<<64, 256>>>((float*)m.p, mib * kMiB / 4);
    OK(cudaDeviceSynchronize());
    const double b = host([&] {
      for (size_t i = 0; i < mib * kMiB; i += 4096) m.p[i] = 1;
    });
    const double c = host([&] {
      for (size_t i = 0; i < mib * kMiB; i += 4096) m.p[i] = 1;
    });
    printf("host touches each 4 KiB of %zu MiB: new %.1f us, from the device %.1f us, again %.1f us\n", mib, a, b, c);
  }
  // A loop of small kernels on 1 MiB with the host reading one value each time.
  {
    Fresh m(kMiB);
    memset(m.p, 0, kMiB);
    std::vector<double> t, h;
    for (int r = 0; r < 21; ++r) {
      const double x = us();
      each<<<64, 256>>>((float*)m.p, kMiB / 4);
      OK(cudaDeviceSynchronize());
      const double y = us();
      volatile float v = ((float*)m.p)[1000];
      (void)v;
      h.push_back(us() - y);
      t.push_back(us() - x);
    }
    printf("kernel on 1 MiB and one value read: %.1f us, the read %.1f\n", median(t), median(h));
  }
  // Prefetch, advice.
  for (size_t mib : {1, 16, 64}) {
    Fresh m(mib * kMiB);
    memset(m.p, 1, mib * kMiB);
    cudaMemLocation dev{cudaMemLocationTypeDevice, 0}, cpu{cudaMemLocationTypeHost, 0};
    double c = 0;
    const double a = device([&] { c = host([&] { OK(cudaMemPrefetchAsync(m.p, mib * kMiB, dev, 0, 0)); }); });
    const double k = device([&] { each<<<1024, 256>>>((float*)m.p, mib * kMiB / 4); });
    const double b = device([&] { OK(cudaMemPrefetchAsync(m.p, mib * kMiB, cpu, 0, 0)); });
    printf("%zu MiB: prefetch %.1f us (call %.1f), kernel %.1f us, back %.1f us\n", mib, a, c, k, b);
    OK(cudaMemAdvise(m.p, mib * kMiB, cudaMemAdviseSetReadMostly, dev));
    memset(m.p, 1, mib * kMiB);
    const double r1 = device([&] { read<<<132, 256>>>((float*)m.p, mib * kMiB / 4, out); });
    const double hr = host([&] {
      volatile char s = 0;
      for (size_t i = 0; i < mib * kMiB; i += 64) s += m.p[i];
    });
    const double r2 = device([&] { read<<<132, 256>>>((float*)m.p, mib * kMiB / 4, out); });
    printf("%zu MiB read mostly: kernel %.1f us, host %.1f us, kernel again %.1f us\n", mib, r1, hr, r2);
  }
  printf("host cost of cudaMallocManaged and cudaFree of 16 MiB: %.1f us\n", host([&] { Fresh m(16 * kMiB); }));
  return 0;
}
