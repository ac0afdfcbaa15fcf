// Collects the records of a profile and writes them as JSON.
#include "common/simulator/runtime/profile.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/simulator/runtime/annotations.h"
#include "common/simulator/runtime/check_document.h"
#include "common/simulator/runtime/complaints.h"
#include "common/simulator/runtime/kernel_record_text.h"
#include "common/simulator/runtime/output_target.h"

namespace warpbook::simulator::runtime {
namespace {

using nlohmann::json;  // sorts keys, which the format promises

/// As JsonText::number() writes it.
json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = rounded_for_json(value);
  if (const auto whole = whole_number(rounded)) return *whole;
  return rounded;
}

/// The stream of the work and, in a machine with several devices, its device.
void put_stream(json& record, std::uint32_t stream, bool several) {
  record["stream"] = Timeline::number_of(stream);
  if (several) record["device"] = Timeline::device_of(stream);
}

json extent(const Dim3& dim) { return json::array({dim.x, dim.y, dim.z}); }

json traffic_record(const PageTraffic& traffic) {
  json out = json::object();
  visit_traffic(traffic, [&](const char* name, std::uint64_t value) { out[name] = value; });
  return out;
}

json annotation_record(const Annotation& annotation) {
  json out{{"domain", annotation.domain}, {"text", annotation.text}};
  if (annotation.category != 0) out["category"] = annotation.category;
  if (annotation.color) out["color"] = *annotation.color;
  if (const auto* u64 = std::get_if<std::uint64_t>(&annotation.payload)) out["payload"] = *u64;
  if (const auto* i64 = std::get_if<std::int64_t>(&annotation.payload)) out["payload"] = *i64;
  if (const auto* f64 = std::get_if<double>(&annotation.payload)) out["payload"] = *f64;
  return out;
}

/// The program's NVTX annotations.
json annotations_record(const Annotations& all) {
  json ranges = json::array(), marks = json::array(), streams = json::array(), categories = json::array(),
       threads = json::array();
  for (const AnnotatedRange& range : all.ranges()) {
    json one = annotation_record(range.annotation);
    one["kind"] = range.nests ? "push_pop" : "start_end";
    one["thread"] = range.thread;
    if (range.nests) one["depth"] = range.depth;
    one["start_us"] = number(range.start_us);
    one["end_us"] = range.end_us ? number(*range.end_us) : json(nullptr);
    ranges.push_back(std::move(one));
  }
  for (const AnnotatedMark& mark : all.marks()) {
    json one = annotation_record(mark.annotation);
    one["thread"] = mark.thread;
    one["time_us"] = number(mark.time_us);
    marks.push_back(std::move(one));
  }
  for (const auto& [stream, name] : all.streams()) streams.push_back({{"stream", stream}, {"name", name}});
  for (const auto& [key, name] : all.categories())
    categories.push_back({{"domain", key.first}, {"category", key.second}, {"name", name}});
  for (const auto& [id, name] : all.threads()) threads.push_back({{"system_id", id}, {"name", name}});
  return {{"ranges", std::move(ranges)},
          {"marks", std::move(marks)},
          {"streams", std::move(streams)},
          {"categories", std::move(categories)},
          {"threads", std::move(threads)}};
}

void write_kernels(JsonText& out, const std::vector<KernelRecord>& kernels, bool several) {
  out.begin_array();
  for (const KernelRecord& kernel : kernels) {
    out.element();
    write_kernel(out, kernel, several);
  }
  out.end_array();
}

json timeline_record(const Activity& activity, bool several) {
  json out{{"engine", name_of(activity.engine)},
           {"name", activity.name},
           {"start_us", number(activity.start_us)},
           {"end_us", number(activity.end_us)}};
  put_stream(out, activity.stream, several);
  return out;
}

}  // namespace

struct Profile::Records {
  std::vector<KernelRecord> kernels;
  json copies = json::array(), errors = json::array(), migrations = json::array(), events = json::array(),
       refused_launches = json::array();
};

Profile::Profile(std::string device, std::string target)
    : devices_{std::move(device)}, target_(std::move(target)), records_(std::make_unique<Records>()) {}

Profile::~Profile() = default;

void Profile::add(KernelRecord record) { records_->kernels.push_back(std::move(record)); }

std::size_t Profile::kernels() const { return records_->kernels.size(); }

void Profile::add(CopyRecord record) {
  json one{{"kind", record.kind},
           {"bytes", record.bytes},
           {"start_us", number(record.start_us)},
           {"time_us", number(record.time_us)}};
  put_stream(one, record.stream, devices_.size() > 1);
  if (record.from_device >= 0) {
    one["from_device"] = record.from_device;
    one["to_device"] = record.to_device;
  }
  if (!record.host_memory.empty()) one["host_memory"] = record.host_memory;
  records_->copies.push_back(std::move(one));
}

void Profile::add_event(std::uint32_t stream, double time_us) {
  if (!enabled()) return;
  records_->events.push_back({{"time_us", number(time_us)}});
  put_stream(records_->events.back(), stream, devices_.size() > 1);
}

void Profile::add(MigrationRecord record) {
  if (!enabled()) return;
  records_->migrations.push_back({{"direction", record.direction},
                                  {"cause", record.cause},
                                  {"bytes", record.bytes},
                                  {"start_us", number(record.start_us)},
                                  {"time_us", number(record.time_us)}});
  put_stream(records_->migrations.back(), record.stream, devices_.size() > 1);
}

