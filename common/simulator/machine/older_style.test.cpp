// PTX features that people write and nvcc does not: registers as parameters, vectors in calls, symbols as addresses;
// and what is refused when a module is decoded.
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;

namespace {

const char* const kModuleHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A module with a kernel `k(.param .u64 out)` whose body stores to [%out].
std::string with_kernel(const std::string& before, const std::string& body) {
  return kModuleHead + before +
         ".visible .entry k(.param .u64 p) {\n.reg .b64 %out; .reg .b32 %r<8>; ld.param.u64 %out, [p];\n" + body +
         "\nret; }\n";
}

std::vector<std::uint32_t> words_of(const std::string& text, std::size_t count = 4) {
  Bench bench(text);
  const std::uint64_t out = bench.array(std::vector<std::uint32_t>(count));
  const LaunchResult result = bench.launch("k", {1}, {1}, {out});
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  return bench.read<std::uint32_t>(out, count);
}

std::string decoding_error(const std::string& text) {
  try {
    Bench bench(text);
    const std::uint64_t out = bench.array(std::vector<std::uint32_t>(4));
    bench.launch("k", {1}, {1}, {out});
  } catch (const DecodeError& error) {
    return error.what();
  }
  return "no error";
}

using Words = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("functions take and return registers, and calls pass registers and literals") {
  const std::string add = ".func (.reg .u32 %res) add(.reg .u32 %a, .reg .u32 %b)\n{ add.u32 %res, %a, %b; ret; }\n";
  CHECK(words_of(with_kernel(add, "mov.u32 %r1, 38; call (%r1), add, (%r1, 4); st.global.u32 [%out], %r1;"))[0] == 42);
  // A call that only some threads make keeps the values of the others.
  CHECK(words_of(with_kernel(add,
                             ".reg .pred %p; mov.u32 %r1, 5; setp.eq.u32 %p, %r1, 6;\n"
                             "@%p call (%r1), add, (%r1, 4); st.global.u32 [%out], %r1;"))[0] == 5);
}

TEST_CASE("functions take and return vectors of registers") {
  const std::string swap =
      ".func (.reg .v2 .u32 %res) swap(.reg .v2 .u32 %a)\n{ mov.v2.u32 %res, {%a.y, %a.x}; ret; }\n";
  const Words out = words_of(with_kernel(swap,
                                         ".reg .v2 .u32 %v; mov.v2.u32 %v, {7, 9}; call (%v), swap, (%v);\n"
                                         "st.global.v2.u32 [%out], %v;"));
  CHECK((out[0] == 9 && out[1] == 7));
}

TEST_CASE("a vector move may read its own destination") {
  const Words out = words_of(with_kernel("",
                                         "mov.u32 %r0, 10; mov.u32 %r1, 11; mov.u32 %r2, 12; mov.u32 %r3, 13;\n"
                                         "mov.v4.u32 {%r0, %r1, %r2, %r3}, {%r3, %r0, %r1, %r2};\n"
                                         "st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};"));
  CHECK(out == Words{13, 10, 11, 12});
}

TEST_CASE("a generic access to a local variable by its name reaches it") {
  CHECK(words_of(with_kernel("",
                             ".local .align 8 .u32 pad; .local .align 8 .u32 v; st.u32 [pad], 5; st.u32 [v], 77;\n"
                             "ld.local.u32 %r1, [v]; st.global.u32 [%out], %r1;"))[0] == 77);
}

TEST_CASE("a combination that ptxas refuses is refused with its line and a reason") {
  CHECK(decoding_error(with_kernel("", "cvt.sat.u32.u8 %r1, %r2;")) ==
        "ptx line 6: 'cvt.sat.u32.u8' is no instruction: the destination holds every source, so '.sat' is not allowed");
  CHECK(decoding_error(with_kernel("", ".reg .b16 %h; cvt.rn.ftz.f16.s32 %h, %r2;")) ==
        "ptx line 6: 'cvt.rn.ftz.f16.s32' is no instruction: '.ftz' is for .f32");
  CHECK(
      decoding_error(with_kernel("", "atom.global.add.s64 %out, [%out], %out;")).find("'atom.global.add.s64' is no") !=
      std::string::npos);
  CHECK(decoding_error(with_kernel("", "shfl.idx.b32 %r1, %r2, 0, 31;")).find("it needs '.sync'") != std::string::npos);
  // Wherever it is.
  CHECK(decoding_error(with_kernel("", "bra end; setp.lt.b32 %p, %r1, %r2; end:"))
            .find("'setp.lt.b32' is no instruction") != std::string::npos);
}

TEST_CASE("architecture-specific features are refused for other targets") {
  for (const char* const instruction : {"wgmma.fence.sync.aligned;", "setmaxnreg.inc.sync.aligned.u32 40;",
                                        "tensormap.replace.tile.rank.global.b1024.b32 [%out], 3;"}) {
    const std::string text = with_kernel("", instruction);
    CHECK(
        decoding_error(text).find("is no instruction: it needs an architecture-specific target such as sm_90a, and the "
                                  "module's is sm_90") != std::string::npos);
    std::string own = text;
    own.replace(own.find("sm_90"), 5, "sm_90a");
    CHECK(decoding_error(own) == "no error");
  }
}

TEST_CASE("a module whose only kernel begins with an unsupported instruction is refused") {
  CHECK(decoding_error(with_kernel("", "tcgen05.wait::ld.sync.aligned;"))
            .find("ptx line 6: `tcgen05.wait::ld.sync.aligned` is not "
                  "supported by the virtual GPU") == 0);
  // Behind a branch it may never be reached,
  CHECK(decoding_error(with_kernel("", "bra end; tcgen05.wait::ld.sync.aligned; end:")) == "no error");
  // and another kernel may be launched instead.
  const std::string other = ".visible .entry other() { tcgen05.wait::ld.sync.aligned; ret; }\n";
  CHECK(decoding_error(with_kernel(other, "st.global.u32 [%out], 1;")) == "no error");
}

TEST_CASE("a kernel has 32,764 bytes of parameters at most, and before PTX 8.1 4352") {
  const auto error = [](const std::string& version, unsigned bytes) {
    return decoding_error(".version " + version +
                          "\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, " +
                          ".param .align 4 .b8 rest[" + std::to_string(bytes - 8) + "]) { ret; }\n");
  };
  CHECK(error("8.1", 32764) == "no error");
  CHECK(error("8.1", 32765) == "kernel 'k' has 32765 bytes of parameters; it may have 32764");
  CHECK(error("8.0", 4352) == "no error");
  CHECK(error("8.0", 4353).find("more from PTX 8.1 on") != std::string::npos);
}

TEST_CASE("only video instructions take parts of registers and negated operands") {
  CHECK(decoding_error(with_kernel("", "vadd.u32.u32.u32 %r1, %r2.b0, %r3.h1;")) == "no error");
  CHECK(decoding_error(with_kernel("", "add.u32 %r1, %r2.b0, %r3;")).find("only video instructions take parts") !=
        std::string::npos);
  CHECK(decoding_error(with_kernel("", "add.u32 %r1, %r2, -%r3;")).find("has a negated operand") != std::string::npos);
  CHECK(decoding_error(with_kernel("", "vadd.u32.u32.u32 %r1, %r2.b4, %r3;")).find(".b0 to .b3") != std::string::npos);
  CHECK(decoding_error(with_kernel("", "vadd.u32.u32.u32.add %r1, %r2, %r3;")).find("no fourth operand") !=
        std::string::npos);
}

TEST_CASE("a lane that skips a warp barrier and exits is not waited for") {
  Bench bench(
      std::string(kModuleHead) +
      ".visible .entry k(.param .u64 p) {\n.reg .b64 %out, %o; .reg .b32 %t, %r; .reg .pred %p;\n"
      "ld.param.u64 %out, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %out, %out, %o; mov.u32 %r, 0;\n"
      "setp.eq.u32 %p, %t, 0; @%p bra end; bar.warp.sync 0xffffffff; mov.u32 %r, 1;\n"
      "end: st.global.u32 [%out], %r; ret; }\n");
  const std::uint64_t out = bench.array(Words(32, 9));
  REQUIRE_FALSE(bench.launch("k", {1}, {32}, {out}).fault);
  Words expected(32, 1);
  expected[0] = 0;
  CHECK(bench.read<std::uint32_t>(out, 32) == expected);
}
