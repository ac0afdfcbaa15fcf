// Layouts, parameters and control flow: bit-fields, unions, odd and large structs by value (frames of more than the
// stack's limit), jump tables, goto, alloca, local arrays.
#include "sample.h"

namespace {

struct Bits {
  unsigned a : 3, b : 11;
  int c : 7;
  unsigned long long d : 40;
  signed char e;
  bool f : 1;
};
union Word {
  float f;
  unsigned u;
  unsigned char b[4];
};
template <int N>
struct Bytes {
  unsigned char v[N];
};
struct __align__(32) Wide {
  double x[4];
};
#pragma pack(push, 1)
struct Packed {
  char a;
  int b;
  short c;
  double d;
};
#pragma pack(pop)
struct Big {
  int v[1000];
};
struct Huge {
  int v[8000];
};
struct Empty {};
__device__ __noinline__ Bytes<3> three(Bytes<3> x, Empty, int k) {
  return {{static_cast<unsigned char>(x.v[2] + k), x.v[0], x.v[1]}};
}
__device__ __noinline__ Bytes<5> five(Bytes<5> x) {
  Bytes<5> r;
  for (int i = 0; i < 5; ++i) r.v[i] = x.v[4 - i] ^ 1;
  return r;
}
__device__ __noinline__ Bytes<7> seven(Bytes<12> x) {
  Bytes<7> r;
  for (int i = 0; i < 7; ++i) r.v[i] = x.v[i] + x.v[i + 5];
  return r;
}
__device__ __noinline__ Wide wide(Wide a, const Wide& b, Packed p) {
  for (int i = 0; i < 4; ++i) a.x[i] = a.x[i] * b.x[3 - i] + p.d + p.b;
  return a;
}
__device__ __noinline__ Big changed(Big b, int at) {
  b.v[at] += at;
  return b;
}
__device__ __noinline__ int jump(int k) {
  switch (k) {
    case 0:
      return 5;
    case 1:
      return k * 7 + 1;
    case 2:
      return 99;
    case 3:
      return -4;
    case 4:
      return 1 << 20;
    case 5:
      return 17;
    case 6:
      return 3;
    case 7:
      return 12345;
    case 8:
      return -9;
    case 9:
      return 8;
    case 200:
      return 1;
    case 201:
      return 2;
    default:
      return -1;
  }
}
__device__ int around(int n) {
  int i = 0, s = 0;
again:
  s += i;
  if (s % 5 == 3) {
    i += 2;
    goto skip;
  }
  ++i;
skip:
  if (i < n) goto again;
  for (;;) {
    if (++s > 40) break;
    if (s & 1) continue;
    s += 3;
  }
  do s -= 7;
  while (s > 10);
  return s;
}
__device__ int local(int t) {
  int a[17];
  for (int i = 0; i < 17; ++i) a[i] = i * t;
  int s = 0, j = t % 17;
  for (int i = 0; i < 40; ++i) {
    s += a[j];
    a[j] ^= i;
    j = (j * 5 + 3) % 17;
  }
  int* more = static_cast<int*>(alloca((t % 4 + 1) * sizeof(int)));
  for (int i = 0; i <= t % 4; ++i) more[i] = i + t;
  for (int i = 0; i <= t % 4; ++i) s += more[i];
  return s;
}
__host__ __device__ long long bits(int t) {
  Bits b{};
  b.a = t;
  b.b = t * 37;
  b.c = t * 5;
  b.d = t * 1000003ull;
  b.e = -t;
  b.f = t & 1;
  Bits c = b;
  c.b += 1;
  Word w;
  w.f = t * .37f;
  w.b[3] ^= 0x41;
  return c.a + c.b * 3 + c.c * 5 + static_cast<long long>(c.d % 1001) + c.e + c.f + w.u % 1009;
}
__global__ void run(const Bits, Packed p, Wide w, Big big, long long* out) {
  const int t = threadIdx.x;
  long long r = bits(t);
  Bytes<3> a = three({{1, 2, static_cast<unsigned char>(t)}}, {}, 9);
  r += a.v[0] + a.v[1] * 2 + a.v[2] * 3;
  Bytes<5> b = five({{1, 2, 3, 4, static_cast<unsigned char>(t)}});
  r = r * 3 + b.v[0] + b.v[3];
  Bytes<12> c;
  for (int i = 0; i < 12; ++i) c.v[i] = i * t;
  Bytes<7> d = seven(c);
  for (int i = 0; i < 7; ++i) r += d.v[i] * i;
  Wide x = wide(w, w, p);
  r += static_cast<long long>(x.x[t & 3]);
  Big y = changed(big, t);
  r += y.v[t] + y.v[999 - t];
  r = r * 2 + jump(t % 12) + jump(195 + t % 8) + around(t) + local(t);
  out[t] = r;
}
__global__ void huge(const __grid_constant__ Huge h, long long* out) {
  long long s = 0;
  for (int i = threadIdx.x; i < 8000; i += 32) s += h.v[i] * (i % 7);
  const int* p = h.v;
  out[threadIdx.x] = s + p[threadIdx.x * 11];
}
}  // namespace

