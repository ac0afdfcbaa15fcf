// CUDA code for which nvcc writes most kinds of PTX directives: the source of language_sm_*.ptx (see generate.sh).
#include <cstdio>

// Initial contents: scalars, arrays, strings, addresses, function pointers, an address at an odd offset.
struct Record {
  char tag;
  short small;
  float value;
  double wide;
  const int* link;
  const char* text;
  void (*act)(int*);
};
struct __attribute__((packed)) Packed {
  char tag;
  const int* link;
  short tail;
};
__device__ void act(int* out) { out[0] = 1; }
__device__ int target[10] = {1, 2, 3};
__device__ int* pointer = &target[3];
__device__ const char* words[2] = {"abc", "d\ne\"f"};
__device__ Record record = {'a', -2, 4.5f, 6.75, target + 5, "hello", act};
__device__ Packed packed = {'p', target + 2, 5};
__constant__ float coefficients[4] = {1.0f, -2.5f, 3e-20f};
__managed__ int managed[2] = {5, 6};
__device__ double single_value = 0.1;
__device__ const volatile int* table[2][2] = {{target}, {target + 1, target + 2}};
extern __shared__ float dynamic[];

__global__ void read_variables(int* out) {
  __shared__ double tile[4][5];
  tile[threadIdx.x][1] = single_value;
  __syncthreads();
  out[0] = *pointer + words[out[1] & 1][2] + record.tag + *record.link + *packed.link + packed.tail +
           static_cast<int>(coefficients[out[2] & 3] + dynamic[3] + tile[1][threadIdx.x]) + managed[1] +
           *table[out[3] & 1][1];
  record.act(out);
}

// Calls: recursive, indirect with a prototype, by value, without result, with variable arguments.
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ inline int inlined(const int* in) { return in[0] * in[1] + in[2]; }
struct Big {
  int values[10];
  double last;
};
__device__ __noinline__ Big changed(Big big, int i) {
  big.values[i]++;
  return big;
}
__global__ void calls(Big big, const __grid_constant__ Big other, int (*function)(int, float), int* out) {
  out[0] = fibonacci(out[0]) + changed(big, out[1]).values[3] + static_cast<int>(changed(other, 2).last);
  out[1] = function(out[2], 2.0f) + inlined(out + 4);
  printf("%d %f\n", out[0], big.last);
}

// Limits, a switch and a loop.
__global__ void __launch_bounds__(256, 2) limits(int* out) { out[threadIdx.x] = clock(); }
__global__ void __cluster_dims__(2, 2, 1) cluster(int* out) { out[0] = 1; }
__global__ void choices(int* out, int x) {
  switch (x) {
    case 0:
      out[0] = out[5] * 3;
      break;
    case 1:
      out[1] = out[2] - 1;
      break;
    case 2:
      out[2] = out[9] ^ 7;
      break;
    case 3:
      out[3] = out[1] / 5;
      break;
    case 4:
      out[4] = __popc(out[3]);
      break;
    case 5:
      out[5] = __clz(out[4]);
      break;
    case 6:
      out[6] = out[7] % 9;
      break;
    default:
      out[7] = -1;
  }
  for (int i = 0; i < x; ++i) out[i] += out[i + x];
}

// Inline assembly: nested scopes, names without '%', labels of their own, pairs and vectors.
__global__ void assembly(int* out, float* values, unsigned long long* wide) {
  int result;
  unsigned other;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .b32 t<3>, u;\n\tsetp.ne.s32 p, %1, 0;\n\t@p add.s32 t0, %1, 1;\n\t"
      "@!p add.s32 t0, %1, 2;\n\tmov.b32 u, t0;\n\t{ .reg .b32 u; mov.b32 u, 5; add.s32 t1, u, t0; }\n\t"
      "add.s32 %0, u, t1;\n\t}"
      : "=r"(result)
      : "r"(out[0]));
  asm volatile("{ .reg .pred q; again: setp.eq.s32 q, %0, 0; @q bra done; bra again; done: }" ::"r"(result));
  asm volatile("{ .reg .pred q; again: setp.eq.s32 q, %0, 1; @q bra done; bra.uni again; done: }" ::"r"(result));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(other));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4+-16];"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "l"(values + 8));
  asm volatile("mov.b64 {%0, _}, %1;" : "=r"(result) : "l"(wide[0]));
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(result));
  asm volatile("/* a comment */ vadd.s32.u32.s32.sat %0, %1.b0, %1.h1;" : "=r"(result) : "r"(other));
  out[1] = result + other;
}
