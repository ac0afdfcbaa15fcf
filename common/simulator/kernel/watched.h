// An operation that checkers watch: the original handler, and what the operation does to memory and ordering.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/operation.h"
#include "common/simulator/observe/access_form.h"

namespace warpbook::simulator {

struct Watched {
  enum class Role : std::uint8_t {
    none,
    access,    ///< Load, store, atomic.
    constant,  ///< Load from constant memory.
    copy,      ///< cp.async
    commit,
    wait,  ///< For all groups but the latest Operation::immediate ones.
    wait_all,
    fence,
    barrier,
    warp_barrier,
    mbarrier,  ///< Initialises, changes or tests one.
    bulk,      ///< Copies ranges of memory (Checker::read_in_bulk and others).
    exchange,  ///< Shuffle, vote, match, warp reduction.
  };
  Role role = Role::none;
  Handler handler = nullptr;  ///< Executes it.
  AccessForm form;
  HandOver order;
  std::uint32_t program = 0;  ///< The program's number, by which Checker identifies the place.
  bool sized = false;         ///< For a copy: Operation::c is the number of bytes to read.
  bool waits = true;          ///< For a barrier: false if it only arrives.
  bool all = true;            ///< For a barrier: it gives no thread count.
  mutable bool has_site = false;
  mutable std::uint32_t site = 0;  ///< RaceDetector::new_site(), set on first execution.
  /// The global address of the first lane's latest access, in any warp.
  mutable std::uint64_t latest = 0;
};

}  // namespace warpbook::simulator
