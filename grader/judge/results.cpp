// Records on disk, and merging them. A test that left no record, or one of an older program, has not run.
#include "grader/judge/results.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

/// A file name made of a test's name.
std::string slug(const std::string& text) {
  std::string result;
  for (const char c : text) result += std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? c : '_';
  return result;
}

std::string folder_of(const Manifest& manifest, const std::string& answer) {
  return manifest.results_folder + "/" + slug(answer);
}

Json to_json(const std::optional<Finding>& finding) { return finding ? grader::to_json(*finding) : Json(); }

std::optional<TestRecord> read_record(const std::filesystem::path& path) {
  try {
    std::ifstream in(path);
    const Json json = Json::parse(in);
    if (json.at("format") != "warpbook.test" || json.at("version") != 1) return std::nullopt;
    TestRecord record;
    record.lab = json.at("lab").get<std::string>();
    record.answer = json.at("answer").get<std::string>();
    record.kind = json.at("kind").get<std::string>();
    record.sentence = json.at("sentence").get<std::string>();
    record.status = json.at("status").get<std::string>();
    record.not_started = json.at("not_started").get<bool>();
    record.points = json.at("points").get<double>();
    record.max_points = json.at("max_points").get<double>();
    if (const Json& finding = json.at("finding"); !finding.is_null()) record.finding = finding_from_json(finding);
    record.seed = json.at("seed").get<std::uint64_t>();
    record.program_hash = json.at("program_hash").get<std::string>();
    record.run = json.at("run").get<std::string>();
    record.broken = json.value("broken", "");
    record.functions = json.value("functions", record.functions);
    record.unsound = json.value("unsound", record.unsound);
    record.leaking = json.value("leaking", record.leaking);
    for (const Json& one : json.at("kept"))
      record.kept.push_back(
          {one.at("quantity"), one.at("words"), one.at("unit"), one.at("found"), one.at("limit"), one.at("at_most")});
    return record;
  } catch (const std::exception&) {
    return std::nullopt;  // Half written, or of another version: as if the test had not run.
  }
}

Json to_json(const std::vector<KeptLimit>& kept) {
  Json list = Json::array();
  for (const KeptLimit& one : kept) {
    list.push_back({{"quantity", one.quantity},
                    {"words", one.words},
                    {"unit", one.unit},
                    {"found", one.found},
                    {"limit", one.limit},
                    {"at_most", one.at_most}});
  }
  return list;
}

}  // namespace

void TestRecord::keep(Quantity quantity, double found, double limit, bool at_most) {
  std::erase_if(kept, [&](const KeptLimit& one) { return one.quantity == key_of(quantity) && one.at_most == at_most; });
  kept.push_back({key_of(quantity), name_of(quantity), unit_of(quantity), found, limit, at_most});
}

void write_file(const std::string& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string temporary = path + ".new" + std::to_string(getpid());  // Tests run side by side.
  std::ofstream out(temporary, std::ios::binary);
  out << text;
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) throw std::runtime_error(path + " cannot be written");
}

std::string hash_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return "";
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

std::optional<std::string> named_run(const std::string& file) {
  if (const char* name = std::getenv("WARPBOOK_RUN"); name != nullptr && *name != 0) return name;
  std::ifstream in(file);
  std::string name;
  if (file.empty() || !std::getline(in, name) || name.empty()) return std::nullopt;
  return name;
}

void write_record(const Manifest& manifest, const TestRecord& record) {
  const Json json = {{"format", "warpbook.test"},
                     {"version", 1},
                     {"lab", record.lab},
                     {"answer", record.answer},
                     {"kind", record.kind},
                     {"sentence", record.sentence},
                     {"status", record.status},
                     {"not_started", record.not_started},
                     {"points", record.points},
                     {"max_points", record.max_points},
                     {"message", record.message()},
                     {"finding", to_json(record.finding)},
                     {"seed", record.seed},
                     {"program_hash", record.program_hash},
                     {"run", record.run},
                     {"broken", record.broken},
                     {"kept", to_json(record.kept)},
                     {"functions", record.functions},
                     {"unsound", record.unsound},
                     {"leaking", record.leaking}};
  write_file(folder_of(manifest, record.answer) + "/" + slug(record.kind + "." + record.sentence) + ".json",
             json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<TestRecord> read_records(const Manifest& manifest, const std::string& answer) {
  std::vector<TestRecord> records;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(manifest, answer), error)) {
    if (entry.path().extension() != ".json") continue;
    if (auto record = read_record(entry.path())) records.push_back(std::move(*record));
  }
  const auto position = [&](const TestRecord& record) {
    std::size_t at = 0;
    while (at < manifest.tests.size() &&
           (manifest.tests[at].kind != record.kind || manifest.tests[at].sentence != record.sentence)) {
      ++at;
    }
    return std::pair(at, record.name());
  };
  std::sort(records.begin(), records.end(),
            [&](const TestRecord& a, const TestRecord& b) { return position(a) < position(b); });
  return records;
}

