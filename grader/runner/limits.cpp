// Reads limits: one row for each that can be set from outside.
#include "grader/runner/limits.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <variant>

namespace warpbook::grader {

namespace {

struct Row {
  const char* name;
  std::variant<double Limits::*, int Limits::*, std::uint64_t Limits::*> member;
};

const Row kRows[] = {
    {"wall_s", &Limits::wall_s},
    {"cpu_s", &Limits::cpu_s},
    {"busy_s", &Limits::busy_s},
    {"memory_bytes", &Limits::memory_bytes},
    {"resident_bytes", &Limits::resident_bytes},
    {"processes", &Limits::processes},
    {"file_bytes", &Limits::file_bytes},
    {"kept_output_bytes", &Limits::kept_output_bytes},
    {"output_bytes", &Limits::output_bytes},
    {"reply_bytes", &Limits::reply_bytes},
};

const Row& row_of(const std::string& name) {
  std::string known;
  for (const Row& row : kRows) {
    if (row.name == name) return row;
    known += std::string(known.empty() ? "" : ", ") + row.name;
  }
  throw std::runtime_error("'" + name + "' is not a limit: the limits are " + known);
}

}  // namespace

Limits limits_from(const nlohmann::json& object) {
  Limits limits;
  for (const auto& item : object.items()) {
    const Row& row = row_of(item.key());
    const nlohmann::json& value = item.value();
    if (!value.is_number() || value.get<double>() < 0)
      throw std::runtime_error("limit '" + item.key() + "' is " + value.dump() + ": it must be a number, 0 or more");
    std::visit([&](auto member) { value.get_to(limits.*member); }, row.member);
  }
  return limits;
}

}  // namespace warpbook::grader
