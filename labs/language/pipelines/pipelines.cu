// Exercise pipelines: copies that are some tiles ahead of the work. See pipelines.h.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/pipeline>

#include "pipelines.h"
#pragma nv_diag_suppress static_var_with_dynamic_init  // A state in shared memory is made by make_pipeline().

// TODO(student): write a kernel for each of the first two functions. (12 and 18 lines)

void staged(const int* in, int* out, int tiles, int stages) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}

void specialised(const int* in, int* out, int tiles) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
}

int waits_for(int commits, int parts, int n) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}
