// A matrix product whose inner loop is divided among vector lanes without a reduction: right on the host, where one
// thread does everything, and wrong on a GPU.
#include <cstdio>
#include <vector>

int main() {
  constexpr int kSize = 40;
  std::vector<int> left(kSize * kSize, 1), right(kSize * kSize, 1), product(kSize * kSize, 0);
  const int* a = left.data();
  const int* b = right.data();
  int* c = product.data();
#pragma acc parallel loop gang copyin(a[:kSize * kSize], b[:kSize * kSize]) copy(c[:kSize * kSize])
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
#pragma acc loop vector
      for (int k = 0; k < kSize; ++k) c[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
    }
  }
  int wrong = 0;
  for (const int element : product) wrong += element != kSize;
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
