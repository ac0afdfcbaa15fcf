// For tests: a PTX module on a machine of its own; one call from text to result.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/simulator/machine/device_heap.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::testing {

class Bench {
 public:
  explicit Bench(const std::string& text, const DecodeOptions& options = {}) : memory_(std::uint64_t{1} << 32) {
    const ptx::Module module = ptx::parse(text);
    program = decode(
        module, [](const std::string&) { return std::optional<std::uint64_t>{}; }, options);
  }

  template <class T>
  std::uint64_t array(const std::vector<T>& values) {
    const Allocation* a = memory_.allocate(values.size() * sizeof(T), MemoryKind::device);
    std::memcpy(a->host, values.data(), values.size() * sizeof(T));
    return a->address;
  }
  template <class T>
  std::vector<T> read(std::uint64_t address, std::size_t count) const {
    const Allocation* a = memory_.find(address);
    std::vector<T> values(count);
    std::memcpy(values.data(), a->host + (address - a->address), count * sizeof(T));
    return values;
  }

  /// A launch of kernel @p name; @p parameters are 8-byte values, one after another, which must outlive it.
  Launch launch_of(const std::string& name, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& parameters) {
    Launch l = settings;
    l.program = program.get();
    l.kernel = program->find(name);
    l.grid = grid;
    l.block = block;
    l.parameters = std::as_bytes(std::span(parameters));
    l.memory = &memory_;
    l.print = [this](std::string_view text, bool) { printed += text; };
    return l;
  }
  LaunchResult launch(const std::string& name, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& parameters) {
    return run(launch_of(name, grid, block, parameters));
  }

  std::unique_ptr<Program> program;
  Launch settings;
  std::string printed;

 private:
  GlobalMemory memory_;
};

/// A module with one kernel `k(.u64 p0, .u64 p1)` and the usual registers; %rd1 and %rd2 hold the parameters, %r1 the
/// thread and %r2 the block (x).
inline std::string kernel(const std::string& body) {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<32>; .reg .f32 %f<16>; .reg .b64 %rd<32>; .reg .f64 "
         "%fd<8>;\n"
         ".shared .align 16 .b8 tile[1024];\n"
         "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n" +
         body + "\nret;\n}\n";
}

}  // namespace warpbook::simulator::testing
