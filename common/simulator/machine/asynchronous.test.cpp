// Asynchronous work: mbarriers count arrivals and bytes, bulk copies complete when they are waited for, clusters share
// their memory, and threads that wait forever are reported with the reason.
#include <cstring>
#include <numeric>

#include "common/simulator/machine/tensor_map.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// Lane 0 initialises the mbarrier at tile+1008 for %r2 arrivals, then all threads synchronise. %r3 is its address.
std::string with_mbarrier(const std::string& count) {
  return ".reg .b32 %c; mov.u32 %r3, tile; add.u32 %r3, %r3, 1008; setp.eq.u32 %p7, %r1, 0;\n"
         "mov.u32 %c, " +
         count + ";\n@%p7 mbarrier.init.shared::cta.b64 [%r3], %c;\nbar.sync 0;\n";
}

/// out[thread] = register
std::string store(const std::string& value) {
  return "mul.wide.s32 %rd30, %r1, 4; add.s64 %rd30, %rd1, %rd30; st.global.u32 [%rd30], " + value + ";\n";
}

std::vector<int> run_out(Bench& bench, std::uint64_t out, const std::vector<std::uint64_t>& parameters, Dim3 grid,
                         Dim3 block, std::size_t count) {
  const LaunchResult result = bench.launch("k", grid, block, parameters);
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  return bench.read<int>(out, count);
}

std::string fault_of(const std::string& body, Dim3 block = {32}) {
  Bench bench(kernel(body));
  const std::uint64_t out = bench.array(std::vector<int>(1024, -1));
  return bench.launch("k", {1}, block, {out, out}).fault.message;
}

}  // namespace

TEST_CASE("the last arrival completes a phase, and each state identifies its phase") {
  Bench bench(kernel(with_mbarrier("2") +
                     "@!%p7 bra done;\n"
                     "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "mbarrier.pending_count.b64 %r4, %rd3;\n"
                     "mbarrier.test_wait.shared::cta.b64 %p1, [%r3], %rd3;\n"
                     "selp.u32 %r5, 10, 20, %p1;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r3], 1;\n"  // the phase before the first
                     "selp.u32 %r6, 100, 200, %p1;\n"
                     "mbarrier.arrive.shared::cta.b64 _, [%r3];\n"
                     "mbarrier.test_wait.shared::cta.b64 %p1, [%r3], %rd3;\n"
                     "selp.u32 %r7, 1000, 2000, %p1;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r3], 1;\n"
                     "selp.u32 %r8, 10000, 20000, %p1;\n"
                     "add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, %r6; add.u32 %r4, %r4, %r7; add.u32 %r4, %r4, %r8;\n" +
                     store("%r4") + "done:"));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  CHECK(run_out(bench, out, {out, 0}, {1}, {32}, 1)[0] == 2 + 20 + 100 + 1000 + 20000);
}

TEST_CASE("warps wait for each other at an mbarrier, phase after phase") {
  // Each round every thread stores to tile and reads what a thread of the other warp stored.
  Bench bench(kernel(with_mbarrier("64") +
                     "mov.u32 %r4, 0; mov.u32 %r10, 0; shl.b32 %r5, %r1, 2; mov.u32 %r6, tile; add.u32 %r7, %r6, %r5;\n"
                     "xor.b32 %r8, %r5, 252; add.u32 %r8, %r6, %r8;\n"
                     "again: mad.lo.u32 %r9, %r4, 100, %r1; st.shared.u32 [%r7], %r9;\n"
                     "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "w1: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @!%p1 bra w1;\n"
                     "ld.shared.u32 %r9, [%r8]; add.u32 %r10, %r10, %r9;\n"
                     "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "w2: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3, 1000; @!%p1 bra w2;\n"
                     "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 5; @%p1 bra again;\n" +
                     store("%r10")));
  for (const std::uint64_t seed : {0, 1, 2, 3, 6}) {
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(64, -1));
    const auto values = run_out(bench, out, {out, 0}, {1}, {64}, 64);
    for (int i = 0; i < 64; ++i) CHECK(values[i] == 5 * (63 - i) + 1000);
  }
}