void Profile::add(const FaultReport& report) {
  records_->errors.push_back({{"code", report.code},
                              {"name", report.name},
                              {"kind", report.kind},
                              {"cause", report.cause},
                              {"message", report.message},
                              {"kernel", report.kernel},
                              {"block", extent(report.block)},
                              {"thread", extent(report.thread)},
                              {"address", report.address},
                              {"bytes", report.bytes},
                              {"write", report.write},
                              {"file", report.file},
                              {"line", report.line},
                              {"ptx_line", report.ptx_line},
                              {"instruction", report.instruction},
                              {"nearest_allocation", report.nearest_allocation}});
  if (report.host_offset != 0) records_->errors.back()["host_offset"] = report.host_offset;
}

void Profile::add(const RefusedLaunch& launch) {
  constexpr std::size_t kKept = 16;
  if (!enabled() || records_->refused_launches.size() >= kKept) return;
  json one{{"kernel", launch.kernel},
           {"grid", extent(launch.grid)},
           {"block", extent(launch.block)},
           {"shared_bytes", launch.dynamic_shared},
           {"error", launch.error}};
  if (!launch.what.empty()) {
    one["limit"] = {
        {"what", launch.what}, {"found", launch.found}, {"allowed", launch.allowed}, {"at_most", launch.at_most}};
  }
  records_->refused_launches.push_back(std::move(one));
}

void Profile::allocated(std::uint64_t address, std::uint64_t bytes, const char* kind, const char* call,
                        std::size_t host_place, unsigned device) {
  latest_[address] = allocations_.size();
  allocations_.push_back({address, bytes, kind, false, false, call, ++calls_[call], host_place});
  allocations_.back().device = device;
}

void Profile::freed(std::uint64_t address, std::size_t host_place) {
  const auto place = latest_.find(address);
  if (place == latest_.end()) return;
  allocations_[place->second].freed = true;
  allocations_[place->second].freed_place = host_place;
}

void Profile::add(std::uint64_t address, const PageTraffic& traffic) {
  traffic_.add(traffic);
  const auto place = latest_.find(address);
  if (place != latest_.end()) allocations_[place->second].traffic.add(traffic);
}

void Profile::is_array(std::uint64_t address, const std::string& name) {
  const auto place = latest_.find(address);
  if (place == latest_.end()) return;
  allocations_[place->second].is_array = true;
  allocations_[place->second].array = name;
}

const AllocationRecord* Profile::allocation_at(std::uint64_t address) const {
  auto next = latest_.upper_bound(address);
  if (next == latest_.begin()) return nullptr;
  const AllocationRecord& record = allocations_[std::prev(next)->second];
  return address - record.address < record.bytes ? &record : nullptr;
}

std::string Profile::text(const Timeline& timeline, int indent) const {
  json allocations = json::array(), activities = json::array();
  for (const AllocationRecord& record : allocations_) {
    json one{{"address", record.address}, {"bytes", record.bytes}, {"kind", record.kind}, {"freed", record.freed}};
    if (record.is_array) one["array"] = true;
    if (devices_.size() > 1) one["device"] = record.device;
    if (record.kind == "managed") one["unified_memory"] = traffic_record(record.traffic);
    allocations.push_back(std::move(one));
  }
  for (const Activity& activity : timeline.activities())
    activities.push_back(timeline_record(activity, devices_.size() > 1));
  json document{{"format", "warpbook.profile"},
                {"version", 1},
                {"device", devices_[0]},
                {"allocations", std::move(allocations)},
                {"printed_bytes", printed_},
                {"unified_memory", traffic_record(traffic_)},
                {"timeline", std::move(activities)}};
  if (devices_.size() > 1) document["devices"] = devices_;
  if (checks_.any()) {
    document["checks"] = names_of(checks_);
    document["findings"] = findings_document(findings_);
  }
  if (std::vector<std::string> said = complaints(); !said.empty()) document["complaints"] = std::move(said);
  if (!annotations().empty()) document["nvtx"] = annotations_record(annotations());
  if (heap_) {
    document["heap"] = {{"allocations", heap_->allocations},
                        {"bytes", heap_->bytes},
                        {"refused", heap_->refused},
                        {"live_bytes", heap_->live_bytes},
                        {"peak_bytes", heap_->peak_bytes}};
  }
  // The long lists are swapped in and out, not copied: thousands of grids are usual where kernels launch kernels.
  const std::pair<const char*, json*> lent[] = {{"copies", &records_->copies},
                                                {"migrations", &records_->migrations},
                                                {"events", &records_->events},
                                                {"errors", &records_->errors},
                                                {"refused_launches", &records_->refused_launches}};
  for (const auto& [name, list] : lent) document[name].swap(*list);
  document["kernels"] = nullptr;
  std::string result;
  JsonText out(result, indent);
  out.begin_object();
  for (const auto& [name, value] : document.items()) {
    out.key(name);
    if (name == "kernels") {
      write_kernels(out, records_->kernels, devices_.size() > 1);
    } else {
      out.json(value.dump(indent, ' ', false, json::error_handler_t::replace));
    }
  }
  out.end_object();
  result += '\n';
  for (const auto& [name, list] : lent) document[name].swap(*list);
  return result;
}

std::optional<std::string> Profile::write(const Timeline& timeline) const {
  if (target_.empty()) return std::nullopt;
  return write_document(target_, text(timeline, is_descriptor(target_) ? kCompact : kReadable), "profile");
}

}  // namespace warpbook::simulator::runtime
