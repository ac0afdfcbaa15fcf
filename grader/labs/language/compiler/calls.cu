// Calls between host and device that nvcc refuses: the line after each comment "says:" is reported with this text.
#include <cuda_runtime.h>

int host_function() { return 1; }
__device__ int device_function() { return 2; }

__global__ void calls_the_host(int* out) {
  // says: L52: calling a __host__ function
  out[0] = host_function();
}

int calls_the_device() {
  // says: L52: calling a __device__ function
  return device_function();
}

// says: L01: calling a __host__ function
__device__ int through_another() { return host_function(); }

__global__ void waits_for_a_child() {
  // says: L52: calling a __host__ function
  cudaDeviceSynchronize();
}

__device__ int of_device;
__global__ void copies_to_a_symbol(const int* from) {
  // says: L52: calling a __host__ function
  cudaMemcpyToSymbol(of_device, from, sizeof of_device);
}

__global__ void asks_for_properties(cudaDeviceProp* properties) {
  // says: L52: calling a __host__ function
  cudaGetDeviceProperties(properties, 0);
}
