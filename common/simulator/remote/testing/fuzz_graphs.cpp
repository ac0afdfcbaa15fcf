// Arbitrary bytes as graph calls, as they come from a program to a device in another process: each is executed, or
// refused with an error. They name existing graphs, nodes and kernels, or any number.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/command_line/command_line.h"
#include "common/simulator/fuzzing/fuzz_input.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/remote/graph_wire.h"
#include "common/simulator/remote/testing/ptx_program.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator;
using namespace warpbook::simulator::remote;

constexpr const char* kSteps = "20000";  ///< Instructions of a launch.
constexpr std::size_t kMostCalls = 200;
constexpr std::uint64_t kArrayBytes = 4096;
constexpr char kProgram[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<3>;\nld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
    "add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;\nret;\n}\n";
constexpr unsigned kGraphCalls = 0
#define WB_GRAPH_CALL(name, answer) +1
#include "common/simulator/runtime/graph_calls.def"
#undef WB_GRAPH_CALL
    ;

class Conversation {
 public:
  Conversation(FuzzInput input, std::uint64_t array) : input_(input), array_(array) {}

  void run() {
    for (std::size_t i = 0; i < kMostCalls && !input_.empty(); ++i) ask(next());
    session_.host_function.reset();
  }

 private:
  /// A handle from an earlier answer, or any number.
  std::uint64_t handle() {
    const auto which = input_.take();
    if (which < 16) return which;
    if (which < 24) return input_.take<std::uint64_t>();
    return handles_.empty() ? 0 : handles_[which % handles_.size()];
  }

  std::uint64_t address() {
    const auto which = input_.take();
    if (which == 0) return input_.take<std::uint64_t>();
    return array_ + which % 16 * 4u;
  }

  std::uint64_t bytes() {
    const auto which = input_.take();
    if (which == 0) return input_.take<std::uint64_t>() | std::uint64_t{1} << 45;  // More than any device has.
    return which < 128 ? which : std::uint64_t{which} << 8;
  }

  void take_values(runtime::NodeValues& values) {
    values.type = input_.take<std::int8_t>() % 16;
    values.function = input_.take() < 240 ? kFirstHostFunction : handle();
    for (unsigned i = 0; i < 3; ++i) {
      const auto extent = input_.take();
      values.grid[i] = extent < 250 ? extent % 4u : input_.take<std::uint32_t>();
      values.block[i] = extent < 250 ? 1u + extent / 64u : input_.take<std::uint32_t>();
    }
    values.shared_bytes = bytes();
    values.cooperative = input_.take() % 2;
    values.to = address();
    values.from = address();
    values.to_pitch = bytes();
    values.from_pitch = bytes();
    values.to_rows = input_.take();
    values.from_rows = input_.take();
    values.width = bytes();
    values.height = input_.take() % 8u;
    values.depth = input_.take() % 4u;
    values.kind = input_.take<std::int8_t>() % 6;
    values.symbol_side = input_.take() < 250 ? 0 : 1 + input_.take() % 2;
    values.value = input_.take<std::uint32_t>();
    values.element_bytes = input_.take();
    values.host_function = input_.take();
    values.event = handle();
    values.graph = handle();
    values.moves_graph = input_.take() % 2;
    values.device = input_.take() < 250 ? 0 : input_.take<std::int32_t>();
    values.address = input_.take() < 128 ? handle() : address();
    values.bytes = bytes();
    values.condition = handle();
    values.condition_type = input_.take<std::int8_t>() % 4;
    // A loop whose condition is never cleared runs forever, as on a GPU.
    if (values.condition_type == cudaGraphCondTypeWhile) values.condition_type = cudaGraphCondTypeIf;
    values.bodies = input_.take() < 250 ? 1 + input_.take() % 3u : input_.take<std::uint32_t>();
  }

  runtime::GraphRequest next() {
    runtime::GraphRequest request;
    const auto call = input_.take();
    request.call = static_cast<runtime::GraphCall>(call < 250 ? call % kGraphCalls : call);
    request.name = "fuzz_graphs";
    request.first = handle();
    request.second = handle();
    request.third = handle();
    const auto flags = input_.take();
    request.flags = flags < 250 ? flags % 4u : input_.take<std::uint64_t>();
    const auto parts = input_.take();
    if ((parts & 1) != 0) take_values(request.values);
    if ((parts & 2) != 0) {
      const std::array<std::uint64_t, 2> arguments{address(), input_.take()};
      const auto* const begin = reinterpret_cast<const std::byte*>(arguments.data());
      request.arguments.assign(begin, begin + ((parts & 4) != 0 ? 12 : input_.take() % sizeof arguments));
    }
    for (unsigned i = parts >> 3 & 3; i > 0; --i) request.nodes.push_back(handle());
    for (unsigned i = parts >> 5 & 3; i > 0; --i) request.targets.push_back(handle());
    if ((parts & 128) != 0) request.edges.push_back({input_.take(), input_.take(), input_.take(), {}});
    return request;
  }

  void ask(const runtime::GraphRequest& request) {
    Writer arguments, results;
    arguments.put<std::uint8_t>(0);
    put(arguments, request);
    Reader from(arguments.bytes());
    try {
      answer_call(static_cast<std::uint16_t>(Call::graph), session_, from, results);
      Reader answer(results.bytes());
      learn(get_graph_reply(answer));
    } catch (const std::exception&) {
      session_.host_function.reset();
    }
    Writer effects;
    remote_host().put_effects(effects, session_);
  }

  void learn(const runtime::GraphReply& reply) {
    for (const std::uint64_t handle : {reply.handle, reply.other, reply.third, reply.values.address})
      if (handle != 0) handles_.push_back(handle);
    handles_.insert(handles_.end(), reply.nodes.begin(), reply.nodes.end());
  }

  FuzzInput input_;
  std::uint64_t array_;
  Session session_;
  std::vector<std::uint64_t> handles_;
};

/// A device whose program has one kernel.
bool start() {
  ::setenv("WARPBOOK_STEP_LIMIT", kSteps, 1);
  ::setenv("WARPBOOK_THREADS", "1", 1);
  ::unsetenv("WARPBOOK_PROFILE");
  remote_host();
  const auto* const text = reinterpret_cast<const std::byte*>(kProgram);
  Session session;
  for (const RecordedCall& call : program_of(std::vector<std::byte>(text, text + sizeof kProgram - 1))) {
    const bool registers = call.head.call == static_cast<std::uint16_t>(Call::register_binary) ||
                           call.head.call == static_cast<std::uint16_t>(Call::register_function);
    if (!registers) continue;
    Reader from(call.arguments);
    Writer results, effects;
    answer_call(call.head.call, session, from, results);
    remote_host().put_effects(effects, session);
  }
  return true;
}

void run_input(const std::uint8_t* data, std::size_t size) {
  static const bool started = start();
  (void)started;
  void* array = nullptr;
  if (cudaMalloc(&array, kArrayBytes) != cudaSuccess) std::abort();
  Conversation(FuzzInput(data, size), reinterpret_cast<std::uint64_t>(array)).run();
  cudaDeviceReset();
}

}  // namespace

