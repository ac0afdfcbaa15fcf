// The tests of exercise diagnostics: what nvcc says of a program with the answer's pragmas, and of another one.
#include "labs/language/diagnostics/diagnostics.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static std::string pragma_line(std::int32_t pragma) {
  const char* const lines[] = {"",
                               "#pragma nv_diag_suppress 177",
                               "#pragma nv_diag_warning 177",
                               "#pragma nv_diag_error 177",
                               "#pragma nv_diag_default 177",
                               "#pragma nv_diagnostic push",
                               "#pragma nv_diagnostic pop",
                               "#pragma diag_suppress 177"};
  if (pragma < 0 || pragma > kSuppressOfOld)
    WB_FAIL("no_such_pragma", "place() returned " << pragma << ", which is not a Pragma.");
  return lines[pragma];
}

/// @param first what nvcc is to say of quiet() and like_the_first()
static void check(const std::vector<std::int32_t>& places, std::int32_t first, const std::string& when) {
  const auto line = [](const std::string& name) { return "__device__ void " + name + "() { int x; }\n"; };
  const auto at = [&](int n) { return pragma_line(places.at(n)) + "\n"; };
  const std::string program = at(0) + line("quiet") + at(1) + at(2) + line("refused") + at(3) + line("like_the_first") +
                              at(4) + line("reported");
  const Compiled compiled = compile_program(program, CompileFor::device);
  const char* const verdicts[] = {"nothing", "a warning", "an error"};
  const std::vector<std::pair<std::string, std::pair<int, int>>> wanted = {
      {"quiet()", {2, first}}, {"refused()", {5, 2}}, {"like_the_first()", {7, first}}, {"reported()", {9, 1}}};
  for (const auto& [name, of] : wanted)
    if (compiled.verdict(of.first) != of.second)
      WB_FAIL(Requirement(name).with("expected", of.second), when << "for " << name << " there is to be "
                                                                  << verdicts[of.second] << ", but "
                                                                  << compiled.message(of.first) << "\nnvcc was given:\n"
                                                                  << program);
}

WB_LAB_TEST(correctness, 6, "nvcc says what it is to say") {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5};
  auto places = grade(call("place", {each("numbers", numbers)})).output<std::int32_t>(kReturned);
  check(places, 0, "");
  places.at(0) = kWarning;
  check(places, 1, "With kWarning in place 1: ");
}

WB_LAB_TEST(correctness, 4, "what nvcc says is predicted") {
  require_predicted("says", compile_program(kProgram, CompileFor::device));
}
