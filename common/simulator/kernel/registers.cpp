// Register names and special registers.
#include "common/simulator/kernel/registers.h"

#include <array>
#include <cctype>
#include <charconv>

#include "common/simulator/kernel/video_parts.h"

namespace warpbook::simulator {

RegisterClass class_of(ptx::Type type) {
  if (type == ptx::Type::pred) return RegisterClass::predicate;
  return ptx::size_of(type) == 8 ? RegisterClass::wide : RegisterClass::narrow;
}

RegisterNames::RegisterNames(const ptx::Function& function) {
  for (const ptx::RegisterDeclaration& declaration : function.registers) {
    if (ptx::size_of(declaration.type) > 8) {
      throw DecodeError("register " + declaration.name + " of function " + function.name + " is ." +
                        std::string(ptx::name_of(declaration.type)) +
                        ": registers wider than 64 bits are not supported by the virtual GPU");
    }
    const std::uint32_t first = static_cast<std::uint32_t>(classes_.size());
    const std::uint32_t count = declaration.count == 0 ? 1 : declaration.count;
    if (declaration.count == 0)
      single_[declaration.name] = first;
    else
      ranges_[declaration.name] = {first, count};
    classes_.insert(classes_.end(), count, class_of(declaration.type));
    types_.insert(types_.end(), count, declaration.type);
  }
}

std::optional<std::uint32_t> RegisterNames::find(const std::string& name) const {
  if (const auto exact = single_.find(name); exact != single_.end()) return exact->second;
  // A prefix may itself end in digits ("%r1<4>"): try every split.
  for (std::size_t split = name.size(); split-- > 1 && std::isdigit(static_cast<unsigned char>(name[split]));) {
    const auto range = ranges_.find(name.substr(0, split));
    if (range == ranges_.end()) continue;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + split, name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size() && number < range->second.count) {
      return range->second.first + number;
    }
  }
  const std::string_view part = part_of_register(name);
  return part.empty() ? std::nullopt : find(name.substr(0, name.size() - part.size() - 1));
}

std::optional<Preset::Kind> fixed_special_register(std::string_view name) {
  using Kind = Preset::Kind;
  static constexpr std::array<std::pair<std::string_view, Kind>, 39> kTable{{
      {"%tid.x", Kind::tid_x},
      {"%tid.y", Kind::tid_y},
      {"%tid.z", Kind::tid_z},
      {"%ntid.x", Kind::ntid_x},
      {"%ntid.y", Kind::ntid_y},
      {"%ntid.z", Kind::ntid_z},
      {"%ctaid.x", Kind::ctaid_x},
      {"%ctaid.y", Kind::ctaid_y},
      {"%ctaid.z", Kind::ctaid_z},
      {"%nctaid.x", Kind::nctaid_x},
      {"%nctaid.y", Kind::nctaid_y},
      {"%nctaid.z", Kind::nctaid_z},
      {"%cluster_ctaid.x", Kind::cluster_ctaid_x},
      {"%cluster_ctaid.y", Kind::cluster_ctaid_y},
      {"%cluster_ctaid.z", Kind::cluster_ctaid_z},
      {"%cluster_nctaid.x", Kind::cluster_nctaid_x},
      {"%cluster_nctaid.y", Kind::cluster_nctaid_y},
      {"%cluster_nctaid.z", Kind::cluster_nctaid_z},
      {"%cluster_ctarank", Kind::cluster_ctarank},
      {"%cluster_nctarank", Kind::cluster_nctarank},
      {"%clusterid.x", Kind::clusterid_x},
      {"%clusterid.y", Kind::clusterid_y},
      {"%clusterid.z", Kind::clusterid_z},
      {"%nclusterid.x", Kind::nclusterid_x},
      {"%nclusterid.y", Kind::nclusterid_y},
      {"%nclusterid.z", Kind::nclusterid_z},
      {"%is_explicit_cluster", Kind::is_explicit_cluster},
      {"%laneid", Kind::laneid},
      {"%warpid", Kind::warpid},
      {"%nwarpid", Kind::nwarpid},
      {"%smid", Kind::smid},
      {"%nsmid", Kind::nsmid},
      {"%gridid", Kind::gridid},
      {"%lanemask_eq", Kind::lanemask_eq},
      {"%lanemask_lt", Kind::lanemask_lt},
      {"%lanemask_le", Kind::lanemask_le},
      {"%lanemask_gt", Kind::lanemask_gt},
      {"%lanemask_ge", Kind::lanemask_ge},
      {"%dynamic_smem_size", Kind::dynamic_smem_size},
  }};
  for (const auto& [text, kind] : kTable) {
    if (text == name) return kind;
  }
  if (name == "%total_smem_size") return Kind::total_smem_size;
  return std::nullopt;
}

std::optional<std::uint64_t> grid_value(std::string_view name) {
  if (name == "%envreg1") return kHighWorkspace;
  if (name == "%envreg2") return kLowWorkspace;
  if (name == "%current_graph_exec") return kGraphExec;
  return std::nullopt;
}

std::optional<std::uint64_t> constant_special_register(std::string_view name) {
  if (name.starts_with("%envreg")) return 0;
  for (const std::string_view vector : {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid"})
    if (name.size() == vector.size() + 2 && name.starts_with(vector) && name.ends_with(".w")) return 0;
  // The profiler's counters, none of which counts.
  if (name.size() >= 4 && name.starts_with("%pm") && name[3] >= '0' && name[3] <= '7') return 0;
  return std::nullopt;
}

std::optional<int> clock_register(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {"%clock",       "%clock_hi",       "%clock64",
                                                             "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

std::uint32_t PresetSlots::slot(Preset::Kind kind, std::uint32_t bytes, std::uint64_t value) {
  const auto key = std::make_tuple(kind, bytes, value);
  if (const auto found = slots_.find(key); found != slots_.end()) return found->second;
  const std::uint32_t offset = bytes_;
  bytes_ += bytes == 8 ? 256 : bytes == 4 ? 128 : 64;
  slots_[key] = offset;
  presets_.push_back({kind, offset, bytes, value});
  return offset;
}

}  // namespace warpbook::simulator
