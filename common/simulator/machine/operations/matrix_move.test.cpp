// ldmatrix, stmatrix and movmatrix: which lane gets which element, wavefronts, and faults.
#include <random>
#include <string>

#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;

namespace {

using Halves = std::vector<std::uint16_t>;

/// A warp with 4 KiB of shared memory initialised from p0, and the address of each lane's row (%r3 = %r1 * stride) in
/// %r4.
std::string module_of(const std::string& body, unsigned stride) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n.shared .align 128 .b8 tile[8192];\n"
         "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile;\n"
         "mul.wide.u32 %rd3, %r1, 128; add.u64 %rd3, %rd3, %rd1; mad.lo.u32 %r3, %r1, 128, %r2; mov.u32 %r5, 0;\n"
         "copy: ld.global.b32 %r6, [%rd3]; st.shared.b32 [%r3], %r6; add.u64 %rd3, %rd3, 4; add.u32 %r3, %r3, 4;\n"
         "add.u32 %r5, %r5, 4; setp.lt.u32 %p1, %r5, 128; @%p1 bra copy; bar.warp.sync -1;\n"
         "mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd4, %rd2; mad.lo.u32 %r4, %r1, " +
         std::to_string(stride) + ", %r2;\n" + body + "\nret;\n}\n";
}

Halves random_halves() {
  std::mt19937 random(5);
  Halves values(2048);
  for (auto& x : values) x = static_cast<std::uint16_t>(random());
  return values;
}

const MemoryCounters& counters_of(const Bench& bench, const LaunchResult& result, const std::string& opcode) {
  for (std::size_t m = 0; m < bench.program->memory_operations.size(); ++m)
    if (bench.program->details[bench.program->memory_operations[m]].spelling.rfind(opcode, 0) == 0)
      return result.counters.memory[m];
  throw std::runtime_error("no access " + opcode);
}

std::string registers(unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", %r" : "%r") + std::to_string(8 + i);
  return text + "}";
}

std::string words(bool trans, unsigned matrices, const char* space) {
  return ".sync.aligned.m8n8.x" + std::to_string(matrices) + (trans ? ".trans" : "") + space + ".b16 ";
}

const std::string kStoreAll =
    "st.global.b32 [%rd4], %r8; st.global.b32 [%rd4+4], %r9; st.global.b32 [%rd4+8], %r10; "
    "st.global.b32 [%rd4+12], %r11;";
const std::string kClear = "mov.u32 %r8, 0; mov.u32 %r9, 0; mov.u32 %r10, 0; mov.u32 %r11, 0;\n";

}  // namespace

TEST_CASE("ldmatrix gives each lane two adjacent elements of a row or of a column") {
  const Halves in = random_halves();
  for (const unsigned stride : {16u, 32u, 48u, 128u})
    for (const unsigned matrices : {1u, 2u, 4u})
      for (const bool trans : {false, true})
        for (const bool generic : {false, true}) {
          CAPTURE(stride, matrices, trans, generic);
          const std::string load =
              generic ? "cvt.u64.u32 %rd5, %r4; cvta.shared.u64 %rd5, %rd5; ldmatrix" + words(trans, matrices, "") +
                            registers(matrices) + ", [%rd5];"
                      : "ldmatrix" + words(trans, matrices, ".shared") + registers(matrices) + ", [%r4];";
          Bench bench(module_of(kClear + load + kStoreAll, stride));
          const std::uint64_t p0 = bench.array(in), p1 = bench.array(Halves(256));
          const LaunchResult result = bench.launch("k", {1}, {32}, {p0, p1});
          REQUIRE(result.fault.message == "");
          const Halves out = bench.read<std::uint16_t>(p1, 256);
          for (unsigned lane = 0; lane < 32; ++lane)
            for (unsigned i = 0; i < matrices; ++i)
              for (unsigned e = 0; e < 2; ++e) {
                const unsigned one = lane / 4, two = lane % 4 * 2 + e;
                const unsigned row = trans ? two : one, column = trans ? one : two;
                REQUIRE(out[lane * 8 + i * 2 + e] == in[((8 * i + row) * stride) / 2 + column]);
              }
        }
}

TEST_CASE("stmatrix stores back what ldmatrix loads") {
  const Halves in = random_halves();
  for (const unsigned matrices : {1u, 2u, 4u})
    for (const bool trans : {false, true}) {
      CAPTURE(matrices, trans);
      const std::string with = words(trans, matrices, ".shared");
      Bench bench(module_of("ldmatrix" + with + registers(matrices) + ", [%r4];\nstmatrix" + with + "[%r4+4096], " +
                                registers(matrices) +
                                ";\nbar.warp.sync -1; mad.lo.u32 %r3, %r1, 16, %r2;\n"
                                "ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%r3+4096];" +
                                kStoreAll,
                            16));
      const std::uint64_t p0 = bench.array(in), p1 = bench.array(Halves(256));
      const LaunchResult result = bench.launch("k", {1}, {32}, {p0, p1});
      REQUIRE(result.fault.message == "");
      const Halves out = bench.read<std::uint16_t>(p1, 256);
      for (unsigned k = 0; k < 64 * matrices; ++k) REQUIRE(out[k] == in[k]);
    }
}

