// A stopped grid: its threads, where each one is and what it sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/simulator/debugger/module_view.h"
#include "common/simulator/debugger/value.h"
#include "common/simulator/machine/step_observer.h"

namespace warpbook::simulator::debugger {

/// A thread of a grid, by linear indices in grid and block.
struct ThreadId {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  unsigned warp() const { return thread / kWarpSize; }
  unsigned lane() const { return thread % kWarpSize; }
  bool operator==(const ThreadId&) const = default;
};

struct LaneState {
  enum class Status : std::uint8_t {
    at_operation,  ///< About to execute it, with the other lanes of its path.
    ready,         ///< Runs when its warp or path gets its turn.
    barrier,       ///< Waits for threads of its block,
    lanes,         ///< for lanes of its warp,
    mbarrier,
    cluster,
    joining,  ///< or at a reconvergence point, for lanes on another path.
    exited,
  };
  Status status = Status::exited;
  const Operation* next = nullptr;
  const Frame* frame = nullptr;
  std::int32_t barrier = -1;
};

/// One frame of a thread's call stack.
struct FrameView {
  const Frame* frame = nullptr;
  const Operation* at = nullptr;  ///< The next operation; in callers, the call.
  std::uint32_t function = 0;
};

class GridView {
 public:
  GridView(const Launch& launch, const ModuleView& module) : launch_(launch), module_(module) {}

  void started(Worker& worker, const StepObserver::Blocks& blocks) {
    worker_ = &worker;
    blocks_ = &blocks;
  }
  /// Sets the operation that is executed now, and the lanes that execute it.
  void at(WarpState& warp, const Operation& operation) {
    warp_ = &warp;
    operation_ = &operation;
    lanes_ = warp.active;
    frame_ = warp.frame;
  }

  /// Nothing is being executed any more.
  void nobody() {
    warp_ = nullptr;
    lanes_ = 0;
  }

  const Launch& launch() const { return launch_; }
  const ModuleView& module() const { return module_; }
  Worker& worker() const { return *worker_; }
  WarpState* current_warp() const { return warp_; }
  std::uint32_t current_lanes() const { return lanes_; }
  /// Blocks that are running, in the order of their start.
  std::vector<BlockState*> blocks() const;
  BlockState* find(std::uint64_t block) const;
  WarpState* find(ThreadId thread) const;
  LaneState state_of(const WarpState& warp, unsigned lane) const;
  /// The call stack of @p thread, innermost frame first. Empty if it has ended or not begun.
  std::vector<FrameView> frames(ThreadId thread) const;
  /// The innermost of these that is in the user's source: not in functions without lines, nor in headers of the
  /// toolkit, such as those behind assert and atomicAdd. If none is: the innermost one with a line, or 0.
  std::size_t user_frame(const std::vector<FrameView>& frames) const;
  static unsigned depth(const Frame* frame);

  Dim3 block_index(std::uint64_t block) const { return index_in(launch_.grid, block); }
  Dim3 thread_index(std::uint32_t thread) const { return index_in(launch_.block, thread); }
  std::uint32_t sm_of(std::uint64_t block) const { return static_cast<std::uint32_t>(block % launch_.multiprocessors); }
  static Dim3 index_in(Dim3 extent, std::uint64_t linear);
  static std::optional<std::uint64_t> linear_in(Dim3 extent, Dim3 index);

 private:
  const Launch& launch_;
  const ModuleView& module_;
  Worker* worker_ = nullptr;
  const StepObserver::Blocks* blocks_ = nullptr;
  WarpState* warp_ = nullptr;
  const Operation* operation_ = nullptr;
  const Frame* frame_ = nullptr;
  std::uint32_t lanes_ = 0;
};

/// "(1,0,0)"
std::string triple_text(Dim3 at);

/// What a thread sees in one of its frames.
class ThreadContext : public Context {
 public:
  /// @param history values that were printed; the first is $1
  ThreadContext(const GridView& grid, ThreadId thread, FrameView frame, const std::vector<Value>& history)
      : grid_(grid), thread_(thread), frame_(frame), warp_(grid.find(thread)), history_(history) {}

  Value named(const std::string& name) override;
  Value special(const std::string& name) override;
  std::vector<std::uint8_t> read(ptx::Space space, std::uint64_t address, std::uint64_t bytes) override;
  std::vector<std::uint8_t> read_register(const std::string& name) override;
  const Type* type_named(const std::string& name) override { return grid_.module().type_named(name); }

  /// Source variables visible here, those of the innermost scope first.
  std::vector<const Variable*> variables(bool parameters) const;
  /// Those in shared memory, wherever the source declares them.
  std::vector<const Variable*> shared_variables() const;
  bool is_shared(const Variable& variable) const;
  Value value(const Variable& variable);
  const NamedRegister* find_register(const std::string& name) const;
  const FunctionNames& names() const;

 private:
  Place place(const Location& location) const;
  Place passed(const Variable& argument) const;
  std::optional<Value> built_in(const std::string& name) const;
  std::uint32_t ptx_line() const;

  const GridView& grid_;
  ThreadId thread_;
  FrameView frame_;
  WarpState* warp_;
  const std::vector<Value>& history_;
};

}  // namespace warpbook::simulator::debugger
