// Formats values for messages.
#include "common/simulator/machine/access_values.h"

#include <cstring>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

template <class T>
std::string text_of(const T& value, ptx::Type type) {
  std::byte bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return value_text(bytes, sizeof value, type);
}

}  // namespace

TEST_CASE("values are shown as numbers of their type and as bits") {
  CHECK(text_of(7, ptx::Type::u32) == "7 (0x00000007)");
  CHECK(text_of(-1, ptx::Type::u32) == "-1 or 4294967295 (0xffffffff)");
  CHECK(text_of(-1, ptx::Type::s32) == "-1 (0xffffffff)");
  CHECK(text_of(0.1f, ptx::Type::f32) == "0.100000001 (0x3dcccccd)");
  CHECK(text_of(-2.5, ptx::Type::f64) == "-2.5 (0xc004000000000000)");
  CHECK(text_of(std::uint8_t{200}, ptx::Type::u8) == "-56 or 200 (0xc8)");
  CHECK(text_of(std::uint16_t{0x3c00}, ptx::Type::f16) == "0x3c00");
}

TEST_CASE("vectors are shown element by element, and incomplete elements byte by byte") {
  const int pair[2] = {1, -2};
  CHECK(text_of(pair, ptx::Type::s32) == "{1, -2}");
  CHECK(text_of(std::uint16_t{0x1234}, ptx::Type::u32) == "the bytes 34 12");
  CHECK(text_of(std::uint8_t{5}, ptx::Type::none) == "the byte 05");
}

TEST_CASE("the bytes of a page can be read whatever its access rights") {
  const int value = 41;
  std::byte out[4];
  REQUIRE(read_any_page(reinterpret_cast<const std::byte*>(&value), 4, out));
  CHECK(value_text(out, 4, ptx::Type::s32) == "41 (0x00000029)");
  CHECK_FALSE(read_any_page(reinterpret_cast<const std::byte*>(std::uintptr_t{64}), 4, out));
}