std::string build_failure(const Manifest& manifest, const std::string& answer) {
  if (answer != "student") return "";
  std::ifstream in(manifest.results_folder + "/build_failed.log");
  return in ? std::string{std::istreambuf_iterator<char>(in), {}} : "";
}

std::string build_failure_of_this_run(const Manifest& manifest) {
  std::error_code error;
  const auto started = std::filesystem::last_write_time(manifest.build_folder + "/ctest_started", error);
  if (error) return "";
  const auto failed = std::filesystem::last_write_time(manifest.results_folder + "/build_failed.log", error);
  return error || failed < started ? "" : build_failure(manifest, "student");
}

nlohmann::json lab_results(const Manifest& manifest, const std::string& answer, const std::vector<TestRecord>& records,
                           const Ladder& ladder) {
  const std::string failure = build_failure(manifest, answer);
  const auto program = manifest.workers.find(manifest.source_of(answer));
  const std::string hash = program == manifest.workers.end() ? "" : hash_file(program->second);
  Json tests = Json::array();
  double points = 0, max_points = 0;
  std::size_t passed = 0, inconclusive = 0, not_started = 0;
  for (const ListedTest& test : manifest.tests) {
    const auto found = std::find_if(records.begin(), records.end(), [&](const TestRecord& record) {
      return record.kind == test.kind && record.sentence == test.sentence && record.program_hash == hash;
    });
    const bool ran = found != records.end() && failure.empty();
    tests.push_back({{"name", manifest.lab + "." + test.kind + "." + test.sentence},
                     {"kind", test.kind},
                     {"status", ran ? found->status : "not_run"},
                     {"points", ran ? found->points : 0.0},
                     {"max_points", test.points},
                     {"message", ran ? found->message() : ""},
                     {"finding", ran ? to_json(found->finding) : Json()}});
    max_points += test.points;
    if (!ran) continue;
    points += found->points;
    passed += found->status == "passed" ? 1 : 0;
    inconclusive += found->status == "inconclusive" ? 1 : 0;
    not_started += found->not_started ? 1 : 0;
  }
  std::string status = "failed";
  if (!failure.empty()) {
    status = "build_failed";
  } else if (!manifest.tests.empty() && passed == manifest.tests.size()) {
    status = "passed";
  } else if (!manifest.tests.empty() && passed + inconclusive == manifest.tests.size()) {
    status = "inconclusive";
  } else if (not_started > 0 && passed == 0 && not_started == manifest.tests.size()) {
    status = "not_started";
  }
  Json lab = {{"lab", manifest.lab},
              {"title", manifest.title},
              {"order", manifest.order},
              {"answer", answer},
              {"source", manifest.source_of(answer)},
              {"status", status},
              {"points", points},
              {"max_points", max_points},
              {"tests", tests},
              {"ladder", Json::array()}};
  for (const LadderStep& step : ladder.rungs) lab["ladder"].push_back(to_json(step));
  const Json own = to_json(ladder.answer);
  lab["time_us"] = own["time_us"];
  lab["measured_us"] = own["measured_us"];
  lab["measured"] = own["measured"];
  lab["large"] = own["large"];
  lab["profile"] = own["profile"];
  lab["kernel"] = own["kernel"];
  lab["plots"] = Json::array();
  for (const Plot& plot : ladder.plots) lab["plots"].push_back(to_json(plot));
  lab["disorder"] = Json::array();
  for (const Disorder& pair : disorder_of(ladder))
    lab["disorder"].push_back({{"predicted_faster", pair.faster}, {"measured_faster", pair.slower}});
  lab["speedup_over_naive"] = nullptr;
  const auto time = ladder.answer.best_us();
  if (!ladder.rungs.empty() && time && *time > 0) {
    if (const auto naive = ladder.rungs.front().best_us()) lab["speedup_over_naive"] = *naive / *time;
  }
  return lab;
}

nlohmann::json all_results(const std::vector<Manifest>& manifests, const std::vector<nlohmann::json>& labs,
                           const std::string& gpu) {
  return {{"format", "warpbook.results"},
          {"version", 2},
          {"backend", manifests.front().backend},
          {"device", gpu.empty() ? manifests.front().device : gpu},
          {"predicted_device", manifests.front().device},
          {"labs", labs}};
}

}  // namespace warpbook::grader
