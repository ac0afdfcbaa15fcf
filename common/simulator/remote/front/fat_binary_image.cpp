// Finds where fat binaries end.
#include "common/simulator/remote/front/fat_binary_image.h"

#include <vector>

#include "common/simulator/runtime/fat_binary_layout.h"

namespace warpbook::simulator::remote {
namespace {

using runtime::ContainerHeader, runtime::kContainerMagic, runtime::kWrapperMagic;

}  // namespace

std::uint64_t container_bytes(const void* data) {
  ContainerHeader header;
  std::memcpy(&header, data, sizeof header);
  return header.magic == kContainerMagic ? header.header_bytes + header.bytes : 0;
}

void put_fat_binary(Writer& to, const void* wrapper) {
  runtime::FatBinaryWrapper header;
  std::memcpy(&header, wrapper, sizeof(std::uint32_t));
  std::vector<const void*> containers;
  if (header.magic == kWrapperMagic) {
    std::memcpy(&header, wrapper, sizeof header);
    if (header.container != nullptr) containers.push_back(header.container);
    if (header.version == 2 && header.prelinked != nullptr)
      for (const void* const* next = header.prelinked; *next != nullptr; ++next) containers.push_back(*next);
  }
  to.put(header.magic);
  to.put<std::uint32_t>(static_cast<std::uint32_t>(containers.size()));
  for (const void* const container : containers) {
    const std::uint64_t bytes = container_bytes(container);
    to.block(container, bytes != 0 ? bytes : sizeof(std::uint32_t));
  }
}

}  // namespace warpbook::simulator::remote
