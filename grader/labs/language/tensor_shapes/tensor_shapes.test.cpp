// The tests of exercise tensor_shapes: scaled products, and elements of fragments as nvcc has them.
#include "labs/language/tensor_shapes/tensor_shapes.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 4, "products are scaled and added") {
  for (const std::size_t tiles : usual_sizes(1, 500)) {
    const auto number_of = [](int i) { return static_cast<double>(test_random().integer(-i, i)); };
    std::vector<double> a(32 * tiles), b(32 * tiles), c(64 * tiles);
    for (auto* array : {&a, &b, &c})
      for (double& x : *array) x = number_of(1000);
    const double alpha = number_of(50) / 4;
    const Case given = call(
        "multiply", {input("a", a), input("b", b), in_out("c", c), number("tiles", tiles), number("alpha", alpha)});
    for (std::size_t i = 0; i < c.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) c[i] += alpha * a[i / 8 * 4 + k] * b[i / 64 * 32 + i % 8 * 4 + k];
    const Answer answer = grade(given);
    require_equal(answer, "c", c, {tiles, 8, 8});
    require_tensor_cores(answer, tiles);
  }
}

WB_LAB_TEST(correctness, 5, "elements of fragments are predicted") {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto found = grade(call("elements", {each("numbers", numbers)})).output<std::int32_t>(kReturned);
  std::string program = "#include <mma.h>\nusing namespace nvcuda::wmma;\n";
  for (int n = 1; n <= 10; ++n)
    program += std::string("static_assert(fragment<") + kFragments[n - 1] +
               ">::num_elements == " + std::to_string(found.at(n - 1)) + ");\n";
  const Compiled compiled = compile_program(program, CompileFor::device);
  for (int n = 1; n <= 10; ++n)
    if (compiled.verdict(n + 2) != 0)
      WB_FAIL_CALL("elements(" << n << ")", found[n - 1],
                   ". nvcc refuses static_assert(fragment<" << kFragments[n - 1]
                                                            << ">::num_elements == " << found[n - 1] << ").");
}
