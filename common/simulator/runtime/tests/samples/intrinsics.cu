// Integer and warp intrinsics, inline PTX, carries, dot products of bytes, SIMD in a word.
#include "sample.h"

namespace {

__global__ void integers(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x], b = in[(threadIdx.x + 1) % blockDim.x];
  unsigned h = 1;
  const auto mix = [&h](unsigned value) { h = (h ^ value) * 16777619u; };
  mix(__brev(a)), mix(__clz(a)), mix(__ffs(a)), mix(__popc(a)), mix(__clzll(a)), mix(__byte_perm(a, b, 0x2461));
  mix(__funnelshift_l(a, b, 13)), mix(__funnelshift_rc(a, b, 40)), mix(__umulhi(a, b)),
      mix(__mulhi(static_cast<int>(a), static_cast<int>(b)));
  mix(__sad(static_cast<int>(a), static_cast<int>(b), 5)), mix(__usad(a, b, 5)), mix(__mul24(a, b)),
      mix(__umul24(a, b)), mix(__hadd(a, b)), mix(__urhadd(a, b));
  mix(__dp4a(static_cast<int>(a), static_cast<int>(b), 7)), mix(__dp4a(a, b, 7u)),
      mix(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), 3)), mix(__dp2a_hi(a, b, 3u));
  mix(__vadd4(a, b)), mix(__vsub2(a, b)), mix(__vmaxs4(a, b)), mix(__vcmpgtu2(a, b)), mix(__vavgu4(a, b));
  mix(__vimax_s32_relu(a, b)), mix(__viaddmax_s32(a, b, 9)), mix(__vimin3_u32(a, b, 77));
  out[threadIdx.x] = h;
}

__global__ void carries(const unsigned* in, unsigned* out) {
  unsigned a = in[threadIdx.x], b = in[(threadIdx.x + 5) % blockDim.x], low, high, top;
  asm("{\n\t"
      "add.cc.u32 %0, %3, %4;\n\t"
      "addc.cc.u32 %1, %3, %5;\n\t"
      "addc.u32 %2, %4, 0;\n\t"
      "mad.lo.cc.u32 %0, %3, %5, %0;\n\t"
      "madc.hi.u32 %1, %3, %5, %1;\n\t"
      "}"
      : "=&r"(low), "=&r"(high), "=&r"(top)
      : "r"(a), "r"(b), "r"(~a));
  unsigned bits, inserted, lop, shifted, selected;
  asm("bfe.u32 %0, %1, 5, 11;" : "=r"(bits) : "r"(a));
  asm("bfi.b32 %0, %1, %2, 7, 9;" : "=r"(inserted) : "r"(a), "r"(b));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(lop) : "r"(a), "r"(b), "r"(low));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(shifted) : "r"(a), "r"(b), "r"(high));
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(selected) : "r"(a), "r"(b), "r"(low));
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  unsigned lane, mask;
  asm volatile("mov.u32 %0, %%laneid;\n\tmov.u32 %1, %%lanemask_le;" : "=r"(lane), "=r"(mask));
  out[threadIdx.x] = (low ^ high * 3 ^ top * 5) + bits + inserted + lop + shifted + selected +
                     static_cast<unsigned>(wide >> 32) + lane * mask;
}

__global__ void lanes(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x], lane = threadIdx.x % 32;
  unsigned h = 1;
  const auto mix = [&h](unsigned value) { h = (h ^ value) * 16777619u; };
  mix(__shfl_sync(~0u, a, lane * 7 % 32)), mix(__shfl_up_sync(~0u, a, 3)), mix(__shfl_down_sync(~0u, a, 5, 16)),
      mix(__shfl_xor_sync(~0u, a, 9, 8));
  mix(__ballot_sync(~0u, a & 1)), mix(__any_sync(~0u, a % 97 == 0)), mix(__all_sync(~0u, a != 0)),
      mix(__match_any_sync(~0u, a & 3));
  int same = 0;
  mix(__match_all_sync(~0u, a >> 31, &same)), mix(same);
  mix(__reduce_add_sync(~0u, a)), mix(__reduce_min_sync(~0u, a)), mix(__reduce_max_sync(~0u, static_cast<int>(a))),
      mix(__reduce_and_sync(~0u, a)), mix(__reduce_or_sync(~0u, a)), mix(__reduce_xor_sync(~0u, a));
  mix(__fns(a, 0, 2));
  if (lane % 3 == 0) {
    const unsigned active = __activemask();
    mix(active == 0x49249249 ? __shfl_sync(active, a, 0) + __popc(__ballot_sync(active, a & 2)) : 0);
  }
  __syncwarp();
  const double wide = __shfl_down_sync(~0u, static_cast<double>(a) * 0.5, 1);
  mix(static_cast<unsigned>(wide));
  out[threadIdx.x] = h;
}

unsigned on_host(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32); }
__global__ void high_words(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = __umulhi(in[threadIdx.x], in[(threadIdx.x + 1) % blockDim.x]);
}

std::uint32_t digest(const std::vector<unsigned>& values) {
  std::uint32_t hash = 2166136261u;
  for (const unsigned value : values) hash = (hash ^ value) * 16777619u;
  return hash;
}

template <class Kernel>
void show(const char* name, Kernel kernel, const unsigned* in) {
  sample::Device<unsigned> out(96);
  kernel<<<1, 96>>>(in, out);
  FINISH();
  std::printf("%s: %08x\n", name, digest(out.get()));
}

}  // namespace

int main() {
  sample::Numbers numbers(20);
  std::vector<unsigned> values(96), wanted(96);
  for (unsigned& value : values) value = numbers.next() << 8 ^ numbers.next();
  for (int i = 0; i < 96; ++i) wanted[i] = on_host(values[i], values[(i + 1) % 96]);
  sample::Device<unsigned> in(values), out(96);
  high_words<<<1, 96>>>(in, out);
  FINISH();
  sample::compare("high words", out.get(), wanted);
  show("integers", integers, in);
  show("carries", carries, in);
  show("lanes", lanes, in);
  return sample::passed();
}
