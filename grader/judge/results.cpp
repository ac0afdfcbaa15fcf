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

#include "grader/judge/file_lock.h"

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

std::string path_of(const Manifest& manifest, const TestRecord& record) {
  return folder_of(manifest, record.answer) + "/" + slug(record.kind + "." + record.sentence) + ".json";
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

/// The record of each listed test; nullptr for one that has not run with this program.
std::vector<const TestRecord*> records_of_program(const Manifest& manifest, const std::vector<TestRecord>& records,
                                                  const std::string& program_hash) {
  std::vector<const TestRecord*> found;
  for (const ListedTest& test : manifest.tests) {
    const auto of_test = std::find_if(records.begin(), records.end(), [&](const TestRecord& record) {
      return record.kind == test.kind && record.sentence == test.sentence && record.program_hash == program_hash;
    });
    found.push_back(of_test == records.end() ? nullptr : &*of_test);
  }
  return found;
}

/// What all tests of a lab say together.
struct LabVerdict {
  std::string status;  ///< passed, failed, inconclusive, not_started
  double points = 0, max_points = 0;
};

LabVerdict verdict_of(const Manifest& manifest, const std::vector<const TestRecord*>& ran) {
  LabVerdict verdict;
  for (const ListedTest& test : manifest.tests) verdict.max_points += test.points;
  std::size_t passed = 0, inconclusive = 0, not_started = 0;
  for (const TestRecord* const record : ran) {
    if (record == nullptr) continue;
    verdict.points += record->points;
    passed += record->status == "passed" ? 1 : 0;
    inconclusive += record->status == "inconclusive" ? 1 : 0;
    not_started += record->not_started ? 1 : 0;
  }
  const std::size_t all = ran.size();
  verdict.status = "failed";
  if (all == 0) return verdict;
  if (passed == all)
    verdict.status = "passed";
  else if (passed + inconclusive == all)
    verdict.status = "inconclusive";
  else if (not_started == all)
    verdict.status = "not_started";
  return verdict;
}

/// Tests run side by side: what one writes of all records must not be older than what another one did.
std::string lock_of(const Manifest& manifest, const std::string& answer) {
  return folder_of(manifest, answer) + ".lock";
}

/// @param changed the record that was written or removed last
void write_verdict(const Manifest& manifest, const TestRecord& changed) {
  const std::vector<TestRecord> records = read_records(manifest, changed.answer);
  const LabVerdict verdict = verdict_of(manifest, records_of_program(manifest, records, changed.program_hash));
  const Json json = {{"format", "warpbook.verdict"}, {"version", 1},
                     {"lab", manifest.lab},          {"answer", changed.answer},
                     {"run", changed.run},           {"status", verdict.status},
                     {"points", verdict.points},     {"max_points", verdict.max_points}};
  write_file(folder_of(manifest, changed.answer) + ".json", json.dump(2) + "\n");
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
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  std::vector<char> piece(1 << 16);          // Programs have megabytes, and each test reads one.
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0)
    for (std::streamsize i = 0; i < in.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(piece[static_cast<std::size_t>(i)])) * 0x100000001b3u;
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
  const FileLock lock(lock_of(manifest, record.answer));
  write_file(path_of(manifest, record), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  write_verdict(manifest, record);
}

void remove_record(const Manifest& manifest, const TestRecord& begun) {
  const FileLock lock(lock_of(manifest, begun.answer));
  std::error_code error;
  std::filesystem::remove(path_of(manifest, begun), error);
  write_verdict(manifest, begun);
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

namespace {

Json tests_to_json(const Manifest& manifest, const std::vector<const TestRecord*>& ran) {
  Json tests = Json::array();
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const ListedTest& test = manifest.tests[i];
    const TestRecord* const record = ran[i];
    tests.push_back({{"name", manifest.lab + "." + test.kind + "." + test.sentence},
                     {"kind", test.kind},
                     {"status", record != nullptr ? record->status : "not_run"},
                     {"points", record != nullptr ? record->points : 0.0},
                     {"max_points", test.points},
                     {"message", record != nullptr ? record->message() : ""},
                     {"finding", record != nullptr ? to_json(record->finding) : Json()}});
  }
  return tests;
}

void add_ladder(const Ladder& ladder, Json& lab) {
  lab["ladder"] = Json::array();
  for (const LadderStep& step : ladder.rungs) lab["ladder"].push_back(to_json(step));
  const Json own = to_json(ladder.answer);
  for (const char* key : {"time_us", "measured_us", "measured", "large", "profile", "kernel"}) lab[key] = own.at(key);
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
}

}  // namespace

nlohmann::json lab_results(const Manifest& manifest, const std::string& answer, const std::vector<TestRecord>& records,
                           const Ladder& ladder) {
  const bool built = build_failure(manifest, answer).empty();
  const auto program = manifest.workers.find(manifest.source_of(answer));
  const std::string hash = program == manifest.workers.end() ? "" : hash_file(program->second);
  const std::vector<const TestRecord*> ran =
      built ? records_of_program(manifest, records, hash) : std::vector<const TestRecord*>(manifest.tests.size());
  const LabVerdict verdict = verdict_of(manifest, ran);
  Json lab = {{"lab", manifest.lab},
              {"title", manifest.title},
              {"order", manifest.order},
              {"answer", answer},
              {"source", manifest.source_of(answer)},
              {"status", built ? verdict.status : "build_failed"},
              {"points", verdict.points},
              {"max_points", verdict.max_points},
              {"tests", tests_to_json(manifest, ran)}};
  add_ladder(ladder, lab);
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
