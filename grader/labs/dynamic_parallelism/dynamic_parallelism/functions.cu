// The functions of lab dynamic_parallelism, and runners for what a plain call cannot express.
#include "dynamic_parallelism.h"
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

/// An output that starts as zeros: what an answer does not count stays 0.
class ZeroedBuffer : public FilledBuffer<int> {
 public:
  ZeroedBuffer(const Case& given, const std::string& name, std::size_t count)
      : FilledBuffer<int>(given, name, count, 0) {}
};

/// The caller of part 5's functions chooses how many launches may be pending; 0 leaves it as it is.
void set_limit(const Case& given) {
  const int limit = number(given, "limit");
  if (limit > 0) WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, static_cast<std::size_t>(limit)));
}

/// The limit as it is now, and how often one was set so far, which only the virtual GPU can tell.
void reply_limits(Reply& reply, const std::string& when) {
  if (device_has_arrays()) {
    observe_on_device(warpbook::simulator::remote::ArrayKind::observe_limits, when);
    return;
  }
  std::size_t limit = 0;
  WB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  reply.set(when + ".pending_launches", limit);
  reply.set(when + ".set", 0);
}

void run_visit_all(const Case& given, Reply& reply) {
  set_limit(given);
  const int count = number(given, "count");
  const ZeroedBuffer visits(given, "visits", count), refused(given, "refused", 1);
  reply_limits(reply, "before");
  visit_all(count, visits.data(), refused.data());
  reply_limits(reply, "after");
  send(reply, visits, refused);
}

void run_visit_by_children(const Case& given, Reply& reply) {
  set_limit(given);
  const int count = number(given, "count");
  const ZeroedBuffer visits(given, "visits", count);
  visit_by_children(count, visits.data());
  reply_limits(reply, "after");
  send(reply, visits);
}

}  // namespace

WB_FUNCTION(predict_seen)
WB_FUNCTION(predict_grids)
WB_FUNCTION(smooth)
WB_FUNCTION(sum_rows)
WB_FUNCTION(largest_row)
WB_FUNCTION(count_nodes)
WB_RUNNER("visit_all", run_visit_all)
WB_RUNNER("visit_by_children", run_visit_by_children)
