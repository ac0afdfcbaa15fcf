// nvcc's messages about small programs, and counts in its PTX.
#include "grader/runner/compiler.h"

#include <stdexcept>

#include "common/testing/catch.h"

using namespace warpbook::grader;

TEST_CASE("a line that is refused does not hide messages about others") {
  const Compiled compiled = compile_program(WARPBOOK_NVCC,
                                            "__global__ int a() { return 0; }\n"  // Found first of all.
                                            "int host();\n"
                                            "__global__ void b() { host(); }\n"  // Found when all lines can be read.
                                            "__device__ void c() { int unused; }\n"
                                            "__device__ int device();\n"
                                            "int d() { return device(); }\n"  // Found in the host's half.
                                            "extern \"C\" __global__ void e(int* p) { *p = 1; }\n",
                                            CompileFor::both);
  CHECK(compiled.lines() == 7);
  const int verdicts[] = {2, 0, 2, 1, 0, 2, 0};
  for (int line = 1; line <= 7; ++line) {
    INFO(line << ": " << compiled.message(line));
    CHECK(compiled.verdict(line) == verdicts[line - 1]);
  }
  CHECK(compiled.message(3).find("calling a __host__ function") != std::string::npos);
  CHECK(compiled.message(7) == "nvcc says nothing.");
  CHECK(compiled.count("e", "st.global") == 1);
}

TEST_CASE("returning an address of the stack gives a warning") {
  const Compiled compiled = compile_program(WARPBOOK_NVCC,
                                            "__global__ void child(int* p) { *p = 1; }\n"
                                            "__global__ void parent() { int x = 0; child<<<1, 1>>>(&x); }\n",
                                            CompileFor::relocatable_device);
  CHECK(compiled.verdict(1) == 0);
  CHECK(compiled.verdict(2) == 1);
}

TEST_CASE("words of PTX are counted as a whole, or up to a dot") {
  const Compiled compiled(
      0, {},
      ".visible .entry k1(\n\t.param .u64 k1_param_0\n)\n.maxntid 256, 1, 1\n{\n"
      "\tld.global.nc.f32 \t%f1, [%rd1]; // ld.global\n\tld.global.f32 \t%f2, [%rd1];\n"
      "\tmov.u64 \t%rd2, %clock64;\n$L__BB0_1:\n\t.pragma \"nounroll\";\n\tadd.f32 \t%f1, %f1, %f2;\n"
      "\tmov.u64 \t%rd3, %clock64;\n\tret;\n}\n.visible .entry k2(\n)\n{\n\tld.globally;\n}\n");
  CHECK(compiled.count("k1", "ld.global") == 2);
  CHECK(compiled.count("k1", "ld.global.nc") == 1);
  CHECK(compiled.count("k1", "global") == 0);
  CHECK(compiled.count("k1", ".maxntid") == 1);
  CHECK(compiled.between("k1", "%clock64") == 1);
  CHECK(compiled.between("k2", "%clock64") == 0);
  CHECK(compiled.counts(3, "ld.global") == std::vector<std::int32_t>{2, 0, 0});
}

TEST_CASE("a missing compiler is named") {
  CHECK_THROWS_AS(compile_program("/nowhere/nvcc", "", CompileFor::device), std::runtime_error);
}
