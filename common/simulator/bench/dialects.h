// The keywords of kernels.inc in CUDA and in OpenCL, so that both run the same kernels.
#ifdef __OPENCL_VERSION__
#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LOCAL_ID(d) get_local_id(d)
#define GROUP_ID(d) get_group_id(d)
#else
#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL __shared__
#define BARRIER() __syncthreads()
#define LOCAL_ID(d) ((d) == 0 ? threadIdx.x : threadIdx.y)
#define GROUP_ID(d) ((d) == 0 ? blockIdx.x : blockIdx.y)
#endif
