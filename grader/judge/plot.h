// Plots of what an answer's own functions did: sweeps, staircases and heat maps, which the report draws.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warpbook::grader {

enum class PlotKind {
  sweep,      ///< Lines over a range of sizes.
  staircase,  ///< Levels, each over a range of sizes.
  heat_map,   ///< A value for each row and column: each curve is a row, and all have the same columns.
};

/// "sweep", "staircase", "heat_map"
const char* spelling_of(PlotKind kind);

struct Curve {
  std::string label{};
  std::vector<std::pair<double, double>> points{};  ///< From left to right.
};

struct Plot {
  std::string name{};  ///< Part of its file's name.
  PlotKind kind = PlotKind::sweep;
  std::string title{}, caption{};
  std::string x{}, y{};  ///< Titles of the axes, with the unit.
  std::string value{};   ///< Of a heat map: what its colours mean.
  std::vector<Curve> curves{};
};

/// As results.json has it (docs/formats.md).
nlohmann::json to_json(const Plot& plot);
/// The reverse. @throws nlohmann::json::exception, std::runtime_error for an unknown kind
Plot plot_from_json(const nlohmann::json& json);

}  // namespace warpbook::grader
