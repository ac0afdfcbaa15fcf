// Functions that samples link at run time, from an object with PTX and from a library with LTO-IR alone.
__device__ int rule(int x) { return 3 * x + 1; }

extern "C" __device__ int square_plus(int x) { return x * x + 1; }
