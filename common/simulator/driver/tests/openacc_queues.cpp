// Regions in two queues: with "waits" the second waits for the first, with "apart" it does not; with "empty" a region
// reads data that was never copied to the device.
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  constexpr int kCount = 1000;
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<float> first(kCount, 1), second(kCount, 0);
  float *a = first.data(), *b = second.data();
  if (what == "empty") {
#pragma acc enter data create(a[:kCount])
#pragma acc parallel loop present(a[:kCount]) copyout(b[:kCount])
    for (int i = 0; i < kCount; ++i) b[i] = a[i] > 0 ? 1 : 2;  // reads what is not there
#pragma acc exit data delete (a[:kCount])
    return 0;
  }
#pragma acc enter data copyin(a[:kCount]) create(b[:kCount])
#pragma acc parallel loop present(a[:kCount]) async(1)
  for (int i = 0; i < kCount; ++i) a[i] += 1;  // in the first queue
  if (what == "waits") {
#pragma acc parallel loop present(a[:kCount], b[:kCount]) async(2) wait(1)
    for (int i = 0; i < kCount; ++i) b[i] = a[i];
  } else {
#pragma acc parallel loop present(a[:kCount], b[:kCount]) async(2)
    for (int i = 0; i < kCount; ++i) b[i] = a[i];  // in the second queue
  }
#pragma acc wait
#pragma acc exit data copyout(b[:kCount]) delete (a[:kCount])
  std::printf("%g\n", static_cast<double>(b[kCount - 1]));
  return b[kCount - 1] == 2 ? 0 : 1;
}