TEST_CASE("threads that drop out are not expected again") {
  Bench bench(kernel(with_mbarrier("32") +
                     "setp.ge.u32 %p2, %r1, 16; @!%p2 bra stay;\n"
                     "mbarrier.arrive_drop.shared::cta.b64 _, [%r3]; exit;\n"
                     "stay: mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "w1: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @!%p1 bra w1;\n"
                     "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "w2: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @!%p1 bra w2;\n" +
                     store("7")));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  const auto values = run_out(bench, out, {out, 0}, {1}, {32}, 32);
  for (int i = 0; i < 32; ++i) CHECK(values[i] == (i < 16 ? 7 : -1));
}

TEST_CASE("lanes wait at an mbarrier for those that stopped at the reconvergence point") {
  // Lanes below 16 exit the loop after their wait, so the branch of the others begins at the reconvergence point.
  Bench bench(kernel(with_mbarrier("32") +
                     "setp.ge.u32 %p2, %r1, 16; @%p2 bra others;\n"
                     "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                     "w1: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @%p1 bra done; bra.uni w1;\n"
                     "others: mbarrier.arrive.shared::cta.b64 _, [%r3];\n" +
                     store("7") + "done:"));
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(32, -1));
    const auto values = run_out(bench, out, {out, 0}, {1}, {32}, 32);
    for (int i = 0; i < 32; ++i) CHECK(values[i] == (i < 16 ? -1 : 7));
  }
}

TEST_CASE("a thread that polls two mbarriers is not held at one of them") {
  // Lane 0 tests the first phase, which no other thread completes, gets false, and completes it itself.
  Bench bench(
      kernel(with_mbarrier("1") +
             "@!%p7 bra done; mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; selp.u32 %r4, 1, 0, %p1;\n"
             "mbarrier.arrive.shared::cta.b64 _, [%r3];\n"
             "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; selp.u32 %r5, 2, 0, %p1;\n"
             "add.u32 %r4, %r4, %r5;\n" +
             store("%r4") + "done:"));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  CHECK(run_out(bench, out, {out, 0}, {1}, {32}, 1)[0] == 2);
}

namespace {

/// Lane 0 copies 256 bytes from %rd2 to tile and announces them; all threads wait, and store what they read before (to
/// out) and after (to out + 256) the wait.
std::string bulk_load(const std::string& announced) {
  return with_mbarrier("1") +
         "mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5;\n"
         "@!%p7 bra skip;\n"
         "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r3], " +
         announced +
         ";\n"
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd2], 256, [%r3];\n"
         "skip: bar.sync 0;\n ld.shared.u32 %r8, [%r7];\n" +
         store("%r8") +
         "bar.sync 0;\n"
         "w1: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra w1;\n"
         "ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd30+256], %r8;\n";
}

}  // namespace

TEST_CASE("the bytes of a bulk copy arrive by the wait, not before it") {
  Bench bench(kernel(bulk_load("256")));
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 1);
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(128, -7));
  const auto found = run_out(bench, out, {out, in}, {1}, {64}, 128);
  for (int i = 0; i < 64; ++i) {
    CHECK(found[i] == -1);  // What nobody has written.
    CHECK(found[64 + i] == i + 1);
  }
  // Another schedule may have copied at once.
  bool early = false;
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    bench.settings.schedule_seed = seed;
    const auto other = run_out(bench, out, {out, in}, {1}, {64}, 128);
    early |= other[0] == 1;
    CHECK(other[127] == 64);
  }
  CHECK(early);
}

TEST_CASE("a wait for bytes that never arrive reports how many are missing") {
  const std::string message = fault_of(bulk_load("512"), {64});
  CAPTURE(message);
  CHECK(message.find("64 threads wait for an mbarrier in PTX line") != std::string::npos);
  CHECK(message.find("lacks 256 bytes") != std::string::npos);
  const std::string too_few = fault_of(bulk_load("128"), {64});
  CAPTURE(too_few);
  CHECK(too_few.find("lacks the announcement (expect_tx) of 128 bytes that came") != std::string::npos);
}

TEST_CASE("a wait for arrivals that never come reports how many are missing") {
  const std::string message = fault_of(with_mbarrier("40") +
                                       "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
                                       "w1: mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @!%p1 bra w1;\n");
  CAPTURE(message);
  CHECK(message.find("32 threads wait for an mbarrier") != std::string::npos);
  CHECK(message.find("(parity 0) lacks 8 arrivals of 40") != std::string::npos);
  // A loop that reads the clock is recognised, too.
  const std::string clocked =
      fault_of(with_mbarrier("40") +
               "mbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"
               "w1: mov.u64 %rd4, %clock64; mbarrier.try_wait.shared::cta.b64 %p1, [%r3], %rd3; @!%p1 bra w1;\n");
  CAPTURE(clocked);
  CHECK(clocked.find("lacks 8 arrivals of 40") != std::string::npos);
}

