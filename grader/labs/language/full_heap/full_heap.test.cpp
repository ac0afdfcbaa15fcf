// The tests of exercise full_heap: memory until there is no more, twice, and predictions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 5, "all that was freed can be had again") {
  for (const std::int64_t bytes : {1L << 20, 1L << 16, 16 * test_random().integer(64, 65'536)}) {
    const Case given = call("fill_up", {output<std::int32_t>("counts", 2), number("bytes", bytes)});
    const Answer answer = grade(then(given, "machine.full_heap.heap_bytes", {}));
    const auto counts = answer.output<std::int32_t>("counts");
    const std::int64_t most = answer.output<std::int32_t>(kReturned).at(0) / bytes;
    if (counts[0] < 1 || counts[0] > most)
      WB_FAIL("number_of_pieces",
              counts[0] << " pieces of " << bytes << " bytes were counted; " << most << " would fill the heap.");
    if (counts[0] != counts[1])
      WB_FAIL("pieces_differ", "First there were " << counts[0] << " pieces, then " << counts[1] << ".");
    if (!answer.profile.heap) continue;  // On a real GPU nothing is known of it.
    const HeapUse& heap = *answer.profile.heap;
    if (heap.refused < 2)
      WB_FAIL("not_filled", "malloc() returned nullptr " << heap.refused << " times: the heap was not filled twice.");
    if (heap.live_bytes > 0) WB_FAIL("not_freed", heap.live_bytes << " bytes were not freed.");
    if (heap.allocations != counts[0] + counts[1]) WB_FAIL("not_counted", "Not all pieces were counted.");
  }
}

WB_LAB_TEST(correctness, 4, "who gets nothing is predicted") {
  // Constants: each machine's heap has room for fewer than this bound, which is what CUDA promises.
  std::vector<std::int32_t> threads, bytes, mebibytes, found;
  for (int i = 0; i < 300; ++i) {
    threads.push_back(test_random().integer(0, 100'000)), mebibytes.push_back(test_random().size(1, 1024));
    bytes.push_back(i % 3 == 0 ? 1024 << i % 10 : test_random().size(1, 1'000'000));
    found.push_back(std::max<std::int64_t>(threads[i] - (std::int64_t{mebibytes[i]} << 20) / bytes[i], 0));
  }
  require_returned(
      grade(call("get_nothing", {each("threads", threads), each("bytes", bytes), each("mebibytes", mebibytes)})), found,
      {"No more pieces than fit into the heap can be given out."});
}
