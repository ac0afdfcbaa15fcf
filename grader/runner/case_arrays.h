// The arrays of a case in the device process: inputs that it fills, outputs that it poisons and keeps.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "common/simulator/remote/arrays.h"
#include "common/simulator/runtime/runtime.h"
#include "grader/judge/case.h"
#include "grader/judge/change.h"

namespace warpbook::grader {

/// Answers requests of a program for arrays of its case. An array is handed out once: as device memory, as memory that
/// the program made, or to be read by the host; so a program that has an input on the device has not seen its contents.
class CaseArrays : public simulator::remote::ArrayOwner {
 public:
  explicit CaseArrays(const Case& given);

  Answer ask(simulator::remote::ArrayKind kind, const std::string& name, int element, std::uint64_t bytes,
             std::uint64_t address) override;

  /// A library that gathers small arrays before it copies them gathers what the program sees of them; what arrives are
  /// the changed contents.
  void arriving(std::span<std::byte> bytes) override;

  /// The outputs as they were when they were taken, else as they are now; inputs only if they were changed.
  Reply results();

 private:
  struct Array {
    Value::Role role = Value::Role::plain;
    Element element = Element::u8;
    std::uint64_t address = 0, bytes = 0;
    bool taken = false;
    std::vector<std::byte> pageable = {};    ///< Its bytes, if it is in the program's pageable memory.
    std::vector<std::byte> registered = {};  ///< The bytes of all the registered memory that contains it.
    /// An input that the device has changed: what it must hold now.
    std::vector<std::byte> changed = {};
    bool changed_on_arrival = false;  ///< The program sees the old contents.
  };
  simulator::remote::ArrayError on_device(Array& array);
  static simulator::remote::ArrayError in_program(Array& array, std::uint64_t address);
  void fill(const std::string& name, Array& array, bool is_input) const;
  void bind(const Array& array, const std::string& name) const;
  static void note_written(const Array& array);
  static std::span<std::byte> live(Array& array);
  std::size_t changed_behind(const std::string& name, const Array& array) const;
  void take();
  /// Makes the changes of this moment that have not been made yet, of one array or of all.
  void make_changes(Moment moment, const std::string& only = "");
  /// @returns whether there was something to change
  bool make(Change& change);
  void before_grid(const simulator::runtime::GridStart& start);
  void observe(simulator::remote::ArrayKind kind, const std::string& name, std::uint64_t address);

  struct PlannedChange {
    Change change;
    bool made = false;
  };
  const Case& given_;
  std::uint64_t poison_;
  std::vector<PlannedChange> changes_;
  unsigned host_launches_ = 0;  ///< Since an array was handed out.
  std::map<std::string, Array> arrays_;
  Reply results_;
};

}  // namespace warpbook::grader