TEST_CASE("misuse of an mbarrier is a fault of the misusing instruction") {
  CHECK(
      fault_of("mov.u32 %r3, tile; mbarrier.arrive.shared::cta.b64 _, [%r3];").find("before it has been initialised") !=
      std::string::npos);
  CHECK(fault_of(with_mbarrier("3") + "mbarrier.arrive.shared::cta.b64 _, [%r3], 4;").find("waits for 3 more") !=
        std::string::npos);
  CHECK(fault_of("mov.u32 %r3, tile; mbarrier.init.shared::cta.b64 [%r3+4], 3;").find("multiple") != std::string::npos);
  CHECK(fault_of("mov.u32 %r3, tile; mbarrier.init.shared::cta.b64 [%r3], 0;").find("1 to 1048575") !=
        std::string::npos);
}

TEST_CASE("an mbarrier waits for a thread's asynchronous copies") {
  Bench bench(kernel(with_mbarrier("32") +
                     "mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; cvt.u64.u32 %rd4, %r5;\n"
                     "add.u64 %rd4, %rd2, %rd4; xor.b32 %r8, %r5, 124; add.u32 %r8, %r8, %r6;\n"
                     "cp.async.ca.shared.global [%r7], [%rd4], 4;\n"
                     "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r3];\n"
                     "w1: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra w1;\n"
                     "ld.shared.u32 %r9, [%r8];\n" +
                     store("%r9")));
  std::vector<int> values(32);
  std::iota(values.begin(), values.end(), 1);
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(32, -1));
  const auto found = run_out(bench, out, {out, in}, {1}, {32}, 32);
  for (int i = 0; i < 32; ++i) CHECK(found[i] == 32 - i);
}

TEST_CASE("a wait for copies counts the batches that have begun, from its own on") {
  // Three batches of two warps; waits for the first and the second; then two more batches, the first of which uses the
  // first mbarrier again; waits for the first mbarrier's second phase, and for one that counts no copies.
  const auto batch = [](int barrier) {
    return "cp.async.ca.shared.global [%r7], [%rd4], 4;\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 [tile+" +
           std::to_string(barrier) + "];\n";
  };
  int waits = 0;
  const auto wait = [&](int barrier, int phase) {
    const std::string label = "w" + std::to_string(waits++);
    return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p1, [tile+" + std::to_string(barrier) + "], " +
           std::to_string(phase) + "; @!%p1 bra " + label + ";\n";
  };
  std::string body =
      "setp.eq.u32 %p7, %r1, 0; mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; cvt.u64.u32 %rd4, %r5;\n"
      "add.u64 %rd4, %rd2, %rd4;\n";
  for (const int barrier : {992, 1000, 1008, 1016})
    body += "@%p7 mbarrier.init.shared::cta.b64 [tile+" + std::to_string(barrier) + "], 64;\n";
  body += "bar.sync 0;\n" + batch(992) + batch(1000) + batch(1008) + wait(992, 0) + wait(1000, 0) + "bar.sync 0;\n" +
          batch(992) + batch(1000) + wait(992, 1) + "mbarrier.arrive.shared::cta.b64 _, [tile+1016];\n" + wait(1016, 0);
  Bench bench(kernel(body));
  const std::uint64_t in = bench.array(std::vector<int>(64, 1)), out = bench.array(std::vector<int>(64, -1));
  const LaunchResult result = bench.launch("k", {2}, {64}, {out, in});
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  std::vector<std::int64_t> begun;
  for (std::size_t i = 0; i < bench.program->memory_operations.size(); ++i)
    if (bench.program->details[bench.program->memory_operations[i]].id == ptx::OperationId::mbarrier_try_wait_parity)
      begun.push_back(result.counters.memory[i].reach);
  CHECK(begun == std::vector<std::int64_t>{3, 2, 2, 0});
}

