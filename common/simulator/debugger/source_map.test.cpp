// Names of functions and files as people write them.
#include "common/simulator/debugger/source_map.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator::debugger;

TEST_CASE("a function is called without parameters, and numbers without their types") {
  CHECK(called_name("scale(float, int)") == "scale");
  CHECK(called_name("physics::step<float, (int)4>(physics::Body *, float *)") == "physics::step<float,4>");
  CHECK(called_name("step<float, 4>") == "step<float,4>");
  CHECK(called_name("void f<(unsigned int)2, (bool)1>::g(int) const") == "voidf<2,1>::g");
  CHECK(called_name("(anonymous namespace)::kernel(int)") == "(anonymous namespace)::kernel");
}

TEST_CASE("a lambda is not the function that it is written in") {
  CHECK(called_name("step<float, (int)4>(float *)::{lambda(float)#1}::operator()(float) const") ==
        "step<float,4>::{lambda#1}::operator()");
}

TEST_CASE("a file is known by the end of its path, and by each way to it") {
  CHECK(is_file("/project/src/a.cu", "a.cu"));
  CHECK(is_file("/project/src/a.cu", "src/a.cu"));
  CHECK(is_file("/project/build/../src/a.cu", "/project/src/a.cu"));
  CHECK(is_file("/project/src/a.cu", ""));
  CHECK_FALSE(is_file("/project/src/a.cu", "/src/a.cu"));
  CHECK_FALSE(is_file("/project/src/ba.cu", "a.cu"));
}
