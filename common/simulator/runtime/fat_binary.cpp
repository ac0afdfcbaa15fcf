// Reads fat binaries: the wrapper, its containers, and their images.
//
// wrapper and container: fat_binary_layout.h; in the container, entries
// entry      { u16 kind, u16, u32 header bytes, u64 payload bytes (padded), u32 compressed bytes, u32,
//              u16 minor, u16 major, u32 architecture, u32, u32, u64 flags, u64, u64 decompressed bytes, ... }, payload
#include "common/simulator/runtime/fat_binary.h"

#if WARPBOOK_HAVE_LZ4
#include <lz4.h>
#endif
#if WARPBOOK_HAVE_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "common/simulator/runtime/fat_binary_layout.h"
#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 30;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagsCompressed = 0x1000 | kFlagLz4 | kFlagZstd;

struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes, options;
  std::uint16_t minor, major;
  std::uint32_t architecture, name_offset, name_bytes;
  std::uint64_t flags, reserved, plain_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

#if WARPBOOK_HAVE_ZSTD
/// Frees a zstd stream.
struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};
#endif

/// Fills @p image, which grows with the output: an entry may claim any size up to @p plain_bytes.
void decompress_zstd([[maybe_unused]] const std::byte* payload, [[maybe_unused]] std::size_t bytes,
                     [[maybe_unused]] std::size_t plain_bytes, [[maybe_unused]] std::string& image) {
#if WARPBOOK_HAVE_ZSTD
  constexpr std::size_t kFirst = std::size_t{1} << 20;
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  if (stream == nullptr) throw std::bad_alloc();
  image.resize(std::min(plain_bytes, kFirst));
  ZSTD_inBuffer in{payload, bytes, 0};
  for (std::size_t done = 0;;) {
    ZSTD_outBuffer out{image.data(), image.size(), done};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left))
      throw FatBinaryError(std::string("embedded image: zstd reports ") + ZSTD_getErrorName(left));
    done = out.pos;
    if (left == 0) {
      image.resize(done);
      return;
    }
    if (done < image.size()) throw FatBinaryError("embedded image: its zstd data end too soon");
    if (done == plain_bytes) throw FatBinaryError("embedded image: it contains more zstd data than it states");
    image.resize(std::min(plain_bytes, 2 * image.size()));
  }
#else
  throw FatBinaryError(
      "embedded image: compressed with zstd, which was missing when warpbook was built: rebuild the "
      "program with nvcc --no-compress, or install zstd's headers and build warpbook again");
#endif
}

/// The same for LZ4, whose ratio is at most 255 to 1.
void decompress_lz4([[maybe_unused]] const std::byte* payload, [[maybe_unused]] std::size_t bytes,
                    [[maybe_unused]] std::size_t plain_bytes, [[maybe_unused]] std::string& image) {
#if WARPBOOK_HAVE_LZ4
  constexpr std::size_t kMostRatio = 255;
  if (plain_bytes / kMostRatio > bytes) throw FatBinaryError("embedded image: damaged LZ4 data");
  image.resize(plain_bytes);
  const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(payload), image.data(), static_cast<int>(bytes),
                                      static_cast<int>(image.size()));
  if (got < 0) throw FatBinaryError("embedded image: damaged LZ4 data");
  image.resize(static_cast<std::size_t>(got));
#else
  throw FatBinaryError(
      "embedded image: compressed with LZ4, which was missing when warpbook was built: rebuild the "
      "program with nvcc --no-compress, or install lz4's headers and build warpbook again");
#endif
}

}  // namespace

std::string FatBinaryEntry::read() const {
  std::string image;
  if ((flags & kFlagsCompressed) == 0 || plain_bytes == 0) {
    image.assign(reinterpret_cast<const char*>(payload), payload_bytes);
  } else {
    if (plain_bytes > kLargestImage)
      throw FatBinaryError("embedded image: " + std::to_string(plain_bytes) + " bytes are more than an image can have");
    if (flags & kFlagZstd) {
      decompress_zstd(payload, payload_bytes, plain_bytes, image);
    } else if (flags & kFlagLz4) {
      decompress_lz4(payload, payload_bytes, plain_bytes, image);
    } else {
      throw FatBinaryError("embedded image: unknown compression (flags " + hexadecimal(flags) +
                           "): rebuild with --compress-mode=none");
    }
  }
  if (kind == Kind::ptx) {
    while (!image.empty() && image.back() == '\0') image.pop_back();
  }
  return image;
}