TEST_CASE("bulk copies to global memory read their source when their group is waited for") {
  // The tile is copied to out, but changed before the wait: the changed value arrives. A change after the wait does
  // not.
  Bench bench(
      kernel("mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; st.shared.u32 [%r7], %r1;\n"
             "bar.sync 0; setp.eq.u32 %p1, %r1, 0; @!%p1 bra skip;\n"
             "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r6], 128;\n"
             "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r6], 128;\n"
             "cp.async.bulk.commit_group;\n st.shared.u32 [tile], 77; cp.async.bulk.wait_group.read 0;\n"
             "st.shared.u32 [tile], 99;\n skip:"));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1)), sum = bench.array(std::vector<int>(32, 1000));
  const auto found = run_out(bench, out, {out, sum}, {1}, {32}, 32);
  CHECK(found[0] == 77);
  CHECK(found[31] == 31);
  CHECK(bench.read<int>(sum, 32)[5] == 1005);
}

TEST_CASE("bulk copies with a wrong size, alignment or memory are refused") {
  const auto copy = [](const std::string& operands) {
    return fault_of(with_mbarrier("1") +
                    "mov.u32 %r6, tile; mov.u32 %r8, 24; @!%p7 bra skip;\n"
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " +
                    operands + ", [%r3];\nskip:");
  };
  CHECK(copy("[%r6], [%rd2], %r8").find("multiple of 16") != std::string::npos);
  CHECK(copy("[%r6+8], [%rd2], 16").find("multiple") != std::string::npos);
  CHECK(copy("[%r6], [%rd2+4], 16").find("multiple") != std::string::npos);
  CHECK(copy("[%r6], [%rd2], 2048").find("shared memory of the block") != std::string::npos);
  CHECK(copy("[%r6], [%rd2+4080], 32").find("past") != std::string::npos);
}

namespace {

/// A kernel (map in global memory at %rd2, out at %rd1) that copies a box at @p coordinates of a tensor of floats with
/// 8 columns to tile; then all threads store the tile's words to out.
std::string box_load(const std::string& form, const std::string& coordinates, int bytes) {
  return with_mbarrier("1") +
         "mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; @!%p7 bra skip;\n"
         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], " +
         std::to_string(bytes) +
         ";\n"
         "cp.async.bulk.tensor.2d.shared::cluster.global." +
         form + ".mbarrier::complete_tx::bytes [%r6], [%rd2, {" + coordinates +
         "}], [%r3];\n"
         "skip: w1: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra w1;\n"
         "ld.shared.u32 %r8, [%r7];\n" +
         store("%r8");
}

TensorMap map_of(std::uint64_t address, std::uint64_t columns, std::uint64_t rows, std::uint32_t box_columns,
                 std::uint32_t box_rows, unsigned swizzle) {
  const std::uint64_t sizes[] = {columns, rows}, strides[] = {columns * 4};
  const std::uint32_t box[] = {box_columns, box_rows}, steps[] = {1, 1};
  TensorMapRequest request;
  request.type = 3;  // INT32
  request.rank = 2;
  request.address = address;
  request.sizes = sizes;
  request.strides = strides;
  request.box = box;
  request.element_strides = steps;
  request.swizzle = swizzle;
  TensorMap map;
  REQUIRE(encode(request, map) == "");
  return map;
}

std::uint64_t place(Bench& bench, const TensorMap& map) {
  std::vector<std::byte> bytes(TensorMap::kBytes);
  std::memcpy(bytes.data(), &map, sizeof map);
  return bench.array(bytes);
}

}  // namespace

TEST_CASE("a box of a tensor is copied row by row, with zeros outside of the tensor") {
  std::vector<int> values(8 * 6);
  std::iota(values.begin(), values.end(), 100);
  Bench bench(kernel(box_load("tile", "-4, 4", 8 * 4 * 4)));
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(64, -1));
  const std::uint64_t map = place(bench, map_of(in, 8, 6, 8, 4, 0));
  const auto found = run_out(bench, out, {out, map}, {1}, {32}, 32);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column) {
      const int x = column - 4, y = row + 4;
      CAPTURE(row, column);
      CHECK(found[row * 8 + column] == (x >= 0 && y < 6 ? 100 + y * 8 + x : 0));
    }
}

