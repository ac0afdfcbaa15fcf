// Ladders as JSON.
#include "grader/judge/ladder.h"

#include <nlohmann/json.hpp>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json measured_json(const std::optional<MeasuredTime>& time) {
  if (!time) return nullptr;
  Json json = {{"us", time->us},         {"low_us", time->low_us}, {"high_us", time->high_us},
               {"rounds", time->rounds}, {"timing", time->timing}, {"bytes", nullptr},
               {"gb_per_s", nullptr},    {"copy_us", nullptr},     {"copy_share", nullptr}};
  if (time->bytes > 0) {
    json["bytes"] = time->bytes;
    json["gb_per_s"] = time->gb_per_s();
  }
  if (time->copy_us > 0) {
    json["copy_us"] = time->copy_us;
    json["copy_share"] = time->copy_us / time->us;
  }
  return json;
}

std::optional<MeasuredTime> measured_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  MeasuredTime time;
  time.us = json.at("us").get<double>();
  time.low_us = json.at("low_us").get<double>();
  time.high_us = json.at("high_us").get<double>();
  time.rounds = json.at("rounds").get<int>();
  time.timing = json.at("timing").get<std::string>();
  if (json.at("bytes").is_number()) time.bytes = json.at("bytes").get<double>();
  if (json.at("copy_us").is_number()) time.copy_us = json.at("copy_us").get<double>();
  return time;
}

}  // namespace

LadderStep step_from_json(const Json& json) {
  LadderStep step;
  step.rung = json.at("rung").get<std::string>();
  step.title = json.at("title").get<std::string>();
  step.source = json.at("source").get<std::string>();
  step.library = json.at("library").get<bool>();
  step.problem = json.at("problem").get<std::string>();
  if (json.at("profile").is_string()) step.profile = json.at("profile").get<std::string>();
  if (json.at("time_us").is_number()) step.time_us = json.at("time_us").get<double>();
  if (json.at("kernel").is_number()) step.kernel = json.at("kernel").get<int>();
  step.measured = measured_from(json.at("measured"));
  step.large = measured_from(json.at("large"));
  return step;
}

std::vector<Disorder> disorder_of(const Ladder& ladder) {
  std::vector<Disorder> found;
  for (const LadderStep& a : ladder.rungs) {
    for (const LadderStep& b : ladder.rungs) {
      if (a.library || b.library || !a.time_us || !b.time_us || !a.measured || !b.measured) continue;
      if (*a.time_us < *b.time_us && a.measured->low_us > b.measured->high_us) found.push_back({a.rung, b.rung});
    }
  }
  return found;
}

Json to_json(const LadderStep& step) {
  return {{"rung", step.rung},
          {"title", step.title},
          {"source", step.source},
          {"library", step.library},
          {"time_us", or_null(step.time_us)},
          {"measured_us", step.measured ? Json(step.measured->us) : Json(nullptr)},
          {"measured", measured_json(step.measured)},
          {"large", measured_json(step.large)},
          {"profile", step.profile.empty() ? Json(nullptr) : Json(step.profile)},
          {"kernel", or_null(step.kernel)},
          {"problem", step.problem}};
}

Json to_json(const Ladder& ladder) {
  Json json = {{"rungs", Json::array()}, {"answer", to_json(ladder.answer)}, {"device", ladder.device}};
  for (const LadderStep& step : ladder.rungs) json["rungs"].push_back(to_json(step));
  json["plots"] = Json::array();
  for (const Plot& plot : ladder.plots) json["plots"].push_back(to_json(plot));
  return json;
}

Ladder ladder_from_json(const Json& json) {
  Ladder ladder;
  for (const Json& step : json.at("rungs")) ladder.rungs.push_back(step_from_json(step));
  ladder.answer = step_from_json(json.at("answer"));
  ladder.device = json.at("device").get<std::string>();
  for (const Json& plot : json.at("plots")) ladder.plots.push_back(plot_from_json(plot));
  return ladder;
}

}  // namespace warpbook::grader
