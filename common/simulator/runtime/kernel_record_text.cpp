// Writes a kernel's record. Members are in alphabetical order, which the format promises.
#include "common/simulator/runtime/kernel_record_text.h"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace warpbook::simulator::runtime {
namespace {

template <class Values>
void write_integers(JsonText& out, std::string_view name, const Values& values) {
  out.key(name);
  out.begin_array();
  for (const std::uint64_t value : values) {
    out.element();
    out.integer(value);
  }
  out.end_array();
}

void write_extent(JsonText& out, std::string_view name, const Dim3& dim) {
  write_integers(out, name, std::array<std::uint64_t, 3>{dim.x, dim.y, dim.z});
}

void write_access(JsonText& out, const LineAccess& access) {
  const MemoryCounters& c = access.counted;
  out.begin_object();
  out.member("bytes", c.bytes);
  out.member("bytes_per_lane", access.kind.bytes_per_lane);
  out.member("conflicts", c.conflicts);
  out.member("lines", c.lines);
  out.member("op", name_of(access.kind.op));
  out.member("requests", c.requests);
  out.member("sectors", c.sectors);
  out.member("sectors_hit", c.sectors_hit);
  out.member("sectors_ideal", c.sectors_ideal);
  out.member("space", name_of(access.kind.space));
  out.key("stride");
  if (access.stride) {
    out.integer(*access.stride);
  } else {
    out.null();
  }
  out.member("wavefronts", c.wavefronts);
  out.member("wavefronts_ideal", c.wavefronts_ideal);
  out.end_object();
}

void write_line(JsonText& out, const SourceLine& line) {
  out.begin_object();
  out.key("accesses");
  out.begin_array();
  for (const LineAccess& access : line.accesses) {
    out.element();
    write_access(out, access);
  }
  out.end_array();
  out.member("branches", line.branches);
  out.member("divergent_branches", line.divergent_branches);
  out.member("file", line.file);
  out.member("inst_executed", line.instructions.inst_executed);
  out.member("line", line.line);
  out.member("thread_inst_executed", line.instructions.thread_inst_executed);
  out.member("thread_inst_executed_true", line.instructions.thread_inst_executed_true);
  out.end_object();
}

template <class Numbers>
void write_numbers(JsonText& out, std::string_view name, const Numbers& numbers) {
  out.key(name);
  out.begin_object();
  for (const auto& [key, value] : numbers) out.member(key, value);
  out.end_object();
}

void write_launcher(JsonText& out, const KernelRecord& record) {
  out.key("launched_by");
  out.begin_object();
  out.member("file", record.launched_file);
  out.member("line", record.launched_line);
  out.end_object();
}

}  // namespace

void write_kernel(JsonText& out, const KernelRecord& record, bool several) {
  std::map<std::string_view, double> model;
  for (const auto& [name, us] : record.model) model[name] = us;
  out.begin_object();
  write_extent(out, "block", record.block);
  if (record.complete_us) out.member("complete_us", *record.complete_us);
  if (record.parent) out.member("depth", record.depth);
  if (several) out.member("device", Timeline::device_of(record.stream));
  write_extent(out, "grid", record.grid);
  if (record.parent) write_launcher(out, record);
  out.member("limiter", record.limiter);
  out.key("lines");
  out.begin_array();
  for (const SourceLine& line : record.lines) {
    out.element();
    write_line(out, line);
  }
  out.end_array();
  out.member("mangled", record.mangled);
  write_numbers(out, "metrics", record.metrics);
  write_numbers(out, "model", model);
  out.member("name", record.name);
  if (!record.ranges.empty()) write_integers(out, "nvtx_ranges", record.ranges);
  out.member("parameter_bytes", record.parameter_bytes);
  if (record.parent) out.member("parent", *record.parent);
  if (record.peer_bytes != 0) out.member("peer_bytes", record.peer_bytes);
  if (record.parent) out.member("queue", record.queue);
  out.member("registers", record.registers);
  out.member("registers_source", record.registers_from_cubin ? "cubin" : "estimated");
  out.member("shared_bytes", record.shared_bytes);
  out.member("start_us", record.start_us);
  out.member("stream", Timeline::number_of(record.stream));
  out.member("time_us", record.time_us);
  out.key("unified_memory");
  out.begin_object();
  visit_traffic(record.traffic, [&](const char* name, std::uint64_t value) { out.member(name, value); });
  out.end_object();
  if (record.parent) out.member("waits_for", record.waits_for);
  out.end_object();
}

}  // namespace warpbook::simulator::runtime