TEST_CASE("a swizzled box permutes the 16-byte pieces of each line") {
  // Rows of 32 bytes with a 32-byte swizzle: in odd lines of 128 bytes the halves of each row are swapped.
  std::vector<int> values(8 * 32);
  std::iota(values.begin(), values.end(), 0);
  Bench bench(kernel(box_load("tile", "0, 0", 8 * 32 * 4 / 2)));
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(128, -1));
  const std::uint64_t map = place(bench, map_of(in, 8, 32, 8, 16, 1));
  const auto found = run_out(bench, out, {out, map}, {1}, {128}, 128);
  for (int i = 0; i < 128; ++i) {
    const int line = i / 32;
    CHECK(found[i] == (line % 2 != 0 ? i ^ 4 : i));
  }
}

TEST_CASE("a box is stored to the tensor as far as it is inside") {
  std::vector<int> values(8 * 4, -5);
  Bench bench(
      kernel("mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; st.shared.u32 [%r7], %r1;\n"
             "bar.sync 0; setp.eq.u32 %p1, %r1, 0; @!%p1 bra skip;\n"
             "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {4, 2}], [%r6];\n"
             "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd2, {0, 0}], [%r6];\n"
             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; skip:"));
  const std::uint64_t out = bench.array(values);
  const std::uint64_t map = place(bench, map_of(out, 8, 4, 8, 4, 0));
  const auto found = run_out(bench, out, {out, map}, {1}, {32}, 32);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column) {
      const int stored = row >= 2 && column >= 4 ? (row - 2) * 8 + column - 4 : -5;
      CHECK(found[row * 8 + column] == stored + row * 8 + column);
    }
}

TEST_CASE("four rows of a matrix are gathered in any order, with zeros outside of it") {
  std::vector<int> values(8 * 6);
  std::iota(values.begin(), values.end(), 100);
  Bench bench(kernel(box_load("tile::gather4", "4, 5, 0, 9, -1", 4 * 8 * 4)));
  const std::uint64_t in = bench.array(values), out = bench.array(std::vector<int>(64, -1));
  const std::uint64_t map = place(bench, map_of(in, 8, 6, 8, 1, 0));
  const auto found = run_out(bench, out, {out, map}, {1}, {32}, 32);
  const int rows[] = {5, 0, 9, -1};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column) {
      const int x = column + 4, y = rows[row];
      CAPTURE(row, column);
      CHECK(found[row * 8 + column] == (x < 8 && y >= 0 && y < 6 ? 100 + y * 8 + x : 0));
    }
}