int main() {
  Packed p{1, 4, 2, 0.5};
  Wide w{{1, 2, 3, 4}};
  Big big;
  for (int i = 0; i < 1000; ++i) big.v[i] = i * i;
  sample::Device<long long> out(64);
  run<<<1, 64>>>(Bits{}, p, w, big, out);
  FINISH();
  std::vector<long long> want(64);
  for (int t = 0; t < 64; ++t) {
    long long r = bits(t);
    r += (unsigned char)(t + 9) + 2 + 6;
    r = r * 3 + (t ^ 1) + (2 ^ 1);
    for (int i = 0; i < 7; ++i) r += (unsigned char)((unsigned char)(i * t) + (unsigned char)((i + 5) * t)) * i;
    r += static_cast<long long>(w.x[t & 3] * w.x[3 - (t & 3)] + 4.5);
    r += t * t + t + (999 - t == t ? 0 : (999 - t) * (999 - t));
    auto jump_ = [](int k) {
      int v[] = {5, 8, 99, -4, 1 << 20, 17, 3, 12345, -9, 8};
      return k < 10 ? v[k] : k == 200 ? 1 : k == 201 ? 2 : -1;
    };
    auto around_ = [](int n) {
      int i = 0, s = 0;
      do {
        s += i;
        if (s % 5 == 3)
          i += 2;
        else
          ++i;
      } while (i < n);
      for (;;) {
        if (++s > 40) break;
        if (s & 1) continue;
        s += 3;
      }
      do s -= 7;
      while (s > 10);
      return s;
    };
    int a[17];
    for (int i = 0; i < 17; ++i) a[i] = i * t;
    int s = 0, j = t % 17;
    for (int i = 0; i < 40; ++i) {
      s += a[j];
      a[j] ^= i;
      j = (j * 5 + 3) % 17;
    }
    for (int i = 0; i <= t % 4; ++i) s += i + t;
    want[t] = r * 2 + jump_(t % 12) + jump_(195 + t % 8) + around_(t) + s;
  }
  sample::compare("by value", out.get(), want);
  static Huge h;
  for (int i = 0; i < 8000; ++i) h.v[i] = i * 3 % 1001;
  sample::Device<long long> o2(32);
  huge<<<1, 32>>>(h, o2);
  FINISH();
  std::vector<long long> w2(32);
  for (int t = 0; t < 32; ++t) {
    for (int i = t; i < 8000; i += 32) w2[t] += h.v[i] * (i % 7);
    w2[t] += h.v[t * 11];
  }
  sample::compare("32000 bytes of parameters", o2.get(), w2);
  return sample::passed();
}
