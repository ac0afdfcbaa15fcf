// For a lab's <lab>.test.cpp: tests with points, running the answer, and checks that explain failures.
//
// A test is one WB_LAB_TEST. It makes cases, runs the answer under test on each in a process of its own with grade(),
// and states with the require_ functions what must hold. The first one that fails ends the test; its message
// is what the student reads. WB_FAIL is for requirements of the lab's own. Plain Catch2 assertions are for what no
// answer can break: they are known by their place, which moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "common/cuda/random.h"
#include "common/testing/catch.h"
#include "grader/judge/answer.h"
#include "grader/judge/call.h"
#include "grader/judge/case.h"
#include "grader/judge/change.h"
#include "grader/judge/compare.h"
#include "grader/judge/counted.h"
#include "grader/judge/plot.h"
#include "grader/judge/quantity.h"
#include "grader/runner/compiler.h"
#include "grader/runner/protocol.h"
#include "grader/runner/requirements.h"

namespace warpbook::grader {

/// What a test grades: the second part of its ctest name.
enum class Kind { correctness, counters, time };

/// Registers a test with its points, in addition to Catch2's own list. Use WB_LAB_TEST.
struct Registration {
  Registration(Kind kind, double points, const char* sentence);
};

/// Runs the body of a test: "not started" skips it. Use WB_LAB_TEST.
void run_lab_test(void (*body)());

/// A requirement of the lab's own: its name within the lab, and numbers for the record of a finding that it does not
/// hold.
struct Requirement {
  std::string name;
  std::vector<Figure> evidence;
  // Most have a name alone, which is written as a literal.
  Requirement(std::string of) : name(std::move(of)) {}  // NOLINT(google-explicit-constructor)
  Requirement(const char* of) : name(of) {}             // NOLINT(google-explicit-constructor)
  Requirement with(const std::string& number, double value) const {
    Requirement more = *this;
    more.evidence.push_back({number, value, ""});
    return more;
  }
};

/// Ends the test as failed: the requirement does not hold. Use WB_FAIL. @param text the first line is the headline
[[noreturn]] void fail_requirement(const Requirement& requirement, const std::string& text);

/// The same for a call that returned something wrong. Use WB_FAIL_CALL.
/// @param call "predict(3, 4)": its function's name is that of the requirement @param why what follows the returned
/// value
[[noreturn]] void fail_call(const std::string& call, double returned, const std::string& text, const std::string& why);

/// A generator for this test's data. Its seed is fresh and secret in every run and is printed when the test fails;
/// WARPBOOK_SEED in the environment of the test (never of the answer) repeats a run.
Random& test_random();

/// Sizes that expose mistakes: the least and the most, those around a warp and a block, a prime, and five drawn from
/// the whole range, so that a list of sizes cannot pass.
std::vector<std::size_t> usual_sizes(std::size_t least, std::size_t most);

/// Seeds for kScheduleSeed, one for each way in which CUDA leaves the order open: of blocks and warps, of the lanes of
/// a warp, of single accesses. An answer that is right only in the documented order is right by luck, and its counters
/// mean nothing: before counting, too, run a small case in all of these orders, with a size that nobody gets wrong.
std::vector<std::int64_t> other_orders();
/// The last of them, which changes most, for tests whose cases take long.
std::int64_t worst_order();

/// Elements for calls, of() the numbers 0 to count - 1: each_of("n", 100, [](int i) { return i; }).
template <class Of>
Argument each_of(const std::string& name, int count, Of of) {
  std::vector<std::int32_t> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<std::int32_t>(of(i)));
  return each(name, values);
}

/// Runs the answer under test on a case, in a fresh process. Fails the test with an explanation if the process did not
/// finish properly, if an input was changed, if something was written next to an output, or, on the virtual GPU, if the
/// host could have done the work (detour.h).
/// Skips the test if the answer is not started.
Answer grade(const Case& given);

/// Runs the lab's reference solution on a case, in a fresh process.
Answer grade_reference(const Case& given);

/// Fails the test with the comparison's message unless it passed. A lab may add to the message what usually causes such
/// a result. @param name of the array
void require_compared(const Answer& answer, const std::string& name, const Comparison& comparison);

/// Each of some grids must have done its own share, and not those of others: the most bytes that one of them moved are
/// compared with the largest share, and so on. Fails the test if one moved less than its share, or more than @p most
/// times that and @p more bytes; if there are more or fewer grids than shares, only if one moved more than the largest.
/// @param moved bytes by each grid @param shares as many bytes as each must move at least @param what they did:
/// "Children load"
void require_shares(std::vector<double> moved, std::vector<double> shares, double most, double more,
                    const std::string& what);

