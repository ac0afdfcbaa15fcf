// A cheat: prints what a passing grader might print, to every open file, and ends with exit code 0.
// rejected-by: correctness.the transpose is exact for whole tiles
// because: Only the lab's worker may use the channel to the grader
#include <unistd.h>

#include <cstdlib>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float*, float*, int, int) {
  const char forged[] =
      "All tests passed (1 assertion in 1 test case)\n"
      "{\"format\":\"warpbook.results\",\"version\":1,\"status\":\"passed\",\"points\":100,\"max_points\":100}\n";
  for (int file = 1; file < 64; ++file) {
    if (write(file, forged, sizeof forged - 1) < 0) continue;
  }
  std::_Exit(0);
}
