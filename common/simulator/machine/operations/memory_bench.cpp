// warpbook_memory_bench: nanoseconds of one warp-level access with all its counting, for each kind and pattern.
//
//   warpbook_memory_bench [TEXT [ROUNDS]]    only cases whose name contains TEXT; WARPBOOK_ISA chooses as always
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/simulator/machine/operations/table.h"
#include "common/simulator/machine/undo_log.h"
#include "common/simulator/machine/worker.h"

namespace {

using namespace warpbook::simulator;

struct Case {
  const char* name;
  ptx::OperationId id;
  ptx::Space space;
  ptx::Type type;
  unsigned vector;
  unsigned bytes;
  std::function<std::int64_t(int)> element;
  std::uint32_t exec = kFullMask;
  bool undo = false;
  std::uint32_t moves = 128;  ///< Bytes by which the addresses advance between accesses.
};

double nanoseconds(const Case& c, int rounds) {
  static GlobalMemory memory(std::uint64_t{1} << 32);
  static const Allocation* allocation = memory.allocate(64 << 20, MemoryKind::device);
  alignas(64) static std::byte registers[64 * 256];
  alignas(64) static std::byte shared[65536];
  const std::uint64_t parameters[2] = {};
  Launch launch;
  launch.parameters = std::as_bytes(std::span(parameters));
  Program program;
  for (unsigned j = 0; j < 8; ++j) program.lists.push_back(1024 + 256 * j);
  Worker worker;
  worker.launch = &launch;
  worker.memory = &memory;
  worker.counters.memory.resize(4);
  UndoLog undo;
  if (c.undo) worker.undo = &undo;
  Warp warp;
  warp.registers = registers;
  warp.exec = warp.active = warp.live = c.exec;
  warp.shared = shared;
  warp.shared_bytes = sizeof shared;
  warp.worker = &worker;
  warp.program = &program;

  ptx::Modifiers modifiers;
  modifiers.space = c.space;
  modifiers.types[0] = c.type;
  modifiers.type_count = 1;
  modifiers.vector = static_cast<std::uint8_t>(c.vector);
  modifiers.atomic = ptx::AtomicOp::add;
  Operation op;
  op.handler = operations::find_handler(c.id, modifiers);
  op.a = 0;
  op.space = c.space;
  op.count = static_cast<std::uint8_t>(c.vector);
  const bool load = c.id == ptx::OperationId::ld, narrow = c.space == ptx::Space::shared;
  const std::uint32_t value = c.vector == 1 ? 1024 : 0;
  (load ? op.d : op.b) = value;
  if (narrow) op.flags.set_narrow_address();
  for (int lane = 0; lane < 32; ++lane) {
    const std::int64_t offset = c.element(lane) * c.bytes;
    if (narrow)
      reinterpret_cast<std::uint32_t*>(registers)[lane] = static_cast<std::uint32_t>(offset);
    else
      reinterpret_cast<std::uint64_t*>(registers)[lane] = allocation->address + static_cast<std::uint64_t>(offset);
  }
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    worker.l1.clear();
    constexpr int kAccesses = 20000;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kAccesses; ++i) {
      op.immediate = narrow ? 0 : (i * c.moves) & 0xfffff;
      if (op.handler(warp, &op) == nullptr) {
        std::printf("%s: fault\n", c.name);
        return 0;
      }
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / kAccesses);
  }
  return best;
}

std::int64_t scattered(int l) { return l * 7919 % 1000 * 40; }
std::int64_t tile16(int l) { return (l & 15) + (l >> 4) * 1024; }
std::int64_t repeated16(int l) { return l & 15; }

}  // namespace

