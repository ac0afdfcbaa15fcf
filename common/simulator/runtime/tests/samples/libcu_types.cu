// libcu++: the standard library's types in kernels: span, tuple, optional, variant, array, mdspan, complex and more.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

#include "sample.h"

namespace {

namespace std_ = cuda::std;

__host__ __device__ std_::optional<int> root(int value) {
  for (int i = 0; i * i <= value; ++i)
    if (i * i == value) return i;
  return std_::nullopt;
}

__host__ __device__ std_::expected<int, char> divide(int a, int b) {
  if (b == 0) return std_::unexpected('z');
  return a / b;
}

struct Circle {
  int radius;
};
struct Box {
  int width, height;
};
using Shape = std_::variant<Circle, Box>;

struct Area {
  __host__ __device__ int operator()(Circle c) const { return 3 * c.radius * c.radius; }
  __host__ __device__ int operator()(Box b) const { return b.width * b.height; }
};

__host__ __device__ std_::tuple<int, unsigned, std_::array<int, 3>> mixed(int i) {
  return {i * 3, std_::rotl(static_cast<unsigned>(i) + 1u, 7), {i, i + 1, i + 2}};
}

__host__ __device__ long long answer(int i) {
  const Shape shape = i % 2 == 0 ? Shape(Circle{i}) : Shape(Box{i, i + 1});
  long long result = std_::visit(Area(), shape) + (std_::holds_alternative<Box>(shape) ? 1 : 2);
  result = result * 31 + root(i).value_or(-7);
  result = result * 31 + divide(1000, i % 5).value_or(divide(1, 0).error());
  const auto [three, turned, row] = mixed(i);
  result = result * 31 + three + turned % 1000 + row[2];
  const std_::bitset<40> bits(static_cast<unsigned long long>(i) * 0x9e3779b9ull);
  result = result * 31 + static_cast<long long>(bits.count()) + bits.test(3);
  result = result * 31 + std_::popcount(static_cast<unsigned>(i)) + std_::countl_zero(static_cast<unsigned>(i)) +
           static_cast<int>(std_::bit_ceil(static_cast<unsigned>(i)));
  const std_::chrono::milliseconds time = std_::chrono::seconds(i) + std_::chrono::milliseconds(i);
  result = result * 31 + time.count() + (std_::numeric_limits<short>::max)();
  const std_::complex<double> z = std_::complex<double>(i, 1) * std_::complex<double>(1, -i);
  return result * 31 + static_cast<long long>(z.real()) - static_cast<long long>(z.imag()) +
         static_cast<long long>(std_::norm(z));
}

__global__ void answers(std_::span<long long> out) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.size()) out[i] = answer(static_cast<int>(i));
}

/// A transpose with two views of memory, one column-major.
__global__ void turn(const int* in, int* out, int rows, int columns) {
  using Extents = std_::dextents<int, 2>;
  const std_::mdspan<const int, Extents> a(in, rows, columns);
  const std_::mdspan<int, Extents, std_::layout_left> b(out, rows, columns);
  for (int i = threadIdx.x; i < rows * columns; i += blockDim.x)
    b(i / columns, i % columns) = a(i / columns, i % columns);
}

}  // namespace

int main() {
  constexpr int kCount = 300;
  sample::Device<long long> out(kCount);
  answers<<<3, 128>>>(std_::span<long long>(out.data(), kCount));
  FINISH();
  std::vector<long long> wanted(kCount);
  for (int i = 0; i < kCount; ++i) wanted[i] = answer(i);
  sample::compare("types", out.get(), wanted);

  std::vector<int> host(13 * 29), turned(13 * 29);
  for (int i = 0; i < 13 * 29; ++i) host[i] = i * i, turned[i % 29 * 13 + i / 29] = i * i;
  sample::Device<int> a(host), b(13 * 29);
  turn<<<1, 64>>>(a, b, 13, 29);
  FINISH();
  sample::compare("mdspan", b.get(), turned);
  return sample::passed();
}
