// Hand-made containers with each compression and each kind of damage.
#include "common/simulator/runtime/fat_binary.h"

#if WARPBOOK_HAVE_LZ4 && WARPBOOK_HAVE_ZSTD
#include <lz4.h>
#include <zstd.h>
#endif

#include <cstring>

#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

struct Image {
  std::uint16_t kind = 1;
  std::uint32_t architecture = 90;
  std::uint64_t flags = 0x11;
  std::string payload;
  std::uint64_t plain_bytes = 0;
};

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string entry(const Image& image) {
  const std::uint64_t padded = (image.payload.size() + 7) / 8 * 8;
  std::string out;
  put<std::uint16_t>(out, image.kind);
  put<std::uint16_t>(out, 0x101);
  put<std::uint32_t>(out, 64);
  put<std::uint64_t>(out, padded);
  put<std::uint32_t>(out, image.plain_bytes != 0 ? static_cast<std::uint32_t>(image.payload.size()) : 0);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, 9);
  put<std::uint32_t>(out, image.architecture);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, image.flags);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, image.plain_bytes);
  out += image.payload;
  out.resize(64 + padded, '\0');
  return out;
}

std::string container(const std::vector<Image>& images) {
  std::string entries, out;
  for (const Image& image : images) entries += entry(image);
  put<std::uint32_t>(out, 0xba55ed50);
  put<std::uint16_t>(out, 1);
  put<std::uint16_t>(out, 16);
  put<std::uint64_t>(out, entries.size());
  return out + entries;
}

const std::string kText = "\n.version 9.0\n.target sm_90\n" + std::string(300, ' ') + "// end";

}  // namespace

TEST_CASE("an uncompressed image is read") {
  const std::string data = container({{1, 90, 0x11, kText, 0}});
  const FatBinaryContainer read = read_container(data.data());
  REQUIRE(read.entries.size() == 1);
  CHECK(read.entries[0].read() == kText);
}

#if WARPBOOK_HAVE_LZ4 && WARPBOOK_HAVE_ZSTD
TEST_CASE("an image is read uncompressed, with LZ4 and with zstd") {
  std::string lz4(LZ4_compressBound(static_cast<int>(kText.size())), '\0');
  lz4.resize(
      LZ4_compress_default(kText.data(), lz4.data(), static_cast<int>(kText.size()), static_cast<int>(lz4.size())));
  std::string zstd(ZSTD_compressBound(kText.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), kText.data(), kText.size(), 3));
  const std::string data =
      container({{1, 90, 0x11, kText, 0}, {1, 90, 0x2011, lz4, kText.size()}, {1, 90, 0x8011, zstd, kText.size()}});
  const FatBinaryContainer read = read_container(data.data());
  REQUIRE(read.entries.size() == 3);
  for (const FatBinaryEntry& image : read.entries) {
    CHECK(image.kind == FatBinaryEntry::Kind::ptx);
    CHECK(image.read() == kText);
  }
}

TEST_CASE("an image takes no more memory than its data need, whatever size it claims") {
  const std::string long_text(3 << 20, 'x');  // Longer than what room is made for at first.
  std::string lz4(LZ4_compressBound(static_cast<int>(kText.size())), '\0');
  lz4.resize(
      LZ4_compress_default(kText.data(), lz4.data(), static_cast<int>(kText.size()), static_cast<int>(lz4.size())));
  std::string zstd(ZSTD_compressBound(long_text.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), long_text.data(), long_text.size(), 3));
  const std::string cut = zstd.substr(0, zstd.size() - 4);
  std::string data = container({{1, 90, 0x2011, lz4, std::size_t{1} << 29},
                                {1, 90, 0x8011, zstd, std::size_t{1} << 30},
                                {1, 90, 0x8011, zstd, long_text.size() - 1},
                                {1, 90, 0x8011, cut, long_text.size()}});
  const FatBinaryContainer read = read_container(data.data());
  CHECK_THROWS_WITH(read.entries[0].read(), Catch::Contains("damaged LZ4 data"));
  CHECK(read.entries[1].read() == long_text);
  CHECK_THROWS_WITH(read.entries[2].read(), Catch::Contains("more zstd data than it states"));
  CHECK_THROWS_WITH(read.entries[3].read(), Catch::Contains("end too soon"));
}
#endif

TEST_CASE("damage is reported") {
  std::string data = container({{1, 90, 0x8011, "no zstd frame", 100}, {1, 90, 0x1011, "who knows", 100}});
  const FatBinaryContainer read = read_container(data.data());
  REQUIRE(read.entries.size() == 2);
  CHECK_THROWS_WITH(read.entries[0].read(), Catch::Contains("zstd"));
  CHECK_THROWS_WITH(read.entries[1].read(), Catch::Contains("unknown compression"));
  data[0] = 'X';
  CHECK_THROWS_WITH(read_container(data.data()), Catch::Contains("rebuild with nvcc 13"));
  std::string longer = container({{1, 90, 0x11, kText, 0}});
  const std::uint64_t wrong = 1 << 20;
  std::memcpy(longer.data() + 16 + 8, &wrong, sizeof wrong);
  CHECK_THROWS_WITH(read_container(longer.data()), Catch::Contains("does not fit"));
}

TEST_CASE("the PTX closest to the device is chosen") {
  const auto chosen = [](const std::vector<std::uint32_t>& architectures) {
    std::vector<Image> images;
    for (const std::uint32_t architecture : architectures) images.push_back({1, architecture, 0x11, "ptx", 0});
    const std::string data = container(images);
    const FatBinaryContainer read = read_container(data.data());
    const FatBinaryEntry* entry = choose_ptx(read, 90);
    return entry == nullptr ? 0u : entry->architecture;
  };
  CHECK(chosen({80, 90, 100}) == 90);
  CHECK(chosen({100, 75, 80}) == 80);
  CHECK(chosen({120, 100}) == 100);
  CHECK(chosen({}) == 0);
}

TEST_CASE("only the device's own machine code is used") {
  const std::string data = container({{2, 100, 0x11, "elf", 0}, {2, 90, 0x11, "elf", 0}, {1, 90, 0x11, "ptx", 0}});
  const FatBinaryContainer read = read_container(data.data());
  CHECK(choose_cubin(read, 90) == &read.entries[1]);
  CHECK(choose_cubin(read, 80) == nullptr);
}

TEST_CASE("containers are found wherever they lie in an object or library") {
  Image lto;
  lto.kind = 8;
  lto.payload = "LTO-IR";
  Image text;
  text.payload = kText;
  const std::string magic("\x50\xed\x55\xba", 4);
  const std::string file =
      "!<arch>\n" + magic + "no container" + container({text}) + "x" + magic + container({lto, text});
  const auto found = containers_in(file);
  REQUIRE(found.size() == 2);
  CHECK(choose_ptx(found[0], 90)->read() == kText);
  REQUIRE(found[1].entries.size() == 2);
  CHECK(found[1].entries[0].kind == FatBinaryEntry::Kind::lto_ir);
  CHECK(containers_in(file.substr(0, 40)).empty());
  CHECK(containers_in("").empty());
}
