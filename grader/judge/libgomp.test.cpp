// libgomp's messages, as GCC 12 writes them, become the name of an array and what to look at.
#include "grader/judge/libgomp.h"

#include "common/testing/catch.h"
#include "grader/judge/named_arrays.h"

using namespace warpbook::grader;

namespace {

const std::vector<ArrayPlace> kArrays = {{"first", 0x7f0000001000, 4096}, {"second", 0x7f0000008000, 4096}};

Finding explained(const std::string& message) {
  const auto finding = explain_libgomp("hello\nlibgomp: " + message + "\n", places_in(values_of(kArrays)));
  REQUIRE(finding);
  INFO(text_of(*finding));
  CHECK(finding->topic == "libgomp");
  return *finding;
}

bool tells(const Finding& finding, const std::string& words) {
  INFO(text_of(finding));
  return text_of(finding).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("if a section's length was taken for its end, the finding names the array and where it ends") {
  const Finding finding = explained(
      "Trying to map into device [0x7f0000008800..0x7f0000009800) object when [0x7f0000008800..0x7f0000009000) "
      "is already mapped");
  CHECK(finding.subject == "second");
  CHECK(tells(finding,
              "of the array 'second', which has 4096 bytes: it begins at byte 2048 and is 4096 bytes long, so it "
              "ends 2048 bytes after the array"));
  CHECK(tells(finding, "is its length and not its end: a[start:length]"));
  CHECK_FALSE(tells(finding, "enter data"));
  CHECK(tells(explained("[0x7f0000001001,4096] is not mapped"), "so it ends 1 byte after the array"));
  CHECK(tells(explained("invalid size"), "a[start:length]"));
}

TEST_CASE("an array that is not on the device is named") {
  const Finding finding = explained("present clause: !acc_is_present (0x7f0000001000, 4096 (0x1000))");
  CHECK(finding.subject == "first");
  CHECK(tells(finding, "begins at byte 0 and is 4096 bytes long."));
  CHECK(tells(finding, "Not all of it is on the device"));
  CHECK(explained("present clause: not present on the device (0x7f0000008000, 16 (0x10))").subject == "second");
}

TEST_CASE("a pointer without a section is distinguished from an array") {
  const Finding finding = explained("present clause: !acc_is_present (0x7ffc12345678, 8 (0x8))");
  CHECK(finding.subject.empty());
  CHECK(tells(finding, "are in no array of the case"));
  CHECK(tells(finding, "present(a[:n])"));
}

TEST_CASE("other messages of libgomp are explained in general, and without a message there is no finding") {
  CHECK(explained("cuStreamSynchronize error: unspecified launch failure").what_to_try.empty());
  CHECK_FALSE(explain_libgomp("libgomp is loaded\n", kArrays));
  CHECK_FALSE(explain_libgomp("", kArrays));
}
