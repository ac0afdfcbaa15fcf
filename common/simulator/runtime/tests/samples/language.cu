// C++ in kernels: templates, concepts, lambdas with captures, recursion, function pointers, unions.
#include <cuda/std/tuple>
#include <cuda/std/utility>

#include "sample.h"

namespace {

template <class T>
concept Number = std::is_arithmetic_v<T>;

template <Number... Ts>
__host__ __device__ auto sum(Ts... values) {
  return (values + ... + 0);
}

/// The curiously recurring template pattern.
template <class Derived>
struct Shape {
  __host__ __device__ int twice() const { return 2 * static_cast<const Derived&>(*this).area(); }
};
struct Square : Shape<Square> {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}
  __host__ __device__ int area() const { return side * side; }
};

template <int N>
__host__ __device__ constexpr int fibonacci() {
  if constexpr (N < 2)
    return N;
  else
    return fibonacci<N - 1>() + fibonacci<N - 2>();
}

struct Matrix2 {
  int a, b, c, d;
  __host__ __device__ Matrix2 operator*(const Matrix2& o) const {
    return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d};
  }
  __host__ __device__ friend bool operator==(const Matrix2&, const Matrix2&) = default;
};

__host__ __device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ int hanoi(int discs, int from, int to) {
  if (discs == 0) return 0;
  const int other = 3 - from - to;
  return hanoi(discs - 1, from, other) * 3 + from * 5 + to + hanoi(discs - 1, other, to);
}

using Operation = int (*)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[] = {plus, minus, times};
__device__ Operation chosen = times;

union Bits {
  float f;
  unsigned u;
};

enum class Colour : unsigned char { red = 1, green = 2, blue = 4 };

template <class Function>
__global__ void for_each(int count, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) function(i);
}

__host__ __device__ int answer(int i) {
  int result = sum(i, 1u, short{2}) + Square(i).twice() + fibonacci<12>();
  const Matrix2 m{1, 1, 1, 0};
  Matrix2 power{1, 0, 0, 1};
  for (int k = 0; k < i % 20; ++k) power = power * m;
  result += power.b + (power == Matrix2{1, 0, 0, 1} ? 1000 : 0) + ackermann(2, i % 5) + hanoi(i % 6, 0, 2);
  Bits bits;
  bits.f = static_cast<float>(i) * 0.5f;
  result ^= static_cast<int>(bits.u >> 20);
  int digits[10] = {};
  for (unsigned rest = static_cast<unsigned>(i) * 2654435761u; rest != 0; rest /= 10) ++digits[rest % 10];
  const auto most = [&digits] {
    int best = 0;
    for (int d = 1; d < 10; ++d) best = digits[d] > digits[best] ? d : best;
    return best;
  };
  switch (i % 7) {
    case 0:
      result += 11;
      [[fallthrough]];
    case 1:
      result += most();
      break;
    case 2:
    case 5:
      result -= digits[3];
      break;
    default:
      result *= 3;
  }
  const auto [small, large] = i < 50 ? cuda::std::pair{i, 50} : cuda::std::pair{50, i};
  return result + small * static_cast<int>(Colour::blue) + large * static_cast<int>(Colour::green);
}

}  // namespace

int main() {
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  constexpr int kCount = 200;
  sample::Device<int> out(kCount);
  int* const data = out;
  for_each<<<2, 128>>>(kCount, [=] __device__(int i) { data[i] = answer(i); });
  FINISH();
  std::vector<int> wanted(kCount);
  for (int i = 0; i < kCount; ++i) wanted[i] = answer(i);
  sample::compare("answers", out.get(), wanted);

  for_each<<<2, 128>>>(kCount, [=] __device__(int i) { data[i] = operations[i % 3](i, 7) + chosen(i, 2); });
  FINISH();
  for (int i = 0; i < kCount; ++i) wanted[i] = (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7) + i * 2;
  sample::compare("function pointers", out.get(), wanted);

  // A device function pointer that the host has read.
  Operation taken = nullptr;
  CUDA(cudaMemcpyFromSymbol(&taken, chosen, sizeof taken));
  const auto both = [=] __host__ __device__(int i) { return i * i - 3; };
  for_each<<<2, 128>>>(kCount, [=] __device__(int i) { data[i] = taken(i, i) + both(i); });
  FINISH();
  for (int i = 0; i < kCount; ++i) wanted[i] = i * i + both(i);
  sample::compare("lambdas", out.get(), wanted);
  return sample::passed();
}
