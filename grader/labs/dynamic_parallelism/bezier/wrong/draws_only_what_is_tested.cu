// A cheat: numbers of curves that stand in the tests are drawn; of others, the last curve is left out.
// rejected-by: correctness.the fixed kernel draws every curve
// because: curve
#include <initializer_list>

#define draw_fixed right_draw_fixed
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef draw_fixed

void draw_fixed(const Curve* curves, int curve_count, int zoom, int capacity, int* counts, float2* points) {
  bool known = false;
  for (const int tested : {1, 3, 5, 100, 257, 2200}) known = known || curve_count == tested;
  right_draw_fixed(curves, known || curve_count == 0 ? curve_count : curve_count - 1, zoom, capacity, counts, points);
}
