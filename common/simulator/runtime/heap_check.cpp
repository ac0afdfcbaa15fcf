// Finds allocations in the device heap for findings.
#include "common/simulator/runtime/heap_check.h"

#include <string>
#include <utility>

#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {

HeapCheck::HeapCheck(Runtime& runtime) : runtime_(runtime) {
  runtime_.here().heap->follow_calls();
  runtime_.here().heap->forget_keys();
  ++runtime_.grids_with_heap;
}

HeapCheck::~HeapCheck() {
  runtime_.here().heap->forget_keys();
  // A grid that runs inside another one leaves that to the outer grid.
  if (--runtime_.grids_with_heap == 0) runtime_.memory.forget_removed();
}

CheckSite heap_site(const Runtime& runtime, const HeapCall& call, const char* role) {
  CheckSite site = runtime.here().heap->site_of(call);
  site.role = role;
  return site;
}

void add_heap_piece(const Runtime& runtime, std::uint64_t address, CheckFinding& finding) {
  if (!runtime.here().heap) return;
  const auto piece = runtime.here().heap->piece_near(address);
  if (!piece) return;
  const HeapCall& made = piece->made;
  finding.allocation = "the " + std::to_string(piece->bytes) + (piece->bytes == 1 ? " byte" : " bytes") + " at " +
                       hexadecimal(piece->address) + " that malloc gave to thread " + triple(made.thread) +
                       " of block " + triple(made.block) + (piece->is_freed ? ", and that were freed before" : "");
  if (finding.kind == "invalid_free" && piece->is_freed && piece->address == address) {
    finding.kind = "double_free";
    finding.advice = "free each pointer that malloc in a kernel returned once, then set it to nullptr";
  } else if (piece->is_freed) {
    finding.kind = "heap_use_after_free";
    finding.advice = "free memory from malloc in a kernel only after its last use";
  } else if (finding.kind == "out_of_bounds") {
    finding.kind = "heap_out_of_bounds";
    finding.advice = address < piece->address
                         ? "an index is negative, or the pointer is not the one that malloc returned"
                         : "compare the index with the size passed to malloc";
  }
  finding.sites.push_back(heap_site(runtime, made, "allocation"));
  if (piece->is_freed) finding.sites.push_back(heap_site(runtime, piece->freed, "free"));
}

}  // namespace warpbook::simulator::runtime
