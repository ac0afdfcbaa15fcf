// Uninitialised values: a use of one is reported once, with both lines; merely moving it is not.
#include <fstream>
#include <string>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

/// The line of uninitialised.cu whose comment contains @p mark.
std::string line_of(const std::string& mark) {
  std::ifstream source(std::string(WARPBOOK_TEST_SOURCES) + "/uninitialised.cu");
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    const std::size_t comment = line.find("//");
    if (comment == std::string::npos) continue;
    const std::size_t at = line.find(mark, comment);
    if (at == std::string::npos) continue;
    const std::size_t end = at + mark.size();
    if (end == line.size() || line[end] == ',') return "uninitialised.cu:" + std::to_string(number);
  }
  return "no line is marked '" + mark + "'";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Outcome check(const std::string& name, const std::string& twin) {
  return run_program("uninitialised", {name, twin}, {{"WARPBOOK_CHECK", "init"}});
}

struct Mistake {
  const char* name;
  const char* mark;
  const char* does;   ///< Part of the message.
  const char* space;  ///< How the message names the uninitialised memory.
};

const std::string kNothing = "warpbook: no findings\n";

constexpr Mistake kMistakes[] = {
    {"branch", "branch", "branches on a value", "byte 244 of an allocation of 256 bytes"},
    {"shared", "shared", "branches on a value", "byte 20 of shared memory"},
    {"local", "local", "stores to global memory a value", "of its local memory"},
    {"address", "address", "uses as an address a value", "byte 244 of an allocation of 256 bytes"},
    {"output", "output", "stores to global memory a value", "byte 244 of an allocation of 256 bytes"},
    {"member", "member", "stores to global memory a value", "byte 8 of an allocation of 1024 bytes"},
    {"through shared", "through shared", "stores to global memory a value", "byte 244 of an allocation of 256 bytes"},
    {"lanes", "lanes", "stores to global memory a value", "byte 80 of an allocation of 256 bytes"},
    {"second kernel", "second kernel", "stores to global memory a value", "byte 244 of an allocation of 256 bytes"},
    {"heap", "heap", "stores to global memory a value", "global memory"},
    {"device to device", "second kernel", "stores to global memory a value", "byte 244 of an allocation of 256 bytes"},
    {"counter", "counter", "changes atomically", "byte 0 of an allocation of 4 bytes"},
    {"bins", "bins", "changes atomically", "byte 4 of shared memory"},
    {"operand", "operand", "changes memory atomically by a value", "byte 244 of an allocation of 256 bytes"},
    {"exchanged", "exchanged", "branches on a value", "byte 0 of an allocation of 256 bytes"},
    {"double", "double", "branches on a value", "byte 64 of an allocation of 256 bytes"},
    {"wide", "wide", "stores to global memory a value", "byte 4 of an allocation of 256 bytes"},
    {"vector", "vector", "stores to global memory a value", "byte 12 of an allocation of 512 bytes"},
    {"predicate", "predicate", "branches on a value", "byte 80 of an allocation of 256 bytes"},
    {"shuffle", "shuffle", "stores to global memory a value", "of an allocation of 128 bytes"},
    {"ballot", "ballot", "branches on a value", "of an allocation of 128 bytes"},
    {"register", "register", "stores to global memory a value", "an uninitialised variable"},
    {"call", "call", "stores to global memory a value", "byte 80 of an allocation of 256 bytes"},
    {"allocated again", "second kernel", "stores to global memory a value", "byte 0 of an allocation of 256 bytes"},
    {"asynchronous", "asynchronous", "stores to global memory a value", "byte 0 of shared memory"},
    {"asynchronous source", "asynchronous", "stores to global memory a value",
     "byte 244 of an allocation of 256 bytes"},
    {"bytes", "bytes", "branches on a value", "byte 1 of an allocation of 128 bytes"},
    {"comparison", "comparison", "branches on a value", "byte 4 of an allocation of 256 bytes"},
    {"carry", "carry", "stores to global memory a value", "byte 4 of an allocation of 256 bytes"},
    {"pointer", "pointer", "stores to global memory a value", "byte 0 of an allocation of 256 bytes"},
    {"generic", "generic", "stores to global memory a value", "byte 252 of an allocation of 256 bytes"},
    {"host memory", "host memory", "stores to global memory a value", "byte 244 of an allocation of 256 bytes"},
    {"pool", "second kernel", "stores to global memory a value", "byte 0 of an allocation of 256 bytes"},
    {"switch", "switch", "branches on a value", "byte 244 of an allocation of 256 bytes"},
    {"barrier", "barrier", "votes at a barrier by a value", "byte 244 of an allocation of 256 bytes"},
};

}  // namespace

TEST_CASE("each use of an uninitialised value is found once, and its twin has no finding") {
  for (const Mistake& mistake : kMistakes) {
    const Outcome faulty = check(mistake.name, "faulty");
    INFO(mistake.name << ":\n" << faulty.errors);
    CHECK(faulty.output == "synchronise 0\n");
    CHECK(count(faulty.errors, "which is uninitialised") + count(faulty.errors, "an uninitialised variable") == 1);
    CHECK(count(faulty.errors, mistake.does) == 1);
    CHECK(count(faulty.errors, mistake.space) >= 1);
    CHECK(count(faulty.errors, line_of(std::string("use: ") + mistake.mark)) >= 1);

    const Outcome clean = check(mistake.name, "clean");
    INFO(clean.errors);
    CHECK(clean.output == "synchronise 0\n");
    CHECK(clean.errors == kNothing);
  }
}

TEST_CASE("a value that went through shared memory is traced back to its load") {
  const Outcome outcome = check("through shared", "faulty");
  INFO(outcome.errors);
  CHECK(count(outcome.errors, line_of("read: through shared")) == 1);
}

TEST_CASE("an argument of printf is a use, and its other bytes are not") {
  const Outcome faulty = check("print", "faulty");
  INFO(faulty.errors);
  CHECK(count(faulty.errors, "prints a value that comes from byte 244 of an allocation of 256 bytes") == 1);
  CHECK(count(faulty.errors, line_of("use: print")) >= 1);
  CHECK(count(faulty.errors, "which is uninitialised") == 1);
  const Outcome clean = check("print", "clean");
  CHECK(clean.errors == kNothing);
  CHECK(clean.output == "a 1\na 1\na 1\na 1\nsynchronise 0\n");
}

TEST_CASE("without the check nothing is reported, and both checks together report the same") {
  CHECK(run_program("uninitialised", {"branch", "faulty"}).errors.empty());
  CHECK(run_program("uninitialised", {"branch", "faulty"}, {{"WARPBOOK_CHECK", "race"}}).errors == kNothing);
  const Outcome both = run_program("uninitialised", {"shared", "faulty"}, {{"WARPBOOK_CHECK", "init,race"}});
  INFO(both.errors);
  CHECK(count(both.errors, "which is uninitialised") == 1);
}
