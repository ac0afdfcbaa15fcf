// Exercise amdahl: how a serial part limits the speed-up. amdahl.h says what each function must do.
#include "amdahl.h"
#include "common/cuda/event_timer.cuh"

__global__ void serial_kernel(int* data, int count) {  // Each element needs the one before.
  for (int i = 1; i < count; ++i) data[i] += data[i - 1];
}

__global__ void parallel_kernel(int* data, int count) {  // Any thread can do any element.
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    for (int step = 0; step < 20; ++step) data[i] = data[i] * data[i] + step;
}

double serial_share(int* data, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch each kernel and measure it. (8 lines)
  warpbook::EventTimer timer;
  timer.start();
  serial_kernel<<<1, 1>>>(data, count);
  const double serial = timer.stop();
  timer.start();
  parallel_kernel<<<1, 1>>>(data, count);
  const double parallel = timer.stop();
  return serial / (serial + parallel);
  // END SOLUTION
}

double speedup(double serial, int workers) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return 1 / (serial + (1 - serial) / workers);
  // END SOLUTION
}

int workers_needed(int serial, int wanted) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 100 / wanted = serial + (100 - serial) / n. (3 lines)
  const int left = 100 - serial * wanted;  // wanted * (100 - serial) / n must be at most this.
  if (wanted == 1) return 1;
  return left > 0 ? (wanted * (100 - serial) + left - 1) / left : 0;
  // END SOLUTION
}