TEST_CASE("four rows are scattered to a matrix, as far as they are inside") {
  Bench bench(
      kernel("mov.u32 %r6, tile; shl.b32 %r5, %r1, 2; add.u32 %r7, %r6, %r5; st.shared.u32 [%r7], %r1;\n"
             "bar.sync 0; setp.eq.u32 %p1, %r1, 0; @!%p1 bra skip;\n"
             "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd2, {4, 3, 0, 7, 1}], [%r6];\n"
             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; skip:"));
  const std::uint64_t out = bench.array(std::vector<int>(8 * 4, -5));
  const std::uint64_t map = place(bench, map_of(out, 8, 4, 8, 1, 0));
  const auto found = run_out(bench, out, {out, map}, {1}, {32}, 32);
  const int from[] = {1, 3, -1, 0};  // The tile's row for each of the matrix.
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column) {
      CAPTURE(row, column);
      CHECK(found[row * 8 + column] == (from[row] >= 0 && column >= 4 ? from[row] * 8 + column - 4 : -5));
    }
}

TEST_CASE("encoding a tensor map reports what cannot be described") {
  const std::uint64_t sizes[] = {64, 64}, strides[] = {256};
  std::uint32_t box[] = {64, 8};
  const std::uint32_t steps[] = {1, 1};
  TensorMapRequest request;
  request.type = 7;
  request.rank = 2;
  request.address = 1 << 20;
  request.sizes = sizes;
  request.strides = strides;
  request.box = box;
  request.element_strides = steps;
  TensorMap map;
  CHECK(encode(request, map) == "");
  request.swizzle = 3;
  CHECK(encode(request, map).find("swizzle's span") != std::string::npos);
  box[0] = 32;
  CHECK(encode(request, map) == "");
  request.interleave = 1;
  CHECK(encode(request, map).find("3 to 5") != std::string::npos);
  request.interleave = 0;
  request.address += 8;
  CHECK(encode(request, map).find("globalAddress") != std::string::npos);
}

TEST_CASE("memory that is not a tensor map is refused") {
  Bench bench(kernel(box_load("tile", "0, 0", 64)));
  const std::uint64_t in = bench.array(std::vector<int>(64)), out = bench.array(std::vector<int>(64));
  CHECK(bench.launch("k", {1}, {32}, {out, in}).fault.message.find("cuTensorMapEncodeTiled") != std::string::npos);
}

TEST_CASE("unsupported forms of copies are named when a lane reaches them") {
  const std::string message =
      fault_of(with_mbarrier("1") +
               "bra there; there:\n"
               "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [%r3], "
               "[%rd1, {0, 0, 0}], [%r3], {%rs1, %rs2};");
  CAPTURE(message);
  CHECK(message.find("im2col::w.mbarrier::complete_tx::bytes` is not supported") != std::string::npos);
}

namespace {

/// Each block of a cluster stores 1000 * rank + thread in its tile; after a barrier each reads the tile of the next
/// rank.
const char* kNeighbours =
    "mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %cluster_nctarank; mad.lo.u32 %r5, %r3, 1000, %r1;\n"
    "shl.b32 %r6, %r1, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6; st.shared.u32 [%r7], %r5;\n"
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    "add.u32 %r8, %r3, 1; rem.u32 %r8, %r8, %r4; mapa.shared::cluster.u32 %r9, %r7, %r8;\n"
    "ld.shared::cluster.u32 %r10, [%r9];\n"
    "cvt.u64.u32 %rd3, %r7; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r8; ld.u32 %r11, [%rd4];\n"
    "getctarank.shared::cluster.u32 %r12, %r9; sub.u32 %r11, %r11, %r10; add.u32 %r10, %r10, %r11;\n"
    "mul.lo.u32 %r12, %r12, 100000; add.u32 %r10, %r10, %r12;\n"
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    "mad.lo.u32 %r13, %r2, 32, %r1; mul.wide.u32 %rd5, %r13, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r10;";

}  // namespace

TEST_CASE("blocks of a cluster read each other's shared memory") {
  Bench bench(kernel(kNeighbours));
  bench.settings.cluster = {4};
  for (const std::uint64_t seed : {0, 1, 2, 5}) {
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(12 * 32, -1));
    const auto found = run_out(bench, out, {out, 0}, {12}, {32}, 12 * 32);
    for (int block = 0; block < 12; ++block) {
      const int next = (block % 4 + 1) % 4;
      CHECK(found[block * 32 + 5] == 100000 * next + 1000 * next + 5);
    }
  }
  // Without clusters each block is a cluster of its own.
  bench.settings.cluster = {1};
  bench.settings.schedule_seed = 0;
  const std::uint64_t out = bench.array(std::vector<int>(2 * 32, -1));
  CHECK(run_out(bench, out, {out, 0}, {2}, {32}, 64)[40] == 8);
}

TEST_CASE("blocks of a cluster store and add to each other's shared memory") {
  Bench bench(kernel(
      "mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, tile; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], 0;\n"
      "barrier.cluster.arrive; barrier.cluster.wait;\n"
      "mov.u32 %r5, 0; mapa.shared::cluster.u32 %r6, %r4, %r5; atom.shared::cluster.add.u32 %r7, [%r6], 1;\n"
      "red.shared::cluster.add.u32 [%r6], 1;\n"
      "add.u32 %r8, %r6, 64; @%p1 st.shared::cluster.u32 [%r8], 5;\n"
      "barrier.cluster.arrive; barrier.cluster.wait;\n"
      "ld.shared.u32 %r9, [tile]; ld.shared.u32 %r10, [tile+64]; mad.lo.u32 %r9, %r10, 1000, %r9;\n"
      "setp.eq.u32 %p2, %r3, 0; and.pred %p1, %p1, %p2; @!%p1 bra done;\n" +
      store("%r9") + "done:"));
  bench.settings.cluster = {2};
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  CHECK(run_out(bench, out, {out, 0}, {2}, {64}, 1)[0] == 5000 + 2 * 128);
}

TEST_CASE("shared memory of a block of the cluster that has ended cannot be accessed") {
  Bench bench(
      kernel("mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0; @%p1 exit;\n"
             "mov.u32 %r4, tile; mov.u32 %r5, 0; mapa.shared::cluster.u32 %r6, %r4, %r5;\n"
             "ld.shared::cluster.u32 %r7, [%r6];\n" +
             store("%r7")));
  bench.settings.cluster = {2};
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  const std::string message = bench.launch("k", {2}, {32}, {out, 0}).fault.message;
  CHECK(message.find("the block of rank 0 of the cluster has ended") != std::string::npos);
}

