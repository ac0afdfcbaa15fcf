// Exercise host_and_device_code: one function for both sides, and what nvcc refuses. See host_and_device_code.h.
#include "host_and_device_code.h"

// TODO(student): write the function for both sides, with #ifdef __CUDA_ARCH__, and the kernel. (12 lines)

void count_on_device(const int* in, int* out, int count) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}

int count_on_host(int x) {
  warpbook::not_started();  // TODO(student): call your function in place of this line.
}

int says(int line) {
  warpbook::not_started();  // TODO(student): which lines pass, which get a warning? (1 line)
}
