// How the worker reports where the arrays of a case are, for libraries that know only addresses when they end the
// program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/case.h"

namespace warpbook::grader {

struct ArrayPlace {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
};

/// The message that comes in the place of a reply: of each array, by its name, the address and the size.
inline Values values_of(const std::vector<ArrayPlace>& places) {
  Values values;
  for (const ArrayPlace& place : places) values.set(place.name, std::vector<std::uint64_t>{place.address, place.bytes});
  return values;
}

/// The reverse. What is no place is left out: who ends a program may have written anything.
inline std::vector<ArrayPlace> places_in(const Values& values) {
  std::vector<ArrayPlace> places;
  for (const auto& [name, value] : values.all()) {
    if (value.scalar || value.element != Element::u64 || value.count() != 2) continue;
    const std::vector<std::uint64_t> place = values.array<std::uint64_t>(name);
    places.push_back({name, place[0], place[1]});
  }
  return places;
}

}  // namespace warpbook::grader
