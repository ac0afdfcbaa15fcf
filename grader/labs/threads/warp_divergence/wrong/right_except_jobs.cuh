// The solution without its run_jobs(): for wrong answers whose mistake is there alone.
#pragma once

#include "warp_divergence.h"

#define run_jobs right_run_jobs
#define run_jobs_kernel right_run_jobs_kernel
#include "solutions/threads/warp_divergence/warp_divergence.cu"
#undef run_jobs
#undef run_jobs_kernel
