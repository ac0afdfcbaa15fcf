// OpenACC constructs that GCC offloads: each result is compared with the host's.
#include <openacc.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

int checks = 0, failures = 0;

void check(bool holds, const char* what) {
  ++checks;
  if (!holds) ++failures;
  if (!holds) std::printf("failed: %s\n", what);
}

constexpr int kCount = 10007;

std::vector<float> ramp(int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i % 97) * 0.5f;
  return values;
}

void check_parallel_loop() {
  const std::vector<float> in = ramp(kCount);
  std::vector<float> out(kCount, -1);
  const float* x = in.data();
  float* y = out.data();
#pragma acc parallel loop copyin(x[:kCount]) copyout(y[:kCount])
  for (int i = 0; i < kCount; ++i) y[i] = 2 * x[i] + 1;
  bool same = true;
  for (int i = 0; i < kCount; ++i) same = same && out[i] == 2 * in[i] + 1;
  check(same, "parallel loop");
}

void check_gang_worker_vector() {
  constexpr int kRows = 61, kColumns = 133;
  std::vector<int> out(kRows * kColumns, -1);
  int* y = out.data();
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyout(y[:kRows * kColumns])
  for (int row = 0; row < kRows; row += 4) {
#pragma acc loop worker
    for (int r = row; r < row + 4; ++r) {
      const int base = r * kColumns;
#pragma acc loop vector
      for (int column = 0; column < kColumns; ++column) {
        if (r < kRows) y[base + column] = r * 1000 + column;
      }
    }
  }
  bool same = true;
  for (int i = 0; i < kRows * kColumns; ++i) same = same && out[i] == i / kColumns * 1000 + i % kColumns;
  check(same, "gang, worker and vector");
}

void check_long_vectors() {
  constexpr int kRows = 37, kColumns = 500;
  std::vector<long> sums(kRows, -1);
  long* s = sums.data();
#pragma acc parallel loop gang vector_length(128) copyout(s[:kRows])
  for (int row = 0; row < kRows; ++row) {
    long sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < kColumns; ++i) sum += row * i;
    s[row] = sum;
  }
  bool same = true;
  for (int row = 0; row < kRows; ++row)
    same = same && sums[row] == static_cast<long>(row) * kColumns * (kColumns - 1) / 2;
  check(same, "vectors of 128 lanes and their reduction");
}

void check_worker_reduction() {
  constexpr int kRows = 19, kColumns = 256;
  std::vector<double> sums(kRows, -1);
  double* s = sums.data();
#pragma acc parallel loop gang num_workers(8) vector_length(32) copyout(s[:kRows])
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
    for (int i = 0; i < kColumns; ++i) sum += row + i * 0.25;
    s[row] = sum;
  }
  bool same = true;
  for (int row = 0; row < kRows; ++row) {
    same = same && std::abs(sums[row] - (row * kColumns + 0.25 * kColumns * (kColumns - 1) / 2)) < 1e-9;
  }
  check(same, "a reduction over workers and vectors");
}

void check_reductions() {
  const std::vector<float> in = ramp(kCount);
  const float* x = in.data();
  long sum = 0;
  float largest = -1;
  int all = ~0;
#pragma acc parallel loop copyin(x[:kCount]) reduction(+ : sum) reduction(max : largest) reduction(& : all)
  for (int i = 0; i < kCount; ++i) {
    sum += i;
    if (x[i] > largest) largest = x[i];
    all &= ~(i & 3);
  }
  check(sum == static_cast<long>(kCount) * (kCount - 1) / 2, "a sum over all gangs");
  check(largest == 48.0f, "a maximum over all gangs");
  check(all == ~3, "a bitwise and over all gangs");
}

void check_atomics() {
  std::vector<int> counts(16, 0);
  int* c = counts.data();
#pragma acc parallel loop copy(c[:16])
  for (int i = 0; i < 16000; ++i) {
#pragma acc atomic update
    c[i * 7 % 16] += 1;
  }
  bool same = true;
  for (const int count : counts) same = same && count == 1000;
  check(same, "atomic updates");
}

