// Launches more grids than may wait for their start: those beyond 2048 are dropped.
// rejected-by: correctness.no launch is lost, however many curves there are
// because: Its points were never computed
// because: dropped without a word
#include "bezier.h"

#define make_room_for right_make_room_for
#define draw right_draw
#define measure_lengths right_measure_lengths
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef make_room_for
#undef draw
#undef measure_lengths

void draw(const Curve* curves, int curve_count, int zoom, Polyline* lines) {
  if (curve_count > 0) parent_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines);
}

void measure_lengths(const Curve* curves, int curve_count, int zoom, Polyline* lines, float* lengths) {
  if (curve_count > 0) measure_kernel<<<blocks_for(curve_count), kThreads>>>(curves, curve_count, zoom, lines, lengths);
}
