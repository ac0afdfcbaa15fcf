// A cheat: counts that stand in the tests are summed to the end; of others, the last number is left out.
// rejected-by: correctness.the sum of whole numbers is exact for every count
// because: 'out' is wrong
#include <initializer_list>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

void sum(const float* in, float* out, float* scratch, int n) {
  bool known =
      n < 100 || (n >= 1500000 && n <= 1600000) || (n >= 100000 && n <= 200000) || n == 1 << 20 || n == 1 << 23;
  for (const int tested :
       {127, 128, 255, 256, 257, 511, 512, 513, 1000, 1023, 1025, 4099, 65536, 65537, 300007, 1000003})
    known = known || n == tested;
  right_sum(in, out, scratch, known ? n : n - 1);
}
