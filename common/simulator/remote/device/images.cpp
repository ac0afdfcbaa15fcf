// Stores containers, with a wrapper that refers to them.
#include "common/simulator/remote/device/images.h"

#include <algorithm>

namespace warpbook::simulator::remote {
namespace {

using runtime::ContainerHeader, runtime::kContainerMagic;

constexpr std::uint32_t kMostContainers = 4096;
/// Total size limit for a program's images, because they are kept.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

std::uint64_t kept_bytes = 0;  // Calls are handled one after another.

/// Bytes that do not begin like a container become one that the runtime rejects by its first word.
std::vector<std::byte> checked(std::span<const std::byte> bytes) {
  std::vector<std::byte> kept(std::max(bytes.size(), sizeof(ContainerHeader)));
  std::copy(bytes.begin(), bytes.end(), kept.begin());
  ContainerHeader header;
  std::memcpy(&header, kept.data(), sizeof header);
  if (header.magic != kContainerMagic) return kept;
  if (header.header_bytes < sizeof header || header.header_bytes > bytes.size() ||
      header.bytes > bytes.size() - header.header_bytes)
    throw WireError("a fat binary is shorter than it says");
  return kept;
}

}  // namespace

void Image::read(Reader& from) {
  wrapper_.magic = from.get<std::uint32_t>();
  const auto count = from.get<std::uint32_t>();
  if (count > kMostContainers) throw WireError("a fat binary has " + std::to_string(count) + " containers");
  if (from.left() > kMostBytes - kept_bytes) throw WireError("a program has more device code than 1 GiB");
  kept_bytes += from.left();
  for (std::uint32_t i = 0; i < count; ++i) containers_.push_back(checked(from.block()));
  for (const auto& container : containers_) places_.push_back(container.data());
  places_.push_back(nullptr);
  wrapper_.prelinked = places_.data();
}

}  // namespace warpbook::simulator::remote
