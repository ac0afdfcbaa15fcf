// How nvcc lays out embedded code: the wrapper that a program registers, and the containers that it refers to.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

constexpr std::uint32_t kWrapperMagic = 0x466243b1, kContainerMagic = 0xba55ed50;

struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* container;
  const void* const* prelinked;  ///< Version 2: containers, terminated by a null pointer.
};

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< Number of bytes that follow the header.
};

}  // namespace warpbook::simulator::runtime
