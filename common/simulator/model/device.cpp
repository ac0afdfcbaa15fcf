// Reads device descriptions: the built-in data files, and others given as text.
#include "common/simulator/model/device.h"

#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/simulator/model/built_in_devices.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& device, const std::string& what) {
  throw std::runtime_error("device description " + (device.empty() ? "without a name" : "'" + device + "'") + ": " +
                           what);
}

struct NamedConstant {
  const char* name;
  double ModelConstants::*member;
};

constexpr NamedConstant kConstants[] = {
#define WB_CONSTANT(name) \
  { #name, &ModelConstants::name }
    WB_CONSTANT(issue_per_cycle),
    WB_CONSTANT(fp64_issue_slots),
    WB_CONSTANT(lsu_wavefronts_per_cycle),
    WB_CONSTANT(l1_fill_bytes_per_cycle),
    WB_CONSTANT(early_multiprocessors),
    WB_CONSTANT(early_first_blocks),
    WB_CONSTANT(early_turn_blocks),
    WB_CONSTANT(l2_read_bytes_per_us),
    WB_CONSTANT(l2_write_sectors_per_us),
    WB_CONSTANT(l2_partial_write_lines_per_us),
    WB_CONSTANT(l2_local_sectors_per_us),
    WB_CONSTANT(l2_local_partial_lines_per_us),
    WB_CONSTANT(l2_lines_per_us),
    WB_CONSTANT(l2_sector_copies),
    WB_CONSTANT(l2_dirty_bytes),
    WB_CONSTANT(l2_scattered_sectors),
    WB_CONSTANT(l2_far_reuse),
    WB_CONSTANT(dram_bytes_per_us),
    WB_CONSTANT(dram_granule_bytes),
    WB_CONSTANT(dram_random_share),
    WB_CONSTANT(dram_sparse_share),
    WB_CONSTANT(wide_product_work),
    WB_CONSTANT(alu_latency),
    WB_CONSTANT(fp64_latency),
    WB_CONSTANT(tensor_latency),
    WB_CONSTANT(tensor_depth_latency),
    WB_CONSTANT(tensor_f64_latency),
    WB_CONSTANT(tensor_f64_step_latency),
    WB_CONSTANT(tensor_group_column_latency),
    WB_CONSTANT(tensor_group_column_work),
    WB_CONSTANT(tensor_group_latency),
    WB_CONSTANT(tensor_group_least_latency),
    WB_CONSTANT(tensor_group_least_work),
    WB_CONSTANT(tensor_f64_weight),
    WB_CONSTANT(tensor_instruction_work),
    WB_CONSTANT(xu_latency),
    WB_CONSTANT(match_value_work),
    WB_CONSTANT(match_value_latency),
    WB_CONSTANT(shared_latency),
    WB_CONSTANT(l1_latency),
    WB_CONSTANT(l2_latency),
    WB_CONSTANT(dram_latency),
    WB_CONSTANT(line_latency),
    WB_CONSTANT(barrier_latency),
    WB_CONSTANT(barrier_warp_latency),
    WB_CONSTANT(issue_latency),
    WB_CONSTANT(atomic_operations_per_us),
    WB_CONSTANT(atomic_float_operations_per_us),
    WB_CONSTANT(atomic_slices),
    WB_CONSTANT(atomic_slice_bytes),
    WB_CONSTANT(atomic_latency),
    WB_CONSTANT(atomic_return_bytes_per_cycle),
    WB_CONSTANT(swap_retries),
    WB_CONSTANT(atomic_sectors_per_us),
    WB_CONSTANT(hand_over_latency),
    WB_CONSTANT(fence_latency),
    WB_CONSTANT(constant_passes_per_cycle),
    WB_CONSTANT(constant_cache_bytes),
    WB_CONSTANT(constant_latency),
    WB_CONSTANT(constant_far_latency),
    WB_CONSTANT(constant_miss_cycles),
    WB_CONSTANT(constant_warp_miss_share),
    WB_CONSTANT(constant_further_line_cycles),
    WB_CONSTANT(constant_fetch_cycles),
    WB_CONSTANT(constant_in_order_latency),
    WB_CONSTANT(texture_quads_per_cycle),
    WB_CONSTANT(cluster_wavefronts_per_cycle),
    WB_CONSTANT(cluster_pair_wavefronts_per_cycle),
    WB_CONSTANT(cluster_barrier_latency),
    WB_CONSTANT(shared_loop_latency),
    WB_CONSTANT(shared_swap_cycles),
    WB_CONSTANT(heap_call_us),
    WB_CONSTANT(heap_lane_us),
    WB_CONSTANT(heap_warp_calls_per_us),
    WB_CONSTANT(heap_calls_per_us),
    WB_CONSTANT(heap_warps_exponent),
    WB_CONSTANT(heap_small_bytes),
    WB_CONSTANT(heap_large_warp_calls_per_us),
    WB_CONSTANT(heap_large_calls_per_us),
    WB_CONSTANT(bulk_latency),
    WB_CONSTANT(kernel_overhead_us),
    WB_CONSTANT(code_fetch_us),
    WB_CONSTANT(code_fetch_instructions),
    WB_CONSTANT(blocks_per_us),
    WB_CONSTANT(warp_start_cycles),
    WB_CONSTANT(block_turn_cycles),
    WB_CONSTANT(warp_turn_cycles),
    WB_CONSTANT(overlap_exponent),
    WB_CONSTANT(throughput_exponent),
    WB_CONSTANT(grid_sync_us),
    WB_CONSTANT(grid_sync_blocks_per_us),
    WB_CONSTANT(launch_gap_us),
    WB_CONSTANT(launch_latency_us),
    WB_CONSTANT(launch_call_us),
    WB_CONSTANT(device_launch_call_us),
    WB_CONSTANT(device_launch_lane_us),
    WB_CONSTANT(device_launch_multiprocessor_us),
    WB_CONSTANT(device_launch_interval_us),
    WB_CONSTANT(device_stream_us),
    WB_CONSTANT(device_gap_us),
    WB_CONSTANT(device_tail_us),
    WB_CONSTANT(device_completion_us),
    WB_CONSTANT(graph_call_us),
    WB_CONSTANT(graph_call_node_us),
    WB_CONSTANT(graph_call_root_us),
    WB_CONSTANT(graph_overlap_us),
    WB_CONSTANT(graph_dispatch_us),
    WB_CONSTANT(graph_host_us),
    WB_CONSTANT(graph_condition_us),
    WB_CONSTANT(device_graph_call_us),
    WB_CONSTANT(device_graph_tail_call_us),
    WB_CONSTANT(device_graph_start_us),
    WB_CONSTANT(device_graph_tail_us),
    WB_CONSTANT(device_graph_host_us),
    WB_CONSTANT(synchronise_us),
    WB_CONSTANT(event_us),
    WB_CONSTANT(event_call_us),
    WB_CONSTANT(host_function_us),
    WB_CONSTANT(host_function_wait_us),
    WB_CONSTANT(host_function_sleep),
    WB_CONSTANT(host_function_next_us),
    WB_CONSTANT(pinned_bytes_per_us),
    WB_CONSTANT(pageable_bytes_per_us),
    WB_CONSTANT(device_bytes_per_us),
    WB_CONSTANT(memset_bytes_per_us),
    WB_CONSTANT(small_memset_bytes),
    WB_CONSTANT(host_bytes_per_us),
    WB_CONSTANT(duplex_slowdown),
    WB_CONSTANT(engine_switch_us),
    WB_CONSTANT(copy_latency_us),
    WB_CONSTANT(pageable_latency_us),
    WB_CONSTANT(copy_call_us),
    WB_CONSTANT(staged_latency_us),
    WB_CONSTANT(staged_bytes_per_us),
    WB_CONSTANT(gpu_first_fault_us),
    WB_CONSTANT(gpu_fault_us),
    WB_CONSTANT(gpu_map_page_us),
    WB_CONSTANT(gpu_write_fault_us),
    WB_CONSTANT(migration_bytes_per_us),
    WB_CONSTANT(populate_bytes_per_us),
    WB_CONSTANT(remote_bytes_per_us),
    WB_CONSTANT(cpu_fault_us),
    WB_CONSTANT(host_populate_bytes_per_us),
    WB_CONSTANT(host_migration_bytes_per_us),
    WB_CONSTANT(prefetch_bytes_per_us),
    WB_CONSTANT(prefetch_host_bytes_per_us),
    WB_CONSTANT(prefetch_new_bytes_per_us),
    WB_CONSTANT(prefetch_latency_us),
    WB_CONSTANT(prefetch_move_us),
    WB_CONSTANT(prefetch_call_us),
#undef WB_CONSTANT
};
static_assert(std::size(kConstants) * sizeof(double) + sizeof(ModelConstants::pipe_threads_per_cycle) ==
                  sizeof(ModelConstants),
              "every constant of the model has a row here");

struct NamedLinkConstant {
  const char* name;
  double Link::*member;
};

constexpr NamedLinkConstant kLinkConstants[] = {
#define WB_CONSTANT(name) \
  { #name, &Link::name }
    WB_CONSTANT(performance_rank),       WB_CONSTANT(native_atomics),    WB_CONSTANT(array_access),
    WB_CONSTANT(copy_latency_us),        WB_CONSTANT(copy_bytes_per_us), WB_CONSTANT(read_bytes_per_us),
    WB_CONSTANT(write_bytes_per_us),     WB_CONSTANT(load_latency),      WB_CONSTANT(prefetch_bytes_per_us),
    WB_CONSTANT(migration_bytes_per_us),
#undef WB_CONSTANT
};
static_assert(std::size(kLinkConstants) * sizeof(double) == sizeof(Link), "every constant of a link has a row here");

constexpr std::pair<const char*, ptx::Pipe> kPipes[] = {
    {"pipe_alu", ptx::Pipe::alu},         {"pipe_fma", ptx::Pipe::fma},       {"pipe_fmaheavy", ptx::Pipe::fmaheavy},
    {"pipe_fp16", ptx::Pipe::fp16},       {"pipe_fp64", ptx::Pipe::fp64},     {"pipe_xu", ptx::Pipe::xu},
    {"pipe_lsu", ptx::Pipe::lsu},         {"pipe_branch", ptx::Pipe::branch}, {"pipe_uniform", ptx::Pipe::uniform},
    {"pipe_barrier", ptx::Pipe::barrier}, {"pipe_tensor", ptx::Pipe::tensor},
};

/// Constants that are missing in a description are taken from the built-in device that it names.
void take_over_model(json& document) {
  if (!document.is_object() || !document.contains("model_otherwise")) return;
  const std::string name = document.value("name", ""), other = document.value("model_otherwise", json()).dump();
  const json& wanted = document["model_otherwise"];
  for (const BuiltInDevice& device : built_in_devices()) {
    if (!wanted.is_string() || device.name != wanted.get<std::string>()) continue;
    json model = json::parse(device.json).at("model");
    const json own = document.value("model", json::object());
    for (const auto& [key, constant] : own.items()) {
      if (!model.contains(key)) fail(name, "\"model." + key + "\" is not a constant of the model");
      model[key] = constant;
    }
    document["model"] = std::move(model);
    return;
  }
  fail(name, "\"model_otherwise\" is " + other + ", not the name of a built-in device");
}

class Reader {
 public:
  explicit Reader(const json& document) : document_(document) {}

  Device read() {
    if (!document_.is_object() || document_.value("format", "") != "warpbook.device")
      fail(device_.name, "\"format\" is not \"warpbook.device\"");
    if (document_.value("version", 0) != 1)
      fail(device_.name, "version " + document_.value("version", json()).dump() + "; this program reads version 1");
    device_.name = text("name");
    device_.display_name = text("display_name");
    const auto validated = document_.find("validated");
    if (validated == document_.end() || !validated->is_boolean())
      fail(device_.name, "no \"validated\": true where its times were compared with measurements, false otherwise");
    device_.validated = validated->get<bool>();
    read_attributes();
    read_limits();
    read_model();
    read_links();
    read_processing_clusters();
    return std::move(device_);
  }

 private:
  std::string text(const char* key) {
    const auto found = document_.find(key);
    if (found == document_.end() || !found->is_string()) fail(device_.name, std::string("no text \"") + key + "\"");
    return found->get<std::string>();
  }

  const json& object(const char* key) {
    const auto found = document_.find(key);
    if (found == document_.end() || !found->is_object()) fail(device_.name, std::string("no object \"") + key + "\"");
    return *found;
  }

  double number(const char* section, const char* key) {
    const json& values = object(section);
    const auto found = values.find(key);
    if (found == values.end() || !found->is_number())
      fail(device_.name, std::string("no number \"") + section + "." + key + "\"");
    return found->get<double>();
  }

  void read_attributes() {
    for (const auto& [key, value] : object("attributes").items()) {
      if (!value.is_number_integer())
        fail(device_.name, "attribute \"" + key + "\" is " + value.dump() + ", not an integer");
      device_.attributes[key] = value.get<std::int64_t>();
    }
    const auto set = [&](auto& member, const char* key) {
      const auto found = device_.attributes.find(key);
      if (found == device_.attributes.end()) fail(device_.name, std::string("no attribute \"") + key + "\"");
      if (found->second < 0) fail(device_.name, std::string("attribute \"") + key + "\" is negative");
      member = static_cast<std::remove_reference_t<decltype(member)>>(found->second);
    };
    set(device_.compute_major, "compute_capability_major");
    set(device_.compute_minor, "compute_capability_minor");
    set(device_.multiprocessors, "multiprocessor_count");
    set(device_.schedulers, "num_schedulers_per_multiprocessor");
    set(device_.warp_size, "warp_size");
    set(device_.clock_khz, "clock_rate");
    set(device_.total_memory, "total_memory");
    set(device_.l2_bytes, "l2_cache_size");
    set(device_.max_threads_per_block, "max_threads_per_block");
    set(device_.max_threads_per_multiprocessor, "max_threads_per_multiprocessor");
    set(device_.max_warps_per_multiprocessor, "max_warps_per_multiprocessor");
    set(device_.max_blocks_per_multiprocessor, "max_blocks_per_multiprocessor");
    set(device_.registers_per_multiprocessor, "max_registers_per_multiprocessor");
    set(device_.registers_per_block, "max_registers_per_block");
    set(device_.max_registers_per_thread, "max_registers_per_thread");
    set(device_.shared_per_multiprocessor, "max_shared_memory_per_multiprocessor");
    set(device_.shared_per_block, "max_shared_memory_per_block");
    set(device_.shared_per_block_optin, "max_shared_memory_per_block_optin");
    set(device_.shared_reserved, "reserved_shared_memory_per_block");
  }

  void read_limits() {
    device_.register_granularity = static_cast<std::uint32_t>(number("allocation", "register_granularity"));
    device_.warp_granularity = static_cast<unsigned>(number("allocation", "warp_granularity"));
    device_.shared_granularity = static_cast<std::uint32_t>(number("allocation", "shared_granularity"));
    const json& carveouts = object("allocation").value("shared_carveouts_kib", json::array());
    for (const json& size : carveouts) {
      if (!size.is_number_unsigned()) fail(device_.name, "\"allocation.shared_carveouts_kib\" is not a list of sizes");
      device_.shared_carveouts.push_back(size.get<std::uint64_t>() * 1024);
    }
    device_.stack_bytes = static_cast<std::uint64_t>(number("limits", "stack_bytes"));
    device_.printf_bytes = static_cast<std::uint64_t>(number("limits", "printf_bytes"));
    device_.heap_bytes = static_cast<std::uint64_t>(number("limits", "heap_bytes"));
    device_.concurrent_kernels = static_cast<unsigned>(number("limits", "concurrent_kernels"));
  }

  double constant(const char* key) { return constant(object("model"), "model", key); }

  double constant(const json& section, const std::string& place, const char* key) {
    const auto found = section.find(key);
    if (found == section.end() || !found->is_object()) fail(device_.name, "no constant \"" + place + "." + key + "\"");
    for (const char* part : {"unit", "source"})
      if (!found->contains(part) || !found->at(part).is_string())
        fail(device_.name, "constant \"" + place + "." + key + "\" has no " + part);
    if (!found->contains("value") || !found->at("value").is_number())
      fail(device_.name, "constant \"" + place + "." + key + "\" has no number \"value\"");
    return found->at("value").get<double>();
  }

  /// A device may have no links.
  void read_links() {
    if (!document_.contains("links")) return;
    for (const auto& [other, link] : object("links").items()) {
      const std::string place = "links." + other;
      if (!link.is_object()) fail(device_.name, "\"" + place + "\" is not an object");
      if (link.size() != std::size(kLinkConstants))
        fail(device_.name, "\"" + place + "\" has " + std::to_string(link.size()) + " constants; a link has " +
                               std::to_string(std::size(kLinkConstants)));
      Link& made = device_.links[other];
      for (const NamedLinkConstant& one : kLinkConstants) made.*one.member = constant(link, place, one.name);
    }
  }

  /// A device without thread block clusters has none.
  void read_processing_clusters() {
    if (!document_.contains("processing_clusters")) return;
    const json& clusters = object("processing_clusters");
    const auto sizes = clusters.find("multiprocessors");
    if (sizes == clusters.end() || !sizes->is_array())
      fail(device_.name, "no list \"processing_clusters.multiprocessors\"");
    if (!clusters.contains("source") || !clusters.at("source").is_string())
      fail(device_.name, "\"processing_clusters\" has no source");
    unsigned all = 0;
    for (const json& size : *sizes) {
      if (!size.is_number_unsigned())
        fail(device_.name, "\"processing_clusters.multiprocessors\" has " + size.dump() + ", which is not a count");
      device_.processing_clusters.push_back(size.get<unsigned>());
      all += device_.processing_clusters.back();
    }
    if (all != device_.multiprocessors)
      fail(device_.name, "the \"processing_clusters\" have " + std::to_string(all) +
                             " multiprocessors; the device has " + std::to_string(device_.multiprocessors));
  }

  void read_model() {
    for (const NamedConstant& one : kConstants) device_.model.*one.member = constant(one.name);
    for (const auto& [name, pipe] : kPipes)
      device_.model.pipe_threads_per_cycle[static_cast<std::size_t>(pipe)] = constant(name);
    const std::size_t known = std::size(kConstants) + std::size(kPipes);
    if (object("model").size() != known)
      fail(device_.name, "\"model\" has " + std::to_string(object("model").size()) + " constants; the model knows " +
                             std::to_string(known));
  }

  const json& document_;
  Device device_;
};

}  // namespace

std::int64_t Device::attribute(std::string_view key) const {
  const auto found = attributes.find(key);
  if (found == attributes.end())
    throw std::out_of_range("device '" + name + "' has no attribute '" + std::string(key) + "'");
  return found->second;
}

const Link* Device::link_to(const Device& other) const {
  const auto found = links.find(other.name);
  return found == links.end() ? nullptr : &found->second;
}

Device parse_device(std::string_view text) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    fail("", error.what());
  }
  take_over_model(document);
  return Reader(document).read();
}

const Device& load_device(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, Device, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  if (const auto found = loaded.find(name); found != loaded.end()) return found->second;
  if (name.ends_with(".json")) {
    std::ifstream file{std::string(name)};
    std::stringstream text;
    text << file.rdbuf();
    if (!file) throw std::invalid_argument("the device description '" + std::string(name) + "' cannot be read");
    return loaded.emplace(std::string(name), parse_device(text.str())).first->second;
  }
  std::string known;
  for (const BuiltInDevice& device : built_in_devices()) {
    if (device.name == name) return loaded.emplace(std::string(name), parse_device(device.json)).first->second;
    known += (known.empty() ? "" : ", ") + std::string(device.name);
  }
  throw std::invalid_argument("there is no device '" + std::string(name) + "'; there is: " + known);
}

}  // namespace warpbook::simulator