TEST_CASE("movmatrix transposes") {
  const Halves in = random_halves();
  Bench bench(
      module_of("mad.lo.u32 %r3, %r1, 4, %r2; ld.shared.b32 %r8, [%r3];\n"
                "movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r8;\n"
                "mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.b32 [%rd4], %r8;",
                16));
  const std::uint64_t p0 = bench.array(in), p1 = bench.array(Halves(64));
  REQUIRE_FALSE(bench.launch("k", {1}, {32}, {p0, p1}).fault);
  const Halves out = bench.read<std::uint16_t>(p1, 64);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) REQUIRE(out[row * 8 + column] == in[column * 8 + row]);
}

TEST_CASE("each matrix is a wavefront, and more where its rows share banks") {
  struct Case {
    unsigned stride, ways;
  };
  for (const Case& c : {Case{16, 1}, Case{32, 2}, Case{64, 4}, Case{128, 8}, Case{144, 1}, Case{80, 1}})
    for (const unsigned matrices : {1u, 2u, 4u}) {
      CAPTURE(c.stride, matrices);
      Bench bench(module_of("ldmatrix" + words(false, matrices, ".shared") + registers(matrices) +
                                ", [%r4];\nstmatrix" + words(false, matrices, ".shared") + "[%r4], " +
                                registers(matrices) + ";",
                            c.stride));
      const std::uint64_t p0 = bench.array(random_halves()), p1 = bench.array(Halves(256));
      const LaunchResult result = bench.launch("k", {1}, {32}, {p0, p1});
      REQUIRE(result.fault.message == "");
      for (const char* opcode : {"ldmatrix", "stmatrix"}) {
        const MemoryCounters& counters = counters_of(bench, result, opcode);
        CHECK(counters.requests == 1);
        CHECK(counters.wavefronts == matrices * c.ways);
        CHECK(counters.wavefronts_ideal == matrices);
        CHECK(counters.conflicts == matrices * (c.ways - 1));
        CHECK(counters.bytes == matrices * 128);
      }
    }
}

TEST_CASE("rows of matrices outside of shared memory, or not at multiples of 16 bytes, are faults") {
  const auto fault_of = [](const std::string& body) {
    Bench bench(module_of(body, 16));
    const std::uint64_t p0 = bench.array(random_halves()), p1 = bench.array(Halves(256));
    return bench.launch("k", {1}, {32}, {p0, p1}).fault;
  };
  const Fault outside = fault_of("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4+8160];");
  CHECK(outside.kind == FaultKind::out_of_bounds);
  CHECK(outside.thread[0] == 2);
  CHECK(fault_of("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4+8];").kind == FaultKind::misaligned);
  // Only the addresses of the first eight lanes count for one matrix.
  CHECK_FALSE(
      fault_of("setp.ge.u32 %p1, %r1, 8; @%p1 mov.u32 %r4, 1;\n"
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4];"));
  const Fault global = fault_of("ldmatrix.sync.aligned.m8n8.x1.b16 {%r8}, [%rd1];");
  CHECK(global.kind == FaultKind::out_of_bounds);
  CHECK_THAT(global.message, Catch::Contains("shared memory"));
}

TEST_CASE("matrix instructions need all lanes: they are waited for, and lanes that cannot arrive are an error") {
  {
    Bench meeting(
        module_of("and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra even;\nnanosleep.u32 10; bra both;\n"
                  "even: nanosleep.u32 20;\nboth: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4];",
                  16));
    CHECK_FALSE(meeting.launch("k", {1}, {32}, {meeting.array(random_halves()), meeting.array(Halves(256))}).fault);
  }
  Bench alone(module_of("setp.lt.u32 %p1, %r1, 16; @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4];", 16));
  const Fault fault = alone.launch("k", {1}, {32}, {alone.array(random_halves()), alone.array(Halves(256))}).fault;
  CHECK(fault.kind == FaultKind::unsupported);
  CHECK_THAT(fault.message, Catch::Contains("16 of the 32 threads"));
}

TEST_CASE("unsupported forms are refused by name") {
  for (const std::string instruction :
       {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r8, %r9}, [%r4];",
        "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r8}, [%r4];",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r4], {%r8};",
        ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 {%r8, %r9}, {%r8, %r9, %r8, %r9}, {%r8, %r9}, "
         "{%r8, %r9, %r10, %r11};"),
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r8, %r9}, {%r8, %r9}, {%r8, %r9}, {%r8, %r9};",
        "wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r8}, [%r4], 32;",
        "wmma.load.b.sync.aligned.row.m16n16k8.shared.f16 {%r8, %r8, %r8, %r8, %r8, %r8, %r8, %r8}, [%r4], 16;",
        "tcgen05.wait::ld.sync.aligned;"}) {
    Bench bench(module_of(instruction, 16));
    const Fault fault = bench.launch("k", {1}, {32}, {bench.array(random_halves()), bench.array(Halves(256))}).fault;
    CAPTURE(instruction, fault.message);
    CHECK(fault.kind == FaultKind::unsupported);
    CHECK_THAT(fault.message, Catch::Contains(instruction.substr(0, instruction.find(' '))) ||
                                  Catch::Contains(instruction.substr(0, instruction.find(';'))));
  }
}