TEST_CASE("an mbarrier counts what another block of the cluster sends") {
  // Rank 1 sends a word and a bulk copy to rank 0, and arrives there.
  Bench bench(kernel(
      with_mbarrier("2") +
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;\n"
      "mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, tile; mov.u32 %r6, 0; setp.eq.u32 %p1, %r4, 0; @%p1 bra receive;\n"
      "st.shared.u32 [tile+64], 11; st.shared.u32 [tile+68], 22; bar.sync 0; @!%p7 bra done;\n"
      "mapa.shared::cluster.u32 %r7, %r5, %r6; mapa.shared::cluster.u32 %r8, %r3, %r6;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], 33, [%r8];\n"
      "add.u32 %r9, %r5, 64; add.u32 %r10, %r7, 64;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r10], [%r9], 16, [%r8];\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8]; bra done;\n"
      "receive: @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 20;\n"
      "w1: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r3], 0; @!%p2 bra w1;\n"
      "ld.shared.u32 %r11, [tile]; ld.shared.u32 %r12, [tile+64]; ld.shared.u32 %r13, [tile+68];\n"
      "mad.lo.u32 %r11, %r12, 100, %r11; mad.lo.u32 %r11, %r13, 10000, %r11;\n" +
      store("%r11") + "done: barrier.cluster.arrive; barrier.cluster.wait;"));
  bench.settings.cluster = {2};
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(32, -1));
    CHECK(run_out(bench, out, {out, 0}, {2}, {32}, 1)[0] == 33 + 1100 + 220000);
  }
}

TEST_CASE("sending to another block is illegal in a launch without clusters") {
  for (const char* sent :
       {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], 33, [%r8];",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r7], 33, [%r8];",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7], [tile+64], 16, [%r8];"}) {
    INFO(sent);
    Bench bench(kernel(with_mbarrier("1") +
                       "mov.u32 %r5, tile; mov.u32 %r6, 0; mapa.shared::cluster.u32 %r7, %r5, %r6;\n"
                       "mapa.shared::cluster.u32 %r8, %r3, %r6; @!%p7 bra done;\n" +
                       sent + "\ndone:"));
    for (const bool in_clusters : {false, true}) {
      bench.settings.explicit_cluster = in_clusters;
      const std::uint64_t out = bench.array(std::vector<int>(32, -1));
      const Fault fault = bench.launch("k", {1}, {32}, {out, 0}).fault;
      CHECK(fault.kind == (in_clusters ? FaultKind::none : FaultKind::illegal));
      CHECK((fault.message.find("was not launched in clusters") != std::string::npos) == !in_clusters);
    }
  }
}

TEST_CASE("a cluster barrier at which not all blocks arrive is reported") {
  Bench bench(
      kernel("mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0; @%p1 bra other;\n"
             "barrier.cluster.arrive; barrier.cluster.wait; ret;\n"
             "other: mov.u32 %r4, tile; st.shared.u32 [tile], 0;\n"
             "w: ld.volatile.shared.u32 %r5, [tile]; setp.eq.u32 %p2, %r5, 0; @%p2 bra w;"));
  bench.settings.cluster = {2};
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  const std::string message = bench.launch("k", {2}, {32}, {out, 0}).fault.message;
  CAPTURE(message);
  CHECK(message.find("32 threads wait at the cluster's barrier") != std::string::npos);
}

TEST_CASE("cache hints and griddepcontrol change no results") {
  Bench bench(
      kernel("createpolicy.fractional.L2::evict_first.b64 %rd3, 0f3F800000;\n"
             "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd5, [%rd1], 64, 128;\n"
             "griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 160; prefetch.global.L2 [%rd1];\n"
             "applypriority.global.L2::evict_normal [%rd1], 128; cp.async.bulk.prefetch.L2.global [%rd1], 64;\n"
             "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
             "griddepcontrol.launch_dependents; ld.global.L2::cache_hint.u32 %r4, [%rd1], %rd3;\n"
             "add.u32 %r4, %r4, 1;\n" +
             store("%r4")));
  const std::uint64_t out = bench.array(std::vector<int>(32, 4));
  CHECK(run_out(bench, out, {out, 0}, {1}, {1}, 1)[0] == 5);
}
