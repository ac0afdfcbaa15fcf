// The calls of a program with given PTX, for fuzzers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/testing/conversation.h"

namespace warpbook::simulator::remote {

constexpr std::uint64_t kFirstHostFunction = 0x1001;  ///< The program's address of its first kernel.

/// A PTX program whose kernels are launched with pointers to one array.
inline std::vector<RecordedCall> program_of(const std::vector<std::byte>& ptx) {
  constexpr std::size_t kRoom = 4096, kHeader = 16, kEntry = 64;  // runtime/fat_binary.cpp
  constexpr std::uint64_t kArray = std::uint64_t{1} << 20;
  std::vector<RecordedCall> calls;
  const auto add = [&](Call call, const Writer& arguments) {
    calls.push_back({{kMagic, static_cast<std::uint16_t>(call), 0, arguments.bytes().size()}, arguments.bytes(), {}});
  };
  const std::uint64_t bytes = ptx.size() + kRoom;
  Writer container;
  container.put<std::uint32_t>(0xba55ed50);
  container.put<std::uint16_t>(1);
  container.put<std::uint16_t>(kHeader);
  container.put<std::uint64_t>(kEntry + bytes);
  container.put<std::uint32_t>(1);
  container.put<std::uint32_t>(kEntry);
  container.put(bytes);
  for (int i = 0; i < 6; ++i) container.put<std::uint64_t>(i == 2 ? 90 : 0);
  container.raw(ptx.data(), ptx.size());
  container.raw(std::vector<std::byte>(kRoom, std::byte{' '}).data(), kRoom);
  Writer binary;
  binary.put<std::uint32_t>(0x466243b1);
  binary.put<std::uint32_t>(1);
  binary.block(container.bytes().data(), container.bytes().size());
  add(Call::register_binary, binary);
  Writer array;
  array.put<std::uint8_t>(1);
  array.put<std::uint64_t>(0);
  array.put(kArray);
  add(Call::cudaMalloc, array);
  const std::string text(reinterpret_cast<const char*>(ptx.data()), ptx.size());
  std::uint64_t host = kFirstHostFunction - 1;
  for (std::size_t at = text.find(".entry "); at != std::string::npos; at = text.find(".entry ", at + 1)) {
    const std::size_t name = at + 7;
    Writer function, launch;
    function.put<std::uint64_t>(1);
    function.put(++host);
    function.text(text.substr(name, text.find_first_of("( \n", name) - name));
    add(Call::register_function, function);
    launch.put(LaunchKind::runtime);
    launch.put(host);
    launch.put(std::array<std::uint32_t, 3>{2, 1, 1});
    launch.put(std::array<std::uint32_t, 3>{48, 1, 1});
    launch.put<std::uint64_t>(256);
    launch.put<std::uint64_t>(0);
    launch.put<std::uint8_t>(1);
    launch.block(std::vector<std::uint64_t>(16, GlobalMemory::kBase + 4096).data(), 16 * sizeof(std::uint64_t));
    launch.block(nullptr, 0);
    add(Call::launch, launch);
    add(Call::cudaDeviceReset, Writer());
    add(Call::cudaMalloc, array);
  }
  return calls;
}

}  // namespace warpbook::simulator::remote