#pragma acc routine seq
int collatz(long n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

#pragma acc routine vector
void fill_row(int* row, int count, int value) {
#pragma acc loop vector
  for (int i = 0; i < count; ++i) row[i] = value + i;
}

void check_routines() {
  std::vector<int> steps(1000), rows(20 * 77);
  int* s = steps.data();
  int* r = rows.data();
#pragma acc parallel loop copyout(s[:1000])
  for (int i = 0; i < 1000; ++i) s[i] = collatz(i + 1);
#pragma acc parallel loop gang copyout(r[:20 * 77])
  for (int row = 0; row < 20; ++row) fill_row(r + row * 77, 77, row);
  bool same = true;
  for (int i = 0; i < 1000; ++i) same = same && steps[i] == collatz(i + 1);
  check(same, "a sequential routine");
  same = true;
  for (int i = 0; i < 20 * 77; ++i) same = same && rows[i] == i / 77 + i % 77;
  check(same, "a vector routine");
}

void check_data_regions() {
  std::vector<float> a = ramp(kCount), b(kCount, 0);
  float* x = a.data();
  float* y = b.data();
#pragma acc data copy(x[:kCount]) create(y[:kCount])
  {
#pragma acc parallel loop present(x[:kCount], y[:kCount])
    for (int i = 0; i < kCount; ++i) y[i] = x[i] + 1;
#pragma acc parallel loop present(x[:kCount], y[:kCount])
    for (int i = 0; i < kCount; ++i) x[i] = y[i] * 2;
#pragma acc update self(y [10:5])
  }
  bool same = true;
  for (int i = 0; i < kCount; ++i) same = same && a[i] == (ramp(i + 1)[i] + 1) * 2;
  check(same, "a data region");
  check(b[9] == 0 && b[10] == 6 && b[14] == 8 && b[15] == 0, "an update of a part");
}

void check_queues() {
  constexpr int kBlocks = 6, kBlock = 1700, kAll = kBlocks * kBlock;
  std::vector<int> a(kAll), b(kAll, -1);
  for (int i = 0; i < kAll; ++i) a[i] = i;
  int* x = a.data();
  int* y = b.data();
#pragma acc enter data create(x[:kAll], y[:kAll])
  for (int block = 0; block < kBlocks; ++block) {
    const int low = block * kBlock;
#pragma acc update device(x [low:kBlock]) async(block % 2)
#pragma acc parallel loop present(x[:kAll], y[:kAll]) async(block % 2)
    for (int i = low; i < low + kBlock; ++i) y[i] = 3 * x[i];
#pragma acc update self(y [low:kBlock]) async(block % 2)
  }
#pragma acc wait(0) async(1)
#pragma acc wait
#pragma acc exit data delete (x[:kAll], y[:kAll])
  bool same = true;
  for (int i = 0; i < kAll; ++i) same = same && b[i] == 3 * i;
  check(same, "queues and wait");
  check(acc_async_test_all() != 0, "no queue is left with work");
}

void check_shapes() {
  constexpr int kEdge = 23;
  std::vector<int> cube(kEdge * kEdge * kEdge), tiled(100 * 90);
  int* c = cube.data();
  int* t = tiled.data();
#pragma acc parallel loop collapse(3) copyout(c[:kEdge * kEdge * kEdge])
  for (int i = 0; i < kEdge; ++i)
    for (int j = 0; j < kEdge; ++j)
      for (int k = 0; k < kEdge; ++k) c[(i * kEdge + j) * kEdge + k] = i * 10000 + j * 100 + k;
#pragma acc parallel loop tile(16, 8) copyout(t[:100 * 90])
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 90; ++j) t[i * 90 + j] = 3 * (i * 90 + j);
  bool same = true;
  for (int i = 0; i < kEdge * kEdge * kEdge; ++i) {
    same = same && cube[i] == i / kEdge / kEdge * 10000 + i / kEdge % kEdge * 100 + i % kEdge;
  }
  check(same, "collapsed loops");
  same = true;
  for (int i = 0; i < 100 * 90; ++i) same = same && tiled[i] == 3 * i;
  check(same, "tiled loops");
}

void check_gangs_and_kernels() {
  std::vector<int> out(64, 0);
  int* y = out.data();
#pragma acc parallel num_gangs(8) num_workers(2) vector_length(32) copy(y[:64])
  {
#pragma acc loop gang worker
    for (int i = 0; i < 64; ++i) y[i] += i;
  }
#pragma acc kernels copy(y[:64])
  for (int i = 0; i < 64; ++i) y[i] *= 2;
#pragma acc serial copy(y[:64])
  for (int i = 1; i < 64; ++i) y[i] += y[i - 1];
  bool same = true;
  for (int i = 0; i < 64; ++i) same = same && out[i] == i * (i + 1);
  check(same, "parallel, kernels and serial");
}

void check_private_arrays() {
  std::vector<float> out(500);
  float* y = out.data();
  float table[8];
#pragma acc parallel loop gang private(table) copyout(y[:500])
  for (int i = 0; i < 500; ++i) {
    for (int j = 0; j < 8; ++j) table[j] = i * j;
    float sum = 0;
#pragma acc loop seq
    for (int j = 0; j < 8; ++j) sum += table[7 - j];
    y[i] = sum;
  }
  bool same = true;
  for (int i = 0; i < 500; ++i) same = same && out[i] == i * 28;
  check(same, "private arrays");
}

void check_mathematics() {
  std::vector<double> out(1000);
  double* y = out.data();
#pragma acc parallel loop copyout(y[:1000])
  for (int i = 0; i < 1000; ++i) y[i] = std::sqrt(i + 0.5) * std::exp(-i * 0.01) + std::sin(i * 0.1) + i / 7 % 5;
  bool same = true;
  for (int i = 0; i < 1000; ++i) {
    const double wanted = std::sqrt(i + 0.5) * std::exp(-i * 0.01) + std::sin(i * 0.1) + i / 7 % 5;
    same = same && std::abs(out[i] - wanted) <= 1e-12 * (1 + std::abs(wanted));
  }
  check(same, "functions of the mathematics library");
}

void check_memory_of_the_library() {
  std::vector<float> a = ramp(100);
  auto* device = static_cast<float*>(acc_malloc(100 * sizeof(float)));
  acc_memcpy_to_device(device, a.data(), 100 * sizeof(float));
#pragma acc parallel loop deviceptr(device)
  for (int i = 0; i < 100; ++i) device[i] += 1;
  std::vector<float> b(100);
  acc_memcpy_from_device(b.data(), device, 100 * sizeof(float));
  acc_free(device);
  bool same = true;
  for (int i = 0; i < 100; ++i) same = same && b[i] == a[i] + 1;
  check(same, "acc_malloc and deviceptr");
}

void check_output() {
#pragma acc parallel num_gangs(1) vector_length(32)
  printf("printed by a gang\n");
}

}  // namespace

int main() {
  check(acc_get_device_type() == acc_device_nvidia, "the device is the GPU");
  check(acc_get_num_devices(acc_device_nvidia) == 1, "there is one");
  check_parallel_loop();
  check_gang_worker_vector();
  check_long_vectors();
  check_worker_reduction();
  check_reductions();
  check_atomics();
  check_routines();
  check_data_regions();
  check_queues();
  check_shapes();
  check_gangs_and_kernels();
  check_private_arrays();
  check_mathematics();
  check_memory_of_the_library();
  check_output();
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