FatBinaryContainer read_container(const void* data) {
  const auto* bytes = static_cast<const std::byte*>(data);
  ContainerHeader header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.magic != kContainerMagic) {
    throw FatBinaryError("fat binary: container starts with " + hexadecimal(header.magic) + ", expected " +
                         hexadecimal(kContainerMagic) + ": rebuild with nvcc 13");
  }
  FatBinaryContainer container;
  container.bytes = {static_cast<const char*>(data), header.header_bytes + header.bytes};
  const std::byte* at = bytes + header.header_bytes;
  const std::byte* end = at + header.bytes;
  while (end - at >= static_cast<std::ptrdiff_t>(sizeof(EntryHeader))) {
    EntryHeader entry;
    std::memcpy(&entry, at, sizeof entry);
    const auto left = static_cast<std::uint64_t>(end - at);
    if (entry.header_bytes < sizeof entry || entry.header_bytes > left || entry.bytes > left - entry.header_bytes) {
      throw FatBinaryError("fat binary: an entry of " + std::to_string(entry.bytes) + " bytes does not fit in the " +
                           std::to_string(left) + " bytes that are left");
    }
    FatBinaryEntry out;
    out.kind = entry.kind == 1   ? FatBinaryEntry::Kind::ptx
               : entry.kind == 2 ? FatBinaryEntry::Kind::cubin
               : entry.kind == 8 ? FatBinaryEntry::Kind::lto_ir
                                 : FatBinaryEntry::Kind::other;
    out.architecture = entry.architecture;
    out.flags = entry.flags;
    out.payload = at + entry.header_bytes;
    out.payload_bytes = entry.compressed_bytes != 0 ? entry.compressed_bytes : entry.bytes;
    out.plain_bytes = entry.plain_bytes;
    if (out.payload_bytes > entry.bytes)
      throw FatBinaryError("fat binary: a compressed image is longer than its entry");
    container.entries.push_back(out);
    at += entry.header_bytes + entry.bytes;
  }
  return container;
}

std::vector<FatBinaryContainer> read_fat_binary(const void* wrapper) {
  FatBinaryWrapper header;
  std::memcpy(&header, wrapper, sizeof header);
  if (header.magic != kWrapperMagic) {
    throw FatBinaryError("fat binary: wrapper starts with " + hexadecimal(header.magic) + ", expected " +
                         hexadecimal(kWrapperMagic) + ": rebuild with nvcc 13");
  }
  std::vector<FatBinaryContainer> containers;
  if (header.container != nullptr) containers.push_back(read_container(header.container));
  if (header.version == 2 && header.prelinked != nullptr) {
    for (const void* const* next = header.prelinked; *next != nullptr; ++next)
      containers.push_back(read_container(*next));
  }
  return containers;
}

std::vector<FatBinaryContainer> containers_in(std::string_view file) {
  std::vector<FatBinaryContainer> found;
  const std::string_view magic(reinterpret_cast<const char*>(&kContainerMagic), sizeof kContainerMagic);
  for (std::size_t at = file.find(magic); at != std::string_view::npos; at = file.find(magic, at + 1)) {
    ContainerHeader header;
    if (file.size() - at < sizeof header) break;
    std::memcpy(&header, file.data() + at, sizeof header);
    const std::size_t left = file.size() - at;
    if (header.header_bytes < sizeof header || header.header_bytes > left || header.bytes > left - header.header_bytes)
      continue;
    try {
      found.push_back(read_container(file.data() + at));
    } catch (const FatBinaryError&) {
      continue;  // Other bytes that happen to be these four.
    }
    at += static_cast<std::size_t>(header.header_bytes + header.bytes) - 1;
  }
  return found;
}

namespace {

/// The entry of @p kind that is closest to the device.
const FatBinaryEntry* choose(const FatBinaryContainer& container, FatBinaryEntry::Kind kind, unsigned architecture) {
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : container.entries) {
    if (entry.kind != kind) continue;
    if (best == nullptr) {
      best = &entry;
      continue;
    }
    const bool fits = entry.architecture <= architecture, best_fits = best->architecture <= architecture;
    if (fits != best_fits ? fits
        : fits            ? entry.architecture > best->architecture
                          : entry.architecture < best->architecture) {
      best = &entry;
    }
  }
  return best;
}

}  // namespace

const FatBinaryEntry* choose_ptx(const FatBinaryContainer& container, unsigned architecture) {
  return choose(container, FatBinaryEntry::Kind::ptx, architecture);
}

const FatBinaryEntry* choose_lto_ir(const FatBinaryContainer& container, unsigned architecture) {
  return choose(container, FatBinaryEntry::Kind::lto_ir, architecture);
}

const FatBinaryEntry* choose_cubin(const FatBinaryContainer& container, unsigned architecture) {
  for (const FatBinaryEntry& entry : container.entries) {
    if (entry.kind == FatBinaryEntry::Kind::cubin && entry.architecture == architecture) return &entry;
  }
  return nullptr;
}

}  // namespace warpbook::simulator::runtime