int main(int given, char** arguments) {
  const std::string wanted = given > 1 ? arguments[1] : "";
  const int rounds = given > 2 ? std::atoi(arguments[2]) : 5;
  using enum ptx::OperationId;
  using ptx::Space;
  using ptx::Type;
  const auto stride = [](std::int64_t s) { return [s](int l) { return s * l; }; };
  const Case cases[] = {
      {"ld.global.f32 contiguous", ld, Space::global, Type::f32, 1, 4, stride(1)},
      {"ld.global.f32 uniform", ld, Space::global, Type::f32, 1, 4, stride(0)},
      {"ld.global.f32 off by one", ld, Space::global, Type::f32, 1, 4, [](int l) { return std::int64_t{l} + 1; }},
      {"ld.global.f32 stride 2", ld, Space::global, Type::f32, 1, 4, stride(2)},
      {"ld.global.f32 stride 32", ld, Space::global, Type::f32, 1, 4, stride(32), kFullMask, false, 4},
      {"ld.global.f32 stride 1024", ld, Space::global, Type::f32, 1, 4, stride(1024), kFullMask, false, 4},
      {"ld.global.f32 16 x 2 rows", ld, Space::global, Type::f32, 1, 4, tile16},
      {"ld.global.f32 16 twice", ld, Space::global, Type::f32, 1, 4, repeated16},
      {"ld.global.f32 scattered", ld, Space::global, Type::f32, 1, 4, scattered},
      {"ld.global.f32 half mask", ld, Space::global, Type::f32, 1, 4, stride(1), 0xffff},
      {"ld.global.v4.f32 contiguous", ld, Space::global, Type::f32, 4, 16, stride(1), kFullMask, false, 512},
      {"ld.global.f64 contiguous", ld, Space::global, Type::f64, 1, 8, stride(1), kFullMask, false, 256},
      {"ld.global.u8 contiguous", ld, Space::global, Type::u8, 1, 1, stride(1), kFullMask, false, 32},
      {"ld.f32 generic contiguous", ld, Space::generic, Type::f32, 1, 4, stride(1)},
      {"st.global.f32 contiguous", st, Space::global, Type::f32, 1, 4, stride(1)},
      {"st.global.f32 contiguous, undo", st, Space::global, Type::f32, 1, 4, stride(1), kFullMask, true},
      {"st.global.f32 stride 1024", st, Space::global, Type::f32, 1, 4, stride(1024), kFullMask, false, 4},
      {"st.global.f32 stride 1024, undo", st, Space::global, Type::f32, 1, 4, stride(1024), kFullMask, true, 4},
      {"st.global.v4.f32 contiguous", st, Space::global, Type::f32, 4, 16, stride(1), kFullMask, false, 512},
      {"ld.shared.f32 contiguous", ld, Space::shared, Type::f32, 1, 4, stride(1)},
      {"ld.shared.f32 uniform", ld, Space::shared, Type::f32, 1, 4, stride(0)},
      {"ld.shared.f32 stride 32", ld, Space::shared, Type::f32, 1, 4, stride(32)},
      {"ld.shared.f32 stride 33", ld, Space::shared, Type::f32, 1, 4, stride(33)},
      {"ld.shared.f32 16 x 2 rows", ld, Space::shared, Type::f32, 1, 4, tile16},
      {"ld.shared.f32 16 twice", ld, Space::shared, Type::f32, 1, 4, repeated16},
      {"ld.shared.f32 scattered", ld, Space::shared, Type::f32, 1, 4,
       [](int l) { return std::int64_t{l * 7919 % 1000}; }},
      {"ld.shared.f32 half mask", ld, Space::shared, Type::f32, 1, 4, stride(1), 0xffff},
      {"ld.shared.v4.f32 contiguous", ld, Space::shared, Type::f32, 4, 16, stride(1)},
      {"ld.shared.v4.f32 uniform", ld, Space::shared, Type::f32, 4, 16, stride(0)},
      {"st.shared.f32 contiguous", st, Space::shared, Type::f32, 1, 4, stride(1)},
      {"st.shared.f32 stride 32", st, Space::shared, Type::f32, 1, 4, stride(32)},
      {"red.global.add.u32 uniform", red, Space::global, Type::u32, 1, 4, stride(0), kFullMask, false, 0},
      {"red.global.add.u32 contiguous", red, Space::global, Type::u32, 1, 4, stride(1)},
      {"red.global.add.u32 scattered", red, Space::global, Type::u32, 1, 4, scattered},
      {"red.shared.add.u32 scattered", red, Space::shared, Type::u32, 1, 4,
       [](int l) { return std::int64_t{l * 7919 % 1000}; }},
  };
  std::printf("%s\n", instruction_set().data());
  for (const Case& c : cases)
    if (std::string(c.name).find(wanted) != std::string::npos)
      std::printf("%-34s %7.1f ns\n", c.name, nanoseconds(c, rounds));
}
