// An operation that checkers watch: what it was before a checker took its place, and what it does to memory and order.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/operation.h"
#include "common/simulator/observe/access_form.h"

namespace warpbook::simulator {

struct Watched {
  enum class Role : std::uint8_t {
    none,
    access,  ///< Load, store, atomic.
    copy,    ///< cp.async
    commit,
    wait,  ///< For all groups but the latest Operation::immediate,
    wait_all,
    fence,
    barrier,
    warp_barrier,
    mbarrier,  ///< Makes, changes or looks at one.
    bulk,      ///< Copies stretches of memory (Checker::read_in_bulk and others).
    exchange,  ///< Shuffle, vote, match, reduction among lanes.
  };
  Role role = Role::none;
  Handler handler = nullptr;  ///< What executes it.
  AccessForm form;
  HandOver order;
  std::uint32_t program = 0;  ///< Its number: Checker knows the place by it.
  bool sized = false;         ///< Of a copy: Operation::c is the number of bytes that are read.
  bool waits = true;          ///< Of a barrier: false for an arrival only.
  bool all = true;            ///< Of a barrier: it names no number of threads.
  mutable bool has_site = false;
  mutable std::uint32_t site = 0;  ///< RaceDetector::new_site(), once it was executed.
  /// Where in global memory the first lane's latest access was, of whatever warp.
  mutable std::uint64_t latest = 0;
};

}  // namespace warpbook::simulator
