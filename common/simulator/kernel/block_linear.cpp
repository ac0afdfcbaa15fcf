// Follows definitions downwards, as for launch constants. Then drops what would have to be filled in for no gain.
#include "common/simulator/kernel/block_linear.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

/// What a register holds, simplest first.
enum class LinearHeld : std::uint8_t { same_for_all, constant, linear, other };

using LinearOperand = LinearForm::Operand;
using LinearValue = LinearForm::Value;

class LinearFinder {
 public:
  LinearFinder(const std::vector<LinearForm>& forms, const std::vector<Access>& accesses,
               const std::vector<bool>& constant, const std::vector<bool>& crosses_lanes,
               const std::vector<std::uint32_t>& live_at_entry, std::size_t registers)
      : forms_(forms), accesses_(accesses), held_(registers, LinearHeld::other), writers_(registers, 0) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      for (const std::uint32_t r : accesses[i].writes) ++writers_[r];
      if (!crosses_lanes[i]) continue;
      for (const std::uint32_t r : accesses[i].reads) writers_[r] += 2;
    }
    for (const std::uint32_t r : live_at_entry) writers_[r] += 2;
    found_.instructions.assign(forms.size(), false);
    found_.registers.assign(registers, false);
    found_.filled.assign(registers, false);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (constant[i])
        note_constant(i);
      else if (is_linear(i))
        note_linear(i);
    }
  }

  BlockLinear finish(std::size_t beginning) {
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (!found_.instructions[i]) read_by_others(i);
    }
    // What an instruction reads is defined above it, so every linear instruction that may keep reading a result was
    // visited before.
    std::vector<bool> needed(held_.size(), false);
    for (std::size_t i = forms_.size(); i-- > beginning;) {
      if (!found_.instructions[i]) continue;
      const std::uint32_t result = accesses_[i].writes[0];
      if (found_.filled[result] && !needed[result]) {
        found_.instructions[i] = found_.registers[result] = found_.filled[result] = false;
        read_by_others(i);
      } else {
        for (const std::uint32_t r : accesses_[i].reads) needed[r] = true;
      }
    }
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (found_.instructions[i] && forms_[i].widens) note_checks(forms_[i]);
    }
    return found_;
  }

 private:
  LinearHeld held(const LinearOperand& operand) const {
    switch (operand.value) {
      case LinearValue::same_for_all:
        return LinearHeld::same_for_all;
      case LinearValue::differs_by_thread:
        return LinearHeld::constant;
      case LinearValue::block_index:
        return LinearHeld::linear;
      case LinearValue::reg:
        break;
    }
    return held_[operand.reg];
  }

  void note_constant(std::size_t i) {
    const auto& reads = accesses_[i].reads;
    const bool same = forms_[i].shares_inputs && std::all_of(reads.begin(), reads.end(), [&](std::uint32_t r) {
                        return held_[r] == LinearHeld::same_for_all;
                      });
    for (const std::uint32_t r : accesses_[i].writes) held_[r] = same ? LinearHeld::same_for_all : LinearHeld::constant;
  }

  bool is_linear(std::size_t i) const {
    const LinearForm& form = forms_[i];
    const std::vector<LinearOperand>& operands = form.operands;
    if (form.shape == LinearForm::Shape::other || accesses_[i].guarded || accesses_[i].writes.size() != 1 ||
        writers_[accesses_[i].writes[0]] != 1)
      return false;
    if (std::any_of(operands.begin(), operands.end(),
                    [&](const LinearOperand& o) { return held(o) == LinearHeld::other; }))
      return false;
    const auto is_product = [&] {
      const LinearHeld first = held(operands[0]), second = held(operands[1]);
      return first == LinearHeld::same_for_all || second == LinearHeld::same_for_all ||
             (first != LinearHeld::linear && second != LinearHeld::linear);
    };
    switch (form.shape) {
      case LinearForm::Shape::product:
      case LinearForm::Shape::product_and_third:
        return is_product();
      case LinearForm::Shape::shifted:
        return held(operands[1]) == LinearHeld::same_for_all;
      default:
        return true;
    }
  }

  void note_linear(std::size_t i) {
    found_.instructions[i] = true;
    found_.registers[accesses_[i].writes[0]] = true;
    held_[accesses_[i].writes[0]] = LinearHeld::linear;
  }

  /// Instruction @p i is executed in each block: what it reads must be filled in.
  void read_by_others(std::size_t i) {
    for (const std::uint32_t r : accesses_[i].reads)
      if (found_.registers[r] && !only_address(i, r)) found_.filled[r] = true;
  }

  /// The register is used as the address only. (An address may also be the value that is stored.)
  bool only_address(std::size_t i, std::uint32_t r) const {
    return forms_[i].address == r && std::count(accesses_[i].reads.begin(), accesses_[i].reads.end(), r) == 1;
  }

  void note_checks(const LinearForm& form) {
    const bool multiplies = form.shape == LinearForm::Shape::product_and_third;
    for (std::size_t k = 0; k < (multiplies ? 2 : form.operands.size()); ++k) {
      const LinearOperand& operand = form.operands[k];
      if (operand.value != LinearValue::reg || !found_.registers[operand.reg]) continue;
      const BlockLinear::Check check{operand.reg, form.is_signed};
      if (std::find(found_.checks.begin(), found_.checks.end(), check) == found_.checks.end())
        found_.checks.push_back(check);
    }
  }

  const std::vector<LinearForm>& forms_;
  const std::vector<Access>& accesses_;
  std::vector<LinearHeld> held_;
  std::vector<unsigned> writers_;  ///< Number of writers of each register; more than one if it must hold exactly what
                                   ///< was written.
  BlockLinear found_;
};

}  // namespace

BlockLinear find_block_linear(const std::vector<LinearForm>& forms, const std::vector<Access>& accesses,
                              const std::vector<bool>& constant, const std::vector<bool>& crosses_lanes,
                              const std::vector<std::uint32_t>& live_at_entry, std::size_t registers,
                              std::size_t beginning) {
  return LinearFinder(forms, accesses, constant, crosses_lanes, live_at_entry, registers).finish(beginning);
}

}  // namespace warpbook::simulator
