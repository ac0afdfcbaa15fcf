// The registers of a block's warps that are linear in the block index (kernel/block_linear.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/simulator/machine/global_pattern.h"
#include "common/simulator/machine/launch.h"

namespace warpbook::simulator {

struct WarpState;

class LinearRegisters {
 public:
  using Warps = std::vector<std::unique_ptr<WarpState>>;

  /// Computes how they grow, once the launch constants of @p warps are known. Call once per launch.
  void prepare(const Launch& launch, const Warps& warps);
  /// Fills them in for the block at @p index.
  void start(const std::uint32_t (&index)[3], const Warps& warps);

  /// Whether nothing overflows in any block. Only then do these registers hold what steps() says.
  bool is_linear() const { return linear_; }
  using Steps = std::array<std::int64_t, 3>;
  /// From block to block in each dimension: how much an address grows that has this index in LinearPart::origins.
  /// kNoOperand: one that is the same in every block.
  Steps steps(std::uint32_t origin) const;

 private:
  using PerAxis = std::uint64_t[3];
  /// A slot of 4 or 8 bytes per lane, and its growth from block to block in each dimension.
  struct Register {
    std::uint32_t slot = 0;
    bool wide = false;
    PerAxis growth = {};
    std::vector<std::uint64_t> values;  ///< Values in block (0, 0, 0), by warp and lane; for registers that are filled
                                        ///< in.
    std::uint64_t in_first_lane(const WarpState& warp) const;
    std::uint64_t origin(const std::uint32_t (&index)[3]) const;
  };
  void execute(WarpState& warp, const std::uint32_t (&index)[3]) const;
  bool overflows(const Register& reg, bool is_signed, const Warps& warps) const;

  const Launch* launch_ = nullptr;
  const LinearPart* part_ = nullptr;
  std::vector<Preset> index_;  ///< Where the block index is.
  std::vector<Register> filled_, addresses_;
  bool linear_ = true;  ///< Nothing overflows in any block; otherwise the linear instructions are executed in each
                        ///< block.
  std::vector<LinearOrigin> origins_;  ///< For `addresses_`, and a last one that stays 0.
  std::vector<GlobalPattern> patterns_;
};

}  // namespace warpbook::simulator
