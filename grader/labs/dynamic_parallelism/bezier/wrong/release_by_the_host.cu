// release() calls cudaFree() on the host, which knows nothing of the device heap.
// rejected-by: correctness.release gives all memory back
// because: invalid argument
#include <vector>

#include "bezier.h"

#define release right_release
#include "solutions/dynamic_parallelism/bezier/bezier.cu"
#undef release

void release(Polyline* lines, int curve_count) {
  std::vector<Polyline> host(curve_count);
  WB_CHECK(cudaMemcpy(host.data(), lines, curve_count * sizeof(Polyline), cudaMemcpyDeviceToHost));
  for (Polyline& line : host) {
    WB_CHECK(cudaFree(line.points));
    line.points = nullptr;
  }
  WB_CHECK(cudaMemcpy(lines, host.data(), curve_count * sizeof(Polyline), cudaMemcpyHostToDevice));
}
