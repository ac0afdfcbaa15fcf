// What a student reads about a fault of the virtual GPU.
#include "common/testing/catch.h"
#include "grader/core/submission.h"

using namespace warpbook::grader;

namespace {

FaultRecord out_of_bounds(std::uint64_t address) {
  FaultRecord fault;
  fault.kind = "out_of_bounds";
  fault.address = address;
  fault.bytes = 8;
  return fault;
}

FaultRecord wrong_free(std::uint64_t address) {
  FaultRecord fault = out_of_bounds(address);
  fault.bytes = 0;
  fault.message = "free of something";
  return fault;
}

bool says(const FaultRecord& fault, const char* words) {
  INFO(explain_fault(fault, ""));
  return explain_fault(fault, "").find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("an address in the wrong place asks for the index, unless the pointer itself is the cause") {
  CHECK(says(out_of_bounds(0x700000000000), "Compare the index"));
  CHECK(says(out_of_bounds(4096), "Compare the index"));
  CHECK(says(out_of_bounds(0), "The pointer is null"));
  CHECK(says(out_of_bounds(8 * 255), "The pointer is null"));
  CHECK(says(out_of_bounds(0xcdcdcdcdcdcdcdcd), "that nobody has written"));
  CHECK(says(out_of_bounds(0xcdcdcdcdcdcdcdcd + 8 * 255), "that nobody has written"));
  CHECK(says(out_of_bounds(0xffffffffffffffff), "that was freed before"));
  CHECK_FALSE(says(out_of_bounds(0), "Compare the index"));
  FaultRecord local = out_of_bounds(40);
  local.message = "read of 4 bytes at offset 40 of local memory, of which the thread has 40 bytes";
  CHECK(says(local, "Compare the index"));
}

TEST_CASE("a pointer that free() does not know is told from one that was never set") {
  CHECK(says(wrong_free(0x700000000000), "Each malloc() has one free()"));
  CHECK(says(wrong_free(0x700000000000), "launched more than once"));
  CHECK(says(wrong_free(0xcdcdcdcdcdcdcdcd), "that nobody has written"));
  CHECK(says(wrong_free(0xffffffffffffffff), "that was freed before"));
}
