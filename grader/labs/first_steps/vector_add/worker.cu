// Runs one case of lab vector_add: adds the arrays a and b of the case and sends all three back.
#include "grader/runner/worker.cuh"
#include "vector_add.h"

using namespace warpbook::grader;

void run_case(const Case& given, Reply& reply) {
  const InputBuffer<float> a(given, "a"), b(given, "b");
  const OutputBuffer<float> c(given, "c", a.size());
  measure(reply, [&] { vector_add(a.data(), b.data(), c.data(), static_cast<int>(a.size())); });
  send(reply, a, b, c);
}
