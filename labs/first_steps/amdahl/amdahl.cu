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
  warpbook::not_started();  // TODO(student): launch each kernel and measure it. (8 lines)
}

double speedup(double serial, int workers) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}

int workers_needed(int serial, int wanted) {
  warpbook::not_started();  // TODO(student): 100 / wanted = serial + (100 - serial) / n. (3 lines)
}