/// True if the device made the case's changes of this moment (change.h). False if the moment never
/// came, and on a real GPU, which makes none.
bool was_changed(const Answer& answer, Moment moment);

/// Fails the test if a zero has the wrong sign.
void require_same_signs(const std::string& name, const std::vector<float>& found, const std::vector<float>& expected);

/// Every element must be equal, bit for bit (except that 0.0 equals -0.0; NaN equals nothing). The shape, outermost
/// dimension first, is for messages and for guessing the mistake; {} means one dimension.
template <class T>
void require_equal(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                   const Shape& shape = {}) {
  require_compared(answer, name, compare_exact(answer, name, expected, shape));
}

/// The return values of an int function must be right for each of the elements that it was called with (each()). The
/// message names the first wrong one, "comes_first(3) returned 1, but it is 0", and says why it is wrong.
/// @param why one text for all calls, or one for each
void require_returned(const Answer& answer, const std::vector<std::int32_t>& expected,
                      const std::vector<std::string>& why);

/// What the function predicts of the statements 1, 2, ... of its contract: as require_returned().
void require_predicted(const std::string& function, const std::vector<std::int32_t>& expected,
                       const std::vector<std::string>& why);

/// The function predicts what the machine answers, for each element of the arguments (all are each()): the question of
/// this lab and function in grader/labs/CHAPTER/machine.cu. "machine": true in lab.json.
void require_machine_agrees(const std::string& function, std::vector<Argument> arguments,
                            const std::vector<std::string>& why);

/// For questions that end the machine's kernel, each of which needs a process of its own: whether it fails with this
/// error, "cudaErrorAssert". @param arguments number() each
bool machine_fails(const std::string& error, const std::string& function, std::vector<Argument> arguments);

/// The same for questions about output: how often the text is in the first 2000 characters that the question prints,
/// before it ends the kernel or the program.
std::int32_t machine_prints(const std::string& text, const std::string& function, std::vector<Argument> arguments);

/// nvcc's messages about a program of the test's own, and its PTX: for exercises about the compiler. The
/// contract has the program, so that students can ask nvcc themselves. Fails the test if there is no compiler.
Compiled compile_program(const std::string& program, CompileFor pass);

/// The function predicts the verdict of each line of the program.
void require_predicted(const std::string& function, const Compiled& compiled);

/// For data that is only moved: every bit must be equal; 0.0 is not -0.0.
template <class T>
void require_moved(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                   const Shape& shape = {}) {
  require_equal(answer, name, expected, shape);
  require_same_signs(name, answer.output<T>(name), expected);
}

/// Every element must satisfy |found - expected| <= absolute + relative * |expected|; NaN never does.
template <class T>
void require_close(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                   const Tolerance& tolerance, const Shape& shape = {}) {
  require_compared(answer, name, compare_close(answer, name, expected, tolerance, shape));
}

/// The counted quantity, over all kernels of the run (or those whose name contains `kernel`), must be at most `limit`.
/// The failure names the worst source line, what was found and what is ideal, why it costs, what to try, and `reason`:
/// the reason for the limit. Even with the preset gpu, the case is counted on the virtual GPU.
void require_at_most(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                     const std::string& kernel = "");
/// The same with a lower limit.
void require_at_least(const Answer& answer, Quantity quantity, double limit, const std::string& reason,
                      const std::string& kernel = "");

/// Kernels must have done the work (detour.h). grade() checks this by itself, except in tests of correctness of labs
/// whose functions get host memory: there, workers may make copies, too.
void require_done_by_kernels(const Answer& answer);

/// Points for speed: all of them while the answer's time is at most `full` times the reference's on the same case, none
/// from `zero` times on, linear in between. Anything below full marks the test failed, with the points it earned and
/// what limits the kernel.
///
/// `make` draws a new case from the generator that it is given; benchmark_case is one. `check` calls grade() on the
/// case once and fails the test, by the require_ functions, if the result is wrong; within it, grade() returns the
/// result of the timed run.
///
/// On the virtual GPU the time is predicted, from one run. On a real one it is measured in rounds, each on a new case,
/// and every result is checked. There are three verdicts; the third, inconclusive, comes after several tries
/// (README.md, "Time on a real GPU").
void require_time(const std::function<Case(Random&)>& make, const std::function<void(const Case&)>& check, double full,
                  double zero);