#if WARPBOOK_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_input(data, size);
  return 0;
}
#else
namespace {

using Input = std::vector<std::uint8_t>;
constexpr unsigned kInputs = 300;   ///< Of one batch.
constexpr unsigned kSeconds = 600;  ///< Of elapsed time, after which it is considered stuck.

/// Pieces of the files joined, with changed bytes in some places.
Input mutated(const std::vector<Input>& all, std::mt19937& random) {
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  Input input = all[below(all.size())];
  for (std::size_t k = below(4); k > 0; --k) {
    const Input& other = all[below(all.size())];
    const auto from = static_cast<std::ptrdiff_t>(below(other.size() + 1));
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(input.size() + 1)), other.begin() + from,
                 other.end());
  }
  for (std::size_t k = below(8); k > 0 && !input.empty(); --k)
    input[below(input.size())] = below(3) == 0 ? 0 : static_cast<std::uint8_t>(random());
  for (std::size_t k = below(3); k > 0 && !input.empty(); --k)
    input.erase(input.begin() + static_cast<std::ptrdiff_t>(below(input.size())));
  return input;
}

/// @returns how the process of the batch ended
int run_batch(const std::vector<Input>& all, std::uint64_t seed) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kSeconds);
    std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
    for (unsigned i = 0; i < kInputs; ++i) {
      const Input input = mutated(all, random);
      run_input(input.data(), input.size());
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t batches = 0, seed = 0;
  std::vector<std::string> files;
  warpbook::CommandLine line("Sends calls on graphs that no program would make.");
  line.add("BATCHES", batches, "Batches of 300 inputs; 0: the files as they are").required();
  line.add("SEED", seed, "Of the first batch").required();
  line.add("FILE", files, "Inputs to begin with").required();
  if (const std::optional<int> status = line.parse(argc, argv, 2)) return *status;
  std::vector<Input> all;
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (batches == 0)
    for (const Input& input : all) run_input(input.data(), input.size());
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    const int status = run_batch(all, seed + batch);
    if (status == 0) continue;
    std::fprintf(stderr, "The batch of seed %llu ended with status %d: run it alone (1 %llu)\n",
                 static_cast<unsigned long long>(seed) + batch, status, static_cast<unsigned long long>(seed) + batch);
    return 1;
  }
  return 0;
}
#endif
