// PTX of the calls on grid handles.
#include "common/simulator/runtime/grid_handle.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::runtime {
namespace {

/// %envreg1 and %envreg2 hold the address of the workspace (machine/grid_workspace.h). The barrier's word counts
/// blocks. The first block adds a value that flips the highest bit once all blocks have arrived; every block waits for
/// that flip.
constexpr std::string_view kCalls = R"(
.version 9.0
.target sm_90
.address_size 64

.weak .func (.param .b64 answer) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %grid;
  .reg .b32 %low, %high, %scope;
  .reg .b64 %handle;
  ld.param.b32 %scope, [scope];
  setp.eq.u32 %grid, %scope, 1;
  mov.u32 %low, %envreg2;
  mov.u32 %high, %envreg1;
  mov.b64 %handle, {%low, %high};
  selp.b64 %handle, %handle, 0, %grid;
  st.param.b64 [answer], %handle;
  ret;
}

.weak .func (.param .b32 answer) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %is;
  .reg .b32 %r<8>;
  .reg .b64 %workspace;
  ld.param.b64 %workspace, [handle];
  setp.ne.u64 %is, %workspace, 0;
  @%is bra MEET;
  st.param.b32 [answer], 999;
  ret;
MEET:
  barrier.sync 0;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  or.b32 %r0, %r0, %r1;
  mov.u32 %r1, %tid.z;
  or.b32 %r0, %r0, %r1;
  setp.ne.u32 %is, %r0, 0;
  @%is bra LEAVE;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ctaid.y;
  or.b32 %r0, %r0, %r1;
  mov.u32 %r1, %ctaid.z;
  or.b32 %r0, %r0, %r1;
  setp.eq.u32 %is, %r0, 0;
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %nctaid.y;
  mul.lo.u32 %r1, %r1, %r2;
  mov.u32 %r2, %nctaid.z;
  mul.lo.u32 %r1, %r1, %r2;
  sub.u32 %r1, 0x80000001, %r1;
  selp.b32 %r1, %r1, 1, %is;
  atom.add.release.gpu.u32 %r3, [%workspace+4], %r1;
WAIT:
  ld.acquire.gpu.u32 %r4, [%workspace+4];
  xor.b32 %r5, %r4, %r3;
  setp.ge.s32 %is, %r5, 0;
  @%is bra WAIT;
LEAVE:
  barrier.sync 0;
  mov.u32 %r6, 0;
  st.param.b32 [answer], %r6;
  ret;
}
)";

constexpr std::array<std::string_view, 2> kNames = {"cudaCGGetIntrinsicHandle", "cudaCGSynchronize"};

}  // namespace

void add_grid_calls(std::vector<ptx::Module>& modules) {
  const auto is_used = [](const ptx::Function& function) {
    return std::find(kNames.begin(), kNames.end(), function.name) != kNames.end();
  };
  const bool used = std::any_of(modules.begin(), modules.end(), [&](const ptx::Module& module) {
    return std::any_of(module.functions.begin(), module.functions.end(), is_used);
  });
  if (used) modules.push_back(ptx::parse(std::string(kCalls)));
}

}  // namespace warpbook::simulator::runtime
