// PTX images: what is written can be read again, and damaged images are refused.
#include "common/simulator/runtime/ptx_image.h"

#include <cstring>

#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

std::span<const std::byte> bytes_of(const std::string& image) { return std::as_bytes(std::span(image)); }

}  // namespace

TEST_CASE("a PTX image looks like a cubin, gives its length, and contains its texts") {
  const PtxImage image{{".version 9.0", ".version 8.0\n.target sm_90"}, std::string("code\0code", 9), 90};
  const std::string bytes = write_ptx_image(image);
  REQUIRE(is_ptx_image(bytes.data()));
  CHECK(bytes.compare(0, 4,
                      "\x7f"
                      "ELF") == 0);
  CHECK(ptx_image_bytes(bytes.data()) == bytes.size());
  const auto read = read_ptx_image(bytes_of(bytes));
  REQUIRE(read);
  CHECK(read->ptx == image.ptx);
  CHECK(read->cubin == image.cubin);
  CHECK(read->architecture == 90);
}

TEST_CASE("a PTX image that is cut off or has wrong offsets is refused") {
  const std::string whole = write_ptx_image({{".version 9.0"}, "", 0});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    CHECK_FALSE(read_ptx_image(bytes_of(part)));
  }
  // Whatever one byte is changed to, nothing past the image is read: the sanitizers would end the test.
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    if (!read_ptx_image(bytes_of(changed))) ++refused;
  }
  CHECK(refused > 20);
}

TEST_CASE("other ELF files and PTX text are not PTX images") {
  const std::string elf = std::string(
                              "\x7f"
                              "ELF\x02\x01\x01",
                              7) +
                          std::string(57, '\0');
  CHECK_FALSE(is_ptx_image(elf.data()));
  CHECK_FALSE(read_ptx_image(bytes_of(elf)));
  CHECK_FALSE(is_ptx_image(".version 9.0"));
}
