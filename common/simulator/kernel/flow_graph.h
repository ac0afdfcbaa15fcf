// The control-flow graph of one function: basic blocks and where divergent paths meet again.
//
// Divergent lanes reconverge at the immediate post-dominator of the branch. Plain post-dominators would give up on `if
// (a) { if (b) return; x; } y;`: one path leaves before y, so the outer branch is post-dominated only by the end of the
// kernel, although lanes that return are simply gone. So early exits are removed from the graph first: a conditional
// branch to a block that only returns is not counted as an edge, and neither is a path that leads only to an early
// exit.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

/// How one instruction moves control; the input of the graph.
struct Flow {
  enum class Kind : std::uint8_t { next, branch, indexed_branch, leave };
  Kind kind = Kind::next;
  bool conditional = false;            ///< Control may also fall through.
  std::vector<std::uint32_t> targets;  ///< Instruction positions.
  bool ends_block = false;             ///< A basic block ends here although control falls through.
};

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;  ///< Instructions [begin, end).
  std::vector<std::uint32_t> successors, predecessors;
  std::int32_t reconvergence = -1;  ///< Block where paths that diverge at its end meet again; -1: nowhere.
  bool leaves = false;              ///< Its last instruction may leave the function.
};

class FlowGraph {
 public:
  explicit FlowGraph(const std::vector<Flow>& flow);
  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  std::uint32_t block_of(std::uint32_t instruction) const { return block_of_[instruction]; }

 private:
  void find_blocks(const std::vector<Flow>& flow);
  void find_reconvergence(const std::vector<Flow>& flow);
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
};

}  // namespace warpbook::simulator