/// The same with one case for all rounds. What comes back is compared with what the reference sends back:
/// floating-point numbers to 0.1 % of the largest. Prefer the form above: it has new data in each round.
void require_time(const Case& given, double full, double zero);

/// Runs the answer on a case for a plot. Nothing if the run did not complete: the point is left out.
using RunForPlot = std::function<std::optional<Answer>(const Case&)>;

/// What a lab may have besides its tests. Null: it does not have that.
struct LabParts {
  Case (*benchmark)(Random&) = nullptr;
  Case (*large_benchmark)(Random&) = nullptr;
  std::vector<Plot> (*plots)(Random&, const RunForPlot&) = nullptr;
};

/// This program's: known before main() begins.
LabParts& lab_parts();

/// WB_LAB_BENCHMARK of this lab.
inline Case benchmark_case(Random& random) { return lab_parts().benchmark(random); }

}  // namespace warpbook::grader

#define WB_LAB_JOIN_(a, b) a##b
#define WB_LAB_NAME_(prefix, number) WB_LAB_JOIN_(prefix, number)
#define WB_LAB_TEST_(kind, points, sentence, body)                                                                \
  static void body();                                                                                             \
  static const ::warpbook::grader::Registration WB_LAB_JOIN_(body, _registration)(::warpbook::grader::Kind::kind, \
                                                                                  points, sentence);              \
  TEST_CASE(#kind "." sentence, "[" #kind "]") { ::warpbook::grader::run_lab_test(&body); }                       \
  static void body()

/// A test of a lab: WB_LAB_TEST(correctness, 2, "every shape is transposed exactly") { ... }
/// The ctest name is lab.kind.sentence. CMake reads these three from the source text, so write them literally.
#define WB_LAB_TEST(kind, points, sentence) WB_LAB_TEST_(kind, points, sentence, WB_LAB_NAME_(wb_lab_test_, __LINE__))

#define WB_LAB_TEXT_(...) (std::ostringstream() << __VA_ARGS__).str()

/// A requirement of the lab's own that does not hold ends the test: WB_FAIL("overbooked", "Flight " << flight << " is
/// full."). Wrong answers and the report of a class refer to it by its name; the text may be reworded.
/// Numbers that tell mistakes apart go into the record: WB_FAIL(Requirement("overbooked").with("seats", seats), ...).
#define WB_FAIL(requirement, ...) ::warpbook::grader::fail_requirement(requirement, WB_LAB_TEXT_(__VA_ARGS__))

/// The same for a call that returned a wrong number: WB_FAIL_CALL("predict(" << n << ")", found, ", but it is 4." <<
/// why) says "predict(3) returned 5, but it is 4." The requirement's name is the function's, and the finding's subject
/// is the call.
#define WB_FAIL_CALL(call, found, ...)                                                               \
  ::warpbook::grader::fail_call(WB_LAB_TEXT_(call), static_cast<double>(found), WB_LAB_TEXT_(found), \
                                WB_LAB_TEXT_(__VA_ARGS__))

#define WB_LAB_PART_(part, result, ...)                                   \
  static result wb_lab_##part(__VA_ARGS__);                               \
  [[maybe_unused]] static const bool wb_lab_has_##part =                  \
      (::warpbook::grader::lab_parts().part = &wb_lab_##part) != nullptr; \
  static result wb_lab_##part(__VA_ARGS__)

/// The case on which the ladder and the report run every rung: WB_LAB_BENCHMARK { return Case().set("rows", 4096); },
/// with `random` at hand. An exercise, which has no ladder, needs none, unless it has a test of time.
#define WB_LAB_BENCHMARK WB_LAB_PART_(benchmark, ::warpbook::grader::Case, [[maybe_unused]] ::warpbook::Random& random)

/// A larger case, of 256 MiB or more, for the bandwidth that a real GPU reaches, by `warpbook results --large`. Never
/// run on the virtual GPU.
#define WB_LAB_LARGE_BENCHMARK \
  WB_LAB_PART_(large_benchmark, ::warpbook::grader::Case, [[maybe_unused]] ::warpbook::Random& random)

/// Plots of the answer's own functions for the report: WB_LAB_PLOTS { return {...}; }, with `random`
/// and `run` available. For labs about a curve; nothing is graded here. The results of `run` are
/// measured with the preset gpu, else predicted; a plot without a point is left out.
#define WB_LAB_PLOTS                                                                                      \
  WB_LAB_PART_(plots, std::vector<::warpbook::grader::Plot>, [[maybe_unused]] ::warpbook::Random& random, \
               const ::warpbook::grader::RunForPlot& run)
