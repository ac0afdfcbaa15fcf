// Tests of the model's inputs on small PTX kernels that are executed: critical path, predicated bodies, totals.
#include "common/simulator/model/critical_path.h"

#include "common/simulator/machine/testing.h"
#include "common/simulator/model/if_conversion.h"
#include "common/simulator/model/near.h"
#include "common/simulator/model/work_totals.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// Address of the thread's element of the array p0, in %rd4.
const std::string kAddress = "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n";

WorkTotals totals_of(const std::string& body, unsigned blocks = 1, unsigned threads = 32) {
  Bench bench(kernel(body));
  std::vector<std::uint32_t> values(1 << 16, 0);
  const LaunchResult result =
      bench.launch("k", {blocks, 1, 1}, {threads, 1, 1}, {bench.array(values), bench.array(values)});
  REQUIRE(result.fault.kind == FaultKind::none);
  const KernelWork work{*bench.program, *bench.program->find("k"), {blocks, 1, 1}, {threads, 1, 1}, 1024, 16,
                        result.counters};
  return total(load_device("h200"), work);
}

double cycles_of(const std::string& body) { return totals_of(body).block_cycles; }

std::string run_again(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

}  // namespace

TEST_CASE("dependent operations follow each other at their latency, independent ones do not wait") {
  const ModelConstants& model = load_device("h200").model;
  const std::string start = "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F800000;\n";
  const double chain = cycles_of(start + run_again("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 101)) -
                       cycles_of(start + "fma.rn.f32 %f1, %f1, %f1, %f1;\n");
  CAPTURE(chain);
  CHECK(near(chain, 100 * model.alu_latency, 0.1));
  const double independent = cycles_of(start + run_again("fma.rn.f32 %f3, %f1, %f1, %f1;\n", 101)) -
                             cycles_of(start + "fma.rn.f32 %f3, %f1, %f1, %f1;\n");
  CAPTURE(independent);
  CHECK(independent < chain / 2);
}

TEST_CASE("independent loads share one latency, dependent ones add theirs up") {
  const ModelConstants& model = load_device("h200").model;
  const std::string use = "add.u32 %r9, %r5, %r6; st.global.u32 [%rd4], %r9;\n";
  const double one = cycles_of(kAddress + "ld.global.u32 %r5, [%rd4]; mov.u32 %r6, %r5;\n" + use);
  const double two = cycles_of(kAddress + "ld.global.u32 %r5, [%rd4]; ld.global.u32 %r6, [%rd4+4096];\n" + use);
  const double chained = cycles_of(kAddress +
                                   "ld.global.u32 %r5, [%rd4]; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd6, %rd1, %rd5;"
                                   "ld.global.u32 %r6, [%rd6+8192];\n" +
                                   use);
  CAPTURE(one, two, chained);
  CHECK(one > model.l2_latency);
  CHECK(two < one + 50);
  CHECK(chained > one + model.l2_latency);
}

TEST_CASE("an iteration waits for the value that the one before it loaded") {
  const ModelConstants& model = load_device("h200").model;
  // Zeros: every load refers to the first element, which is in the L1 after the first time.
  const std::string body =
      "mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
      "again: mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; ld.global.cg.u32 %r5, [%rd4];"
      "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 10; @%p1 bra again; st.global.u32 [%rd2], %r5;\n";
  CHECK(cycles_of(body) > 9 * model.l2_latency);
}

TEST_CASE("a short body of an if is predicated, one with a barrier is not") {
  const auto count = [](const std::string& inside) {
    Bench bench(kernel("setp.gt.u32 %p1, %r1, 15; @%p1 bra over;\n" + inside + "over: mov.u32 %r9, %r1;"));
    std::size_t bodies = 0;
    for (const bool one : find_predicated_blocks(*bench.program)) bodies += one;
    return bodies;
  };
  CHECK(count("add.u32 %r5, %r1, 1; st.global.u32 [%rd1], %r5;\n") == 1);
  CHECK(count("bar.sync 0;\n") == 0);
  CHECK(count(run_again("add.u32 %r5, %r5, 1;\n", 40)) == 0);
}

TEST_CASE("sectors count as written whole or in part") {
  const WorkTotals whole = totals_of(kAddress + "st.global.u32 [%rd4], %r1;\n");
  CHECK(near(whole.l2_write_sectors, 4));
  CHECK(whole.l2_partial_sectors == 0);
  const WorkTotals strided =
      totals_of("mul.wide.u32 %rd3, %r1, 128; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r1;\n");
  CHECK(near(strided.l2_write_sectors, 4));
  CHECK(near(strided.l2_partial_sectors, 28));
  CHECK(strided.lsu_wavefronts >= 32);
}

TEST_CASE("a sector that is read comes from memory with its neighbour") {
  const std::string use = "st.global.u32 [%rd2], %r5;\n";
  const WorkTotals unit = totals_of(kAddress + "ld.global.u32 %r5, [%rd4];\n" + use);
  const WorkTotals strided =
      totals_of("mul.wide.u32 %rd3, %r1, 64; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r5, [%rd4];\n" + use);
  CHECK(near(strided.l2_read_sectors, 32));
  CHECK(strided.dram_read_bytes - unit.dram_read_bytes == 32 * 64 - 128);
}

TEST_CASE("operations on one address are one slice's work, one after the other") {
  const WorkTotals integers = totals_of(
      "and.b32 %r5, %r1, 0; mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3;\n"
      "red.global.add.u32 [%rd4], %r1;\n");
  CHECK(integers.atomic_passes == 32);
  CHECK(integers.atomic_visits == 1);
  CHECK(integers.atomic_sectors == 1);
  CHECK(integers.atomic_float_passes == 0);
  const WorkTotals floats = totals_of("cvt.rn.f32.u32 %f1, %r1; red.global.add.f32 [%rd1], %f1;\n");
  CHECK(floats.atomic_float_passes == 32);
}

TEST_CASE("one lane adds integers for its warp where the program names one address for all") {
  CHECK(totals_of("red.global.add.u32 [%rd1], %r1;\n").atomic_passes == 1);
  CHECK(totals_of("atom.global.add.u32 %r5, [%rd1], %r1; st.global.u32 [%rd2], %r5;\n").atomic_passes == 1);
  CHECK(totals_of("atom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd2], %r5;\n").atomic_passes == 1);
}

TEST_CASE("the reciprocal of a divisor is computed once") {
  const auto xu = [](const WorkTotals& totals) { return totals.pipes[static_cast<std::size_t>(ptx::Pipe::xu)]; };
  const std::string load = kAddress + "ld.global.u32 %r5, [%rd4]; ld.global.u32 %r6, [%rd4+4096];\n";
  const std::string store = "add.u32 %r9, %r7, %r8; st.global.u32 [%rd4], %r9;\n";
  CHECK(xu(totals_of(load + "div.u32 %r7, %r1, %r5; div.u32 %r8, %r1, %r6;\n" + store)) == 6);
  CHECK(xu(totals_of(load + "div.u32 %r7, %r1, %r5; rem.u32 %r8, %r1, %r5;\n" + store)) == 3);
  CHECK(xu(totals_of(load + "div.u32 %r7, %r1, %r5; add.u32 %r5, %r5, 1; rem.u32 %r8, %r1, %r5;\n" + store)) == 6);
}

TEST_CASE("what one machine instruction does is counted once") {
  const std::string use = "st.global.u32 [%rd1], %r7;\n";
  const auto instructions = [&](const std::string& body) { return totals_of(body + use).instructions; };
  const double one = instructions("xor.b32 %r7, %r1, %r2;\n");
  CHECK(instructions("and.b32 %r5, %r1, %r2; xor.b32 %r7, %r5, %r1;\n") == one);
  CHECK(instructions("shl.b32 %r5, %r1, 3; add.u32 %r7, %r5, %r1;\n") == one);
  CHECK(instructions("shl.b32 %r5, %r1, %r2; add.u32 %r7, %r5, %r1;\n") == one + 1);
}

TEST_CASE(
    "halves of registers that are only picked are no instructions, and sums take wide products and shifts along") {
  const std::string narrow = "st.global.u32 [%rd1], %r7;\n", wide = "st.global.u64 [%rd1], %rd7;\n";
  const auto instructions = [](const std::string& body) { return totals_of(body).instructions; };
  const double one = instructions("xor.b32 %r7, %r1, %r2;\n" + narrow);
  CHECK(instructions("mul.wide.u32 %rd3, %r1, %r2; shr.u64 %rd4, %rd3, 32; cvt.u32.u64 %r7, %rd4;\n" + narrow) == one);
  CHECK(instructions("mul.wide.u32 %rd3, %r1, %r2; shr.u64 %rd4, %rd3, 33; cvt.u32.u64 %r7, %rd4;\n" + narrow) ==
        one + 1);
  CHECK(instructions("mul.wide.u32 %rd3, %r1, %r2; add.s64 %rd7, %rd3, %rd1;\n" + wide) == one);
  CHECK(instructions("mul.wide.u32 %rd3, %r1, %r2; add.s64 %rd4, %rd3, %rd1; add.s64 %rd7, %rd3, %rd2;\n" + wide) ==
        one + 1);
  CHECK(instructions("shl.b64 %rd3, %rd1, 3; add.s64 %rd7, %rd3, %rd2;\n" + wide) == one + 1);
}

TEST_CASE("a product of 64 bits takes the multiplier twice as long") {
  const auto multiplier = [](const std::string& product) {
    return totals_of(product + "st.global.u32 [%rd1], %r7;\n").pipes[static_cast<std::size_t>(ptx::Pipe::fmaheavy)];
  };
  const double narrow = multiplier("mul.lo.u32 %r7, %r1, %r2;\n");
  CHECK(near(multiplier("mul.hi.u32 %r7, %r1, %r2;\n"), narrow + 1));
  CHECK(multiplier("mul.hi.u64 %rd3, %rd1, %rd2; cvt.u32.u64 %r7, %rd3;\n") > narrow + 6);
}

TEST_CASE("constants of f64 are put together where not every iteration of a loop needs them") {
  // Twelve iterations; in the second loop lanes may skip the sum.
  const std::string loop = "mov.u32 %r6, 0; mov.f64 %fd1, 0d3FF0000000000000;\nagain: add.u32 %r6, %r6, 1;\n",
                    end = "setp.lt.u32 %p1, %r6, 12; @%p1 bra again; st.global.f64 [%rd1], %fd1;\n";
  const auto instructions = [&](const std::string& body) { return totals_of(loop + body + end).instructions; };
  const std::string plain = "add.f64 %fd1, %fd1, 0d3FF8000000000000;\n",
                    odd = "add.f64 %fd1, %fd1, 0d3FF1111111111111;\n";
  CHECK(instructions(odd) == instructions(plain));
  const std::string skip = "setp.gt.u32 %p2, %r6, 40; @%p2 bra over;\n", over = "over:\n";
  CHECK(instructions(skip + odd + over) == instructions(skip + plain + over) + 12 * 2);
}

TEST_CASE("blocks side by side wait together for what one of them brings from memory") {
  const ModelConstants& model = load_device("h200").model;
  const std::string body = "ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd2], %r5;\n";
  CHECK(totals_of(body, 64).block_cycles >= model.dram_latency);
  CHECK(totals_of(body, 132 * 32 * 8).block_cycles < model.l2_latency + (model.dram_latency - model.l2_latency) / 2);
}

TEST_CASE("a block that reads its own data again finds them in L2") {
  const ModelConstants& model = load_device("h200").model;
  const std::string first = "ld.global.cg.u32 %r5, [%rd1];\n", last = "st.global.u32 [%rd2], %r5;\n";
  const std::string step = "cvt.u64.u32 %rd5, %r5; add.s64 %rd6, %rd1, %rd5; ld.global.cg.u32 %r5, [%rd6];\n";
  const double again = cycles_of(first + run_again(step, 20) + last) - cycles_of(first + last);
  CAPTURE(again);
  CHECK(again > 20 * model.l2_latency);
  CHECK(again < 20 * model.l2_latency + 5 * model.dram_latency);
}

TEST_CASE("the longest warp takes as long as what it alone repeats") {
  const ModelConstants& model = load_device("h200").model;
  // The first of 64 warps adds 1000 times; all wait for memory.
  const std::string body = kAddress +
                           "ld.global.u32 %r5, [%rd4]; mov.u32 %r6, 0; shl.b32 %r7, %r2, 5; or.b32 %r7, %r7, %r1; "
                           "setp.gt.u32 %p1, %r7, 31; @%p1 bra over;\n"
                           "again: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 1000; @%p2 bra again;\n"
                           "over: add.u32 %r5, %r5, %r6; st.global.u32 [%rd4], %r5;\n";
  const WorkTotals totals = totals_of(body, 64);
  CAPTURE(totals.block_cycles, totals.longest_cycles);
  CHECK(totals.longest_cycles > 1000 * model.alu_latency);
  CHECK(totals.longest_cycles < 1000 * 4 * model.alu_latency + 4 * model.dram_latency);
  CHECK(totals.block_cycles < totals.longest_cycles / 2);
}

TEST_CASE("a block takes as long as the warp that works longest in it") {
  const ModelConstants& model = load_device("h200").model;
  // The first of eight warps adds 1000 times, in each of 64 blocks.
  const std::string body =
      "mov.u32 %r6, 0; setp.gt.u32 %p1, %r1, 31; @%p1 bra over;\n"
      "again: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 1000; @%p2 bra again;\n"
      "over: st.global.u32 [%rd2], %r6;\n";
  const WorkTotals totals = totals_of(body, 64, 256);
  CAPTURE(totals.block_cycles, totals.longest_cycles);
  CHECK(totals.block_cycles > 1000 * model.alu_latency);
  CHECK(near(totals.block_cycles, totals.longest_cycles, 0.01));
}

TEST_CASE("loads of several iterations are under way together as far as there are registers") {
  // Four loads in each of 64 iterations, of 4 and of 16 bytes.
  const auto loop = [](const std::string& load) {
    return "mov.u32 %r6, 0; mov.u64 %rd5, %rd1;\nagain: " + load +
           "add.s64 %rd5, %rd5, 16; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 64; @%p1 bra again;\n"
           "st.global.u32 [%rd2], %r9;\n";
  };
  std::string narrow, wide;
  for (const std::string at : {"", "+1024", "+2048", "+3072"}) {
    narrow += "ld.global.cg.u32 %r8, [%rd5" + at + "]; xor.b32 %r9, %r9, %r8;\n";
    wide += "ld.global.cg.v4.u32 {%r8, %r11, %r12, %r13}, [%rd5" + at + "]; xor.b32 %r9, %r9, %r8;\n";
  }
  const double together = cycles_of(loop(narrow));
  CHECK(together < 0.7 * cycles_of(loop(wide)));
  // What is compared is not the counter.
  std::string apart = loop(narrow);
  const std::string compared = "setp.lt.u32 %p1, %r6, 64;";
  apart.replace(apart.find(compared), compared.size(), "add.u32 %r10, %r6, %r2; setp.lt.u32 %p1, %r10, 64;");
  CHECK(together < 0.6 * cycles_of(apart));
}

TEST_CASE("whether an operation touched sectors is known from its space and from where its lanes went") {
  struct Row {
    ptx::Space space;
    std::uint64_t requests, shared_requests;
    bool touches;
  };
  using enum ptx::Space;
  for (const Row& row : {Row{global, 2, 0, true}, Row{global, 0, 0, false}, Row{local, 1, 0, true},
                         Row{shared, 2, 0, false},  // A plain access.
                         Row{shared, 2, 1, true},   // cp.async
                         Row{shared, 1, 1, false},  // cp.async that reads nothing.
                         Row{generic, 2, 2, false}, Row{generic, 2, 1, true}, Row{constant, 2, 0, false}}) {
    INFO(name_of(row.space) << ", " << row.requests << " requests, " << row.shared_requests << " of them shared");
    Operation operation;
    operation.space = row.space;
    MemoryCounters counted;
    counted.requests = row.requests;
    counted.shared_requests = row.shared_requests;
    CHECK(touches_sectors(operation, counted) == row.touches);
  }
}

namespace {

/// Eight loads whose addresses are computed, each stored to shared memory, by one warp with @p registers.
double staged_cycles(unsigned registers) {
  std::string body;
  for (int k = 0; k < 8; ++k) {
    const std::string number = std::to_string(k);
    body += "add.u32 %r5, %r1, " + std::to_string(1000 * k) +
            "; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd6, %rd1, %rd5;\n" +
            "ld.global.u32 %r6, [%rd6]; st.shared.u32 [%r7+" + std::to_string(4 * k) + "], %r6;\n";
  }
  Bench bench(kernel("mov.u32 %r7, 0;\n" + body));
  std::vector<std::uint32_t> values(1 << 16, 0);
  const LaunchResult result = bench.launch("k", {1, 1, 1}, {32, 1, 1}, {bench.array(values), bench.array(values)});
  REQUIRE(result.fault.kind == FaultKind::none);
  const KernelWork work{*bench.program, *bench.program->find("k"), {1, 1, 1}, {32, 1, 1}, 1024, registers,
                        result.counters};
  return total(load_device("h200"), work).block_cycles;
}

}  // namespace

TEST_CASE("loads wait for registers: with room for few of them, a warp waits more often") {
  // Each needs one for its value: with 4, of which one holds the thread's index, three at a time.
  const double all = staged_cycles(100), few = staged_cycles(4);
  CAPTURE(all, few);
  CHECK(few > all + 500);
  CHECK(few < 3 * all);
}

TEST_CASE("a small local array is in registers if one loop stores to it, as that of one sine") {
  const std::string declared = ".local .align 4 .b8 words[28];\nmov.u64 %rd5, words; mov.u32 %r9, 1;\n";
  const auto fill = [](const std::string& label) {
    return "mov.u64 %rd6, %rd5; mov.u32 %r5, 0;\n" + label +
           ": st.local.u32 [%rd6], %r5; add.s64 %rd6, %rd6, 4; add.s32 %r5, %r5, 1; setp.ne.s32 %p1, %r5, 6; @%p1 "
           "bra " +
           label + ";\n";
  };
  const WorkTotals once = totals_of(declared + fill("first")),
                   twice = totals_of(declared + fill("first") + fill("second"));
  CHECK(once.local_write_sectors == 0);
  CHECK(once.lsu_wavefronts == 0);
  CHECK(twice.local_write_sectors == 2 * 6 * 4);
  CHECK(once.instructions > twice.instructions);  // Comparisons and moves for each word.
}

TEST_CASE("a wait at an mbarrier takes until its copies have arrived, whatever was begun later") {
  const ModelConstants& model = load_device("h200").model;
  const auto address = [](const std::string& barrier) { return "[tile+" + barrier + "]"; };
  const auto init = [&](const std::string& barrier) {
    return "@%p1 mbarrier.init.shared::cta.b64 " + address(barrier) + ", 32;\n";
  };
  const auto copy = [&](const std::string& to, const std::string& from, const std::string& barrier) {
    return "cp.async.ca.shared.global [%r6+" + to + "], [%rd4+" + from +
           "], 4;\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 " + address(barrier) + ";\n";
  };
  const auto wait = [&](const std::string& barrier) {
    return "w: mbarrier.try_wait.parity.shared::cta.b64 %p2, " + address(barrier) + ", 0; @!%p2 bra w;\n";
  };
  const std::string start = kAddress +
                            "setp.eq.u32 %p1, %r1, 0; shl.b32 %r5, %r1, 2; mov.u32 %r6, tile; add.u32 %r6, %r6, %r5;\n"
                            "mov.f32 %f1, 0f3F800000;\n" +
                            init("1000") + init("1008") + init("1016") + "bar.sync 0;\n";
  const std::string work =
      run_again("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 80) + "st.global.f32 [%rd4+8192], %f1; bar.sync 0;\n";
  const std::string both = start + copy("0", "0", "1000") + work + copy("128", "4096", "1008");
  const std::string own = "mbarrier.arrive.shared::cta.b64 _, [tile+1016];\n";
  const double without = cycles_of(both + own + wait("1016")), first = cycles_of(both + own + wait("1000")),
               second = cycles_of(both + own + wait("1008"));
  CAPTURE(without, first, second);
  // The first copy is under way during the work, which takes about 80 operations' time.
  CHECK(near(second - without, model.dram_latency, 0.1));
  CHECK(near(second - first, 80 * model.alu_latency, 0.15));
}

TEST_CASE("a barrier of a warp is an instruction, and no arrival at a barrier of the block") {
  const auto barriers = [](const WorkTotals& totals) {
    return totals.pipes[static_cast<std::size_t>(ptx::Pipe::barrier)];
  };
  const WorkTotals none = totals_of(""), warp = totals_of(run_again("bar.warp.sync 0xffffffff;\n", 4)),
                   block = totals_of(run_again("bar.sync 0;\n", 4));
  CHECK(barriers(warp) == 0);
  CHECK(barriers(block) > 0);
  CHECK(warp.instructions == none.instructions + 4);
  CHECK(block.instructions == warp.instructions);
}
