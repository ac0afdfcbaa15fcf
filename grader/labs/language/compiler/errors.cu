// What nvcc refuses: the line after each comment "says:" must be reported with this text, and no other line.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

// says: L52: must have a void return type
__global__ int returns_a_number() { return 0; }

struct Holder {
  // says: L52: cannot be a member function
  __global__ void kernel();
  // says: L52: cannot be a member function
  __global__ static void static_kernel();
};

// says: L52: illegal combination of memory qualifiers
__global__ __device__ void both();

__global__ void kernel(int* out);
__constant__ int constant_number = 1;
__device__ int device_number;

void host_code(int* out) {
  // says: L52: must be configured
  kernel(out);
}

__global__ void stores_constants() {
  // says: L52: modifiable lvalue
  constant_number = 2;
}

__global__ void initialises_shared_memory() {
  // says: L52: initializer not allowed for __shared__
  __shared__ int number = 1;
}

__global__ void atomics(long long* number, float* real) {
  // says: L17: no instance of overloaded function "atomicAdd"
  atomicAdd(number, 1LL);
  // says: L17: no instance of overloaded function "atomicMax"
  atomicMax(real, 1.0f);
  // says: L17: no instance of overloaded function "atomicSub"
  atomicSub(reinterpret_cast<unsigned long long*>(number), 1ull);
  auto* const half = reinterpret_cast<unsigned short*>(number);
  // says: L17: no instance of overloaded function "atomicCAS_block"
  atomicCAS_block(half, half[1], half[2]);
}

__global__ void has_shorts(short* out) {
  extern __shared__ short of_the_launch[];
  out[0] = of_the_launch[0];
}
__global__ void has_floats(float* out) {
  // says: L02: incompatible with previous
  extern __shared__ float of_the_launch[];
  out[0] = of_the_launch[0];
}

__global__ void counts_arrivals(__mbarrier_token_t token, unsigned* out) {
  // says: L34: identifier "__mbarrier_pending_count" is undefined
  *out = __mbarrier_pending_count(token);
}

__global__ void assumes(int* out) {
  // says: L20: identifier "__assume" is undefined
  __assume(out != nullptr);
}

// says: L53: not a template
texture<float, 2> reference_of_old;
// says: L53: not a template
surface<void, 2> surface_of_old;

__global__ void old_shuffle(int* out) {
  // says: L27: identifier "__shfl" is undefined
  out[0] = __shfl(out[0], 0);
}

// says: L52: explicit type is missing
__host__ __device__ without_a_type() { return 0; }

__global__ void child() {}
__global__ void launches_a_kernel() {
  // says: L52: requires separate compilation mode
  child<<<1, 1>>>();
}
