// Plots as JSON.
#include "grader/judge/plot.h"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

constexpr std::array kPlotKinds = {"sweep", "staircase", "heat_map"};

}  // namespace

const char* spelling_of(PlotKind kind) { return kPlotKinds.at(static_cast<std::size_t>(kind)); }

Json to_json(const Plot& plot) {
  Json json = {{"name", plot.name},   {"kind", spelling_of(plot.kind)},
               {"title", plot.title}, {"caption", plot.caption},
               {"x", plot.x},         {"y", plot.y},
               {"value", plot.value}, {"curves", Json::array()}};
  for (const Curve& curve : plot.curves) json["curves"].push_back({{"label", curve.label}, {"points", curve.points}});
  return json;
}

Plot plot_from_json(const Json& json) {
  Plot plot;
  const auto kind = json.at("kind").get<std::string>();
  std::size_t number = 0;
  while (number < kPlotKinds.size() && kind != kPlotKinds[number]) ++number;
  if (number == kPlotKinds.size()) throw std::runtime_error("'" + kind + "' is not a kind of plot");
  plot.kind = static_cast<PlotKind>(number);
  for (const auto& [key, text] : {std::pair("name", &plot.name),
                                  {"title", &plot.title},
                                  {"caption", &plot.caption},
                                  {"x", &plot.x},
                                  {"y", &plot.y},
                                  {"value", &plot.value}})
    *text = json.at(key).get<std::string>();
  for (const Json& curve : json.at("curves"))
    plot.curves.push_back(
        {curve.at("label").get<std::string>(), curve.at("points").get<std::vector<std::pair<double, double>>>()});
  return plot;
}

}  // namespace warpbook::grader
