// Texture and surface accesses lane by lane, from registers and back.
#include "common/simulator/machine/image_access.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/texture_fetch.h"
#include "common/simulator/machine/undo_log.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator::image {
namespace {

using ptx::Geometry;
using ptx::OperationId;

std::uint32_t narrow(const Warp& warp, std::uint32_t slot, unsigned lane) {
  return reinterpret_cast<const std::uint32_t*>(warp.registers + slot)[lane];
}
std::uint64_t wide(const Warp& warp, std::uint32_t slot, unsigned lane) {
  return reinterpret_cast<const std::uint64_t*>(warp.registers + slot)[lane];
}
void put(Warp& warp, std::uint32_t slot, unsigned lane, std::uint64_t value, bool is_wide) {
  if (slot == kNoOperand) return;
  if (is_wide)
    reinterpret_cast<std::uint64_t*>(warp.registers + slot)[lane] = value;
  else
    reinterpret_cast<std::uint32_t*>(warp.registers + slot)[lane] = static_cast<std::uint32_t>(value);
}
const std::uint32_t* list_of(const Warp& warp, std::uint32_t operand) { return warp.program->lists.data() + operand; }

/// Visits all executing lanes, lowest first, until @p lane_does returns false. @returns whether it never did
template <class LaneDoes>
bool each_lane(std::uint32_t lanes, LaneDoes lane_does) {
  for (; lanes != 0; lanes &= lanes - 1)
    if (!lane_does(static_cast<unsigned>(std::countr_zero(lanes)))) return false;
  return true;
}

/// "64 x 48 texels", "6 layers of 32 x 32 texels"
std::string size_text(const Image& image) {
  const ImageLevel& level = image.levels[0];
  std::string text = std::to_string(level.width);
  if (image.dimensions > 1) text.append(" x ").append(std::to_string(level.height));
  if (image.dimensions > 2) text.append(" x ").append(std::to_string(level.depth));
  if (image.layered || image.cubemap) text.insert(0, std::to_string(image.layers) + " layers of ");
  return text + " texels of " + std::to_string(image.format.bytes()) + " bytes";
}

/// The texture or surface object of the lanes of one request.
class Bound {
 public:
  Bound(Warp& warp, const Operation* op, bool texture) : warp_(warp), op_(op), of_textures_(texture) {}

  /// Looks up the object of @p lane. @returns false after a fault
  bool find(unsigned lane) {
    const std::uint64_t handle = wide(warp_, op_->a, lane);
    if (image_ != nullptr && handle == handle_) return true;
    handle_ = handle;
    image_ = nullptr;
    const ImageTable* const table = warp_.worker->launch->images;
    if (table != nullptr) {
      texture_ = of_textures_ ? table->texture(handle) : nullptr;
      image_ = !of_textures_ ? table->surface(handle) : texture_ != nullptr ? &texture_->image : nullptr;
    }
    const char* const what = of_textures_ ? "texture" : "surface";
    if (image_ == nullptr) {
      const std::string reason = table == nullptr ? "there are none" : table->explain(handle, of_textures_);
      raise(warp_, op_, FaultKind::out_of_bounds, lane, handle, 0, false,
            {std::to_string(handle) + " is not the handle of a " + what + " object: " + reason, FaultCause::no_image});
      return false;
    }
    allocation_ = warp_.worker->memory->find(image_->address);
    if (allocation_ != nullptr && allocation_->contains(image_->address, image_->bytes)) {
      if (allocation_->allows(warp_.worker->device)) return true;
      raise(warp_, op_, FaultKind::out_of_bounds, lane, image_->address, 0, false,
            describe_no_access(*allocation_, std::string("use of a ") + what + " object"));
      image_ = nullptr;
      return false;
    }
    const Allocation* const freed = warp_.worker->memory->freed(image_->address);
    raise(warp_, op_, FaultKind::out_of_bounds, lane, image_->address, 0, false,
          {std::string("the memory of this ") + what + " object, " + image_->name + ", was freed before the kernel ran",
           freed != nullptr ? FaultCause::freed_memory : FaultCause::no_image});
    image_ = nullptr;
    return false;
  }

  const Texture& texture() const { return *texture_; }
  const Image& image() const { return *image_; }
  const Allocation& allocation() const { return *allocation_; }
  std::byte* texels() const { return allocation_->host + (image_->address - allocation_->address); }
  /// Converts a counted address to an offset in device memory.
  std::uint64_t shadow_delta() const { return allocation_->shadow_delta - GlobalMemory::kBase; }

 private:
  Warp& warp_;
  const Operation* op_;
  const bool of_textures_;
  std::uint64_t handle_ = 0;
  const Texture* texture_ = nullptr;
  const Image* image_ = nullptr;
  const Allocation* allocation_ = nullptr;
};

/// How the texture unit groups the lanes of an instruction, as counted on an H200 (2026-11-23).
struct Grouping {
  unsigned request = 4;  ///< Lanes per request,
  unsigned pass = 4;     ///< and per pass; a pass needs each sector once.
  unsigned repeats = 1;  ///< Passes that read the same sectors.
  bool narrow = false;   ///< A sector holds 16 bytes of a row and none of the next: an array of one dimension.
};

Grouping texture_grouping(const Texture& texture, Geometry geometry, bool filters) {
  const Image& image = texture.image;
  Grouping grouping;
  if (image.kind == Image::Kind::linear) grouping.request = grouping.pass = image.format.bytes() > 8 ? 4 : 8;
  if (filters && geometry == Geometry::d3) grouping.pass = 2;
  if (filters && image.format.bytes() > 8) grouping.pass = grouping.repeats = 2;
  grouping.narrow = image.kind == Image::Kind::array && image.dimensions == 1;
  return grouping;
}

Grouping surface_grouping(const Image& image) {
  Grouping grouping;
  if (image.dimensions < 3 && !image.layered && !image.cubemap) grouping.request = grouping.pass = 8;
  grouping.narrow = image.dimensions == 1;
  return grouping;
}

/// The sectors of 32 bytes that one instruction touches, counted for the tiled layout of arrays.
class Touched {
 public:
  std::vector<std::uint64_t>& sectors() { return now_; }
  /// Attributes what was touched of @p bound since the last call to @p lane.
  void settle(const Bound& bound, unsigned lane, const Grouping& grouping) {
    grouping_ = grouping;
    if (lane / grouping.pass != pass_) close_pass();
    pass_ = lane / grouping.pass;
    for (const std::uint64_t half : now_)
      of_pass_.push_back(((half << kHalfShift) + bound.shadow_delta()) >> kHalfShift);
    now_.clear();
  }
  /// @param bytes requested by the lanes @param passes through the L1's data stage
  void count(Warp& warp, const Operation* op, std::uint64_t bytes, std::uint64_t passes, bool write) {
    close_pass();
    Worker& worker = *warp.worker;
    MemoryCounters& counters = worker.counters.memory[op->memory];
    counters.requests += groups_in(warp.exec, grouping_.request);
    counters.bytes += bytes;
    counters.wavefronts += passes;
    std::uint64_t sectors = 0;
    for (std::size_t k = 0; k < all_.size();) {
      const std::uint64_t pass = all_[k].first, line = all_[k].second >> 2;
      unsigned wanted = 0;
      for (; k < all_.size() && all_[k].first == pass && all_[k].second >> 2 == line; ++k)
        wanted |= 1u << (all_[k].second & 3);
      const auto count = static_cast<unsigned>(std::popcount(wanted));
      sectors += std::uint64_t{count} * grouping_.repeats;
      counters.lines += 1;
      if (write) continue;
      counters.sectors_hit +=
          static_cast<unsigned>(std::popcount(worker.l1.load(line, wanted))) + count * (grouping_.repeats - 1);
    }
    for (const std::uint64_t sector : really_) {
      if (write)
        worker.footprint.mark_written(sector & ~3ull, 1u << (sector & 3));
      else
        worker.footprint.mark_read(sector & ~3ull, 1u << (sector & 3));
    }
    counters.sectors += sectors;
    counters.sectors_ideal += std::min<std::uint64_t>(sectors, (bytes + 31) / 32);
    counters.tag_wavefronts += passes != 0 ? passes : groups_in(warp.exec, grouping_.request);
    clear();
  }
  void clear() {
    now_.clear();
    of_pass_.clear();
    all_.clear();
    really_.clear();
    pass_ = 0;
  }

 private:
  static constexpr unsigned kHalfShift = 4;  ///< Positions are kept in units of 16 bytes.

  static unsigned groups_in(std::uint32_t lanes, unsigned width) {
    unsigned count = 0;
    for (unsigned first = 0; first < kWarpSize; first += width) count += (lanes >> first & ((1u << width) - 1)) != 0;
    return count;
  }
  void close_pass() {
    const auto sort = [](auto& list) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (const std::uint64_t half : of_pass_) really_.push_back(half >> 1);
    // For narrow layouts, the L1 has a separate entry for each 16 bytes.
    constexpr std::uint64_t kFarAway = std::uint64_t{1} << 50;
    for (std::uint64_t& place : of_pass_) place = grouping_.narrow ? kFarAway + place : place >> 1;
    sort(of_pass_);
    sort(really_);
    for (const std::uint64_t place : of_pass_) all_.emplace_back(pass_, place);
    of_pass_.clear();
  }

  Grouping grouping_;
  std::uint64_t pass_ = 0;
  std::vector<std::uint64_t> now_, of_pass_, really_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all_;  ///< Pass and sector.
};

/// Kept between requests, of which there are many: each would allocate.
Touched& touched_by_this_thread() {
  static thread_local Touched touched;
  touched.clear();
  return touched;
}

/// Groups of four lanes that take part: the texture unit serves them one after the other.
unsigned quads_in(std::uint32_t lanes) {
  return static_cast<unsigned>(std::popcount((lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111u));
}

/// Why @p image cannot be read as @p geometry; empty if it can.
std::string mismatch(const Image& image, Geometry geometry, bool by_index) {
  const bool cube = geometry == Geometry::cube || geometry == Geometry::acube;
  if (by_index != (image.kind == Image::Kind::linear))
    return by_index ? "only linear memory is read by an integer index" : "linear memory is read by tex1Dfetch only";
  if (image.kind == Image::Kind::linear) return {};
  if (cube && !image.cubemap) return "the array is not a cubemap";
  const unsigned dimensions = cube ? 2 : dimensions_of(geometry);
  if (dimensions != image.dimensions)
    return "the array has " + std::to_string(image.dimensions) + (image.dimensions == 1 ? " dimension" : " dimensions");
  if (is_layered(geometry) != image.layered && !(geometry == Geometry::a2d && image.cubemap))
    return image.layered ? "the array has layers" : "the array has no layers";
  if (geometry == Geometry::d2 && image.cubemap) return "the array is a cubemap";
  return {};
}

const Operation* refuse(Warp& warp, const Operation* op, unsigned lane, const Image& image, const std::string& reason) {
  return raise(warp, op, FaultKind::unsupported, lane, image.address, 0, false,
               "`" + warp.program->details[op->index].spelling + "` on " + image.name + " (" + size_text(image) +
                   "): " + reason + "; the result on a GPU is undefined");
}

/// A position on a surface: bytes along x, and the row and slice or layer.
struct SurfacePlace {
  std::int64_t x = 0, y = 0, z = 0;
};

SurfacePlace surface_place(const Warp& warp, const Operation* op, Geometry geometry, unsigned lane) {
  const std::uint32_t* const list = list_of(warp, op->b);
  const auto at = [&](unsigned k) {
    return static_cast<std::int64_t>(static_cast<std::int32_t>(narrow(warp, list[k], lane)));
  };
  switch (geometry) {
    case Geometry::d1:
      return {at(0), 0, 0};
    case Geometry::d2:
      return {at(0), at(1), 0};
    case Geometry::d3:
      return {at(0), at(1), at(2)};
    case Geometry::a1d:
      return {at(1), 0, at(0)};
    default:
      return {at(1), at(2), at(0)};
  }
}

enum class Reach : std::uint8_t { inside, outside, fault };

/// Brings @p place into the surface as the operation's clamp mode says. @p bytes are accessed.
Reach reach(Warp& warp, const Operation* op, unsigned lane, const Bound& bound, std::uint32_t bytes, bool write,
            SurfacePlace& place) {
  const Image& image = bound.image();
  const ImageLevel& level = image.levels[0];
  const ptx::Modifiers& m = warp.program->details[op->index].modifiers;
  const std::int64_t width = std::int64_t{level.width} * image.format.bytes(),
                     depth = image.dimensions == 3 ? level.depth : image.layers;
  if (place.x % bytes != 0) {
    raise(warp, op, FaultKind::misaligned, lane, image.address, bytes, write,
          {"x = " + std::to_string(place.x) + " bytes is not a multiple of the " + std::to_string(bytes) +
               " bytes that are accessed of the surface",
           FaultCause::outside_surface});
    return Reach::fault;
  }
  const bool inside = place.x >= 0 && place.x + bytes <= width && place.y >= 0 && place.y < level.height &&
                      place.z >= 0 && place.z < depth;
  if (inside) return Reach::inside;
  if (m.mode == ptx::Mode::zero) return Reach::outside;
  if (m.mode == ptx::Mode::clamp && bytes <= width) {
    place.x = std::clamp<std::int64_t>(place.x, 0, width - bytes);
    place.y = std::clamp<std::int64_t>(place.y, 0, level.height - 1);
    place.z = std::clamp<std::int64_t>(place.z, 0, depth - 1);
    return Reach::inside;
  }
  std::string at = "x = " + std::to_string(place.x) + " bytes";
  if (image.dimensions > 1) at += ", y = " + std::to_string(place.y);
  if (image.dimensions > 2) at += ", z = " + std::to_string(place.z);
  if (image.layered || image.cubemap) at += ", layer " + std::to_string(place.z);
  raise(warp, op, FaultKind::out_of_bounds, lane, image.address, bytes, write,
        {std::string(write ? "write of " : "read of ") + std::to_string(bytes) + " bytes at " + at +
             " outside a surface of " + size_text(image) + ": " + image.name,
         FaultCause::outside_surface});
  return Reach::fault;
}

/// An array of cubemaps is accessed as an array of their faces.
std::string surface_mismatch(const Image& image, Geometry geometry) {
  if (image.cubemap) return geometry == Geometry::a2d ? "" : "the array is a cubemap";
  return mismatch(image, geometry, false);
}

/// Whether the instruction fits the surface; raises a fault otherwise.
bool takes_surface(Warp& warp, const Operation* op, unsigned lane, const Image& image, Geometry geometry) {
  const std::string wrong = surface_mismatch(image, geometry);
  if (!wrong.empty()) refuse(warp, op, lane, image, wrong);
  return wrong.empty();
}

/// Counts @p bytes of a surface, starting at byte @p x of a row.
void touch_surface(Touched& touched, const Image& image, std::uint64_t x, std::uint64_t y, std::uint64_t z,
                   unsigned bytes) {
  for (unsigned k = 0; k < bytes; k += 16)
    touched.sectors().push_back((image.address + image.counted_offset(image.levels[0], x + k, y, z)) >> 4);
}

/// The bits of a texel of @p format for the value in @p bits.
std::uint32_t formatted(const TexelFormat& format, ptx::Type type, std::uint32_t bits) {
  if (format.kind == TexelKind::floating || type == ptx::Type::b32 || format.bits == 32) return bits;
  const std::int64_t least = -(std::int64_t{1} << (format.bits - 1)), most = (std::int64_t{1} << (format.bits - 1)) - 1;
  if (format.kind == TexelKind::signed_integer)
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(static_cast<std::int32_t>(bits), least, most));
  return std::min<std::uint32_t>(bits, (1u << format.bits) - 1);
}

}  // namespace

const Operation* read_texture(Warp& warp, const Operation* op) {
  if (warp.exec == 0) return op + 1;
  const OperationDetail& detail = warp.program->details[op->index];
  const Geometry geometry = detail.modifiers.geometry;
  const std::uint32_t* const coordinates = list_of(warp, op->b);
  const std::uint32_t* const outputs = list_of(warp, op->d);
  const unsigned layer = is_layered(geometry) ? 1 : 0, dimensions = dimensions_of(geometry);
  const bool by_index = detail.id == OperationId::tex_fetch, checked = state_of(warp).state->checked != nullptr;
  Bound bound(warp, op, true);
  Touched& touched = touched_by_this_thread();
  std::uint64_t bytes = 0;
  const bool done = each_lane(warp.exec, [&](unsigned lane) {
    if (!bound.find(lane)) return false;
    const Texture& texture = bound.texture();
    if (const std::string wrong = mismatch(texture.image, geometry, by_index); !wrong.empty()) {
      refuse(warp, op, lane, texture.image, wrong);
      return false;
    }
    TextureFetch fetch(texture, bound.texels(), touched.sectors());
    std::vector<std::uint64_t> texels;
    if (checked) fetch.note_texels(texels);
    TexturePlace place;
    place.geometry = geometry;
    if (layer != 0) place.layer = narrow(warp, coordinates[0], lane);
    for (unsigned k = 0; k < dimensions && !by_index; ++k)
      place.at[k] = std::bit_cast<float>(narrow(warp, coordinates[layer + k], lane));
    const auto gradient = [&](std::uint32_t operand, float(&to)[3]) {
      for (unsigned k = 0; k < dimensions; ++k)
        to[k] = std::bit_cast<float>(narrow(warp, list_of(warp, operand)[k], lane));
    };
    TextureValue value;
    float dx[3] = {0, 0, 0}, dy[3] = {0, 0, 0};
    switch (detail.id) {
      case OperationId::tex_fetch:
        value = fetch.fetch(static_cast<std::int32_t>(narrow(warp, coordinates[0], lane)));
        break;
      case OperationId::tld4:
        value = fetch.gather(place, detail.modifiers.component);
        break;
      case OperationId::tex_level:
        value = fetch.sample(place, static_cast<double>(std::bit_cast<float>(narrow(warp, op->c, lane))));
        break;
      case OperationId::tex_grad:
        gradient(op->c, dx);
        gradient(op->f, dy);
        value = fetch.sample(place, dx, dy);
        break;
      default:
        value = fetch.sample(place, 0);
    }
    for (unsigned k = 0; k < 4; ++k) put(warp, outputs[k], lane, value.bits[k], false);
    for (const std::uint64_t texel : texels)
      warp.worker->checker->read_in_bulk(state_of(warp), op, lane, texture.image.address + texel,
                                         texture.image.format.bytes(), false);
    const bool filters = texture.sampler.linear && texture.gives_floats() && detail.id != OperationId::tld4;
    touched.settle(bound, lane, texture_grouping(texture, geometry, filters));
    bytes += texture.image.format.bytes();
    return true;
  });
  if (!done) return nullptr;
  if (op->e != kNoOperand) *reinterpret_cast<std::uint32_t*>(warp.registers + op->e) |= warp.exec;
  touched.count(warp, op, bytes, quads_in(warp.exec), false);
  return op + 1;
}

const Operation* load_surface(Warp& warp, const Operation* op) {
  if (warp.exec == 0) return op + 1;
  const OperationDetail& detail = warp.program->details[op->index];
  const ptx::Modifiers& m = detail.modifiers;
  const std::uint32_t* const outputs = list_of(warp, op->d);
  const unsigned element = ptx::size_of(m.types[0]), all = element * m.vector;
  Bound bound(warp, op, false);
  Touched& touched = touched_by_this_thread();
  std::uint64_t bytes = 0;
  const bool done = each_lane(warp.exec, [&](unsigned lane) {
    if (!bound.find(lane)) return false;
    const Image& image = bound.image();
    if (!takes_surface(warp, op, lane, image, m.geometry)) return false;
    SurfacePlace place = surface_place(warp, op, m.geometry, lane);
    const Reach found = reach(warp, op, lane, bound, all, false, place);
    if (found == Reach::fault) return false;
    const auto x = static_cast<std::uint64_t>(place.x), y = static_cast<std::uint64_t>(place.y),
               z = static_cast<std::uint64_t>(place.z);
    for (unsigned k = 0; k < m.vector; ++k) {
      std::uint64_t value = 0;
      if (found == Reach::inside)
        std::memcpy(&value, bound.texels() + image.offset_of(image.levels[0], x + k * element, y, z), element);
      put(warp, outputs[k], lane, value, element == 8);
    }
    if (found == Reach::inside) {
      if (state_of(warp).state->checked != nullptr)
        warp.worker->checker->read_in_bulk(state_of(warp), op, lane,
                                           image.address + image.offset_of(image.levels[0], x, y, z), all, false);
      touch_surface(touched, image, x, y, z, all);
      bytes += all;
    }
    touched.settle(bound, lane, surface_grouping(image));
    return true;
  });
  if (!done) return nullptr;
  touched.count(warp, op, bytes, 0, false);
  return op + 1;
}

const Operation* store_surface(Warp& warp, const Operation* op) {
  if (warp.exec == 0) return op + 1;
  const OperationDetail& detail = warp.program->details[op->index];
  const ptx::Modifiers& m = detail.modifiers;
  const std::uint32_t* const values = list_of(warp, op->c);
  const bool by_format = detail.id == OperationId::sust_formatted;
  const unsigned element = ptx::size_of(m.types[0]);
  Bound bound(warp, op, false);
  Touched& touched = touched_by_this_thread();
  std::uint64_t bytes = 0;
  const bool done = each_lane(warp.exec, [&](unsigned lane) {
    if (!bound.find(lane)) return false;
    const Image& image = bound.image();
    if (!takes_surface(warp, op, lane, image, m.geometry)) return false;
    if (by_format &&
        (image.format.normalized || (image.format.kind == TexelKind::floating && image.format.bits != 32))) {
      refuse(warp, op, lane, image, "formatted stores are supported for 32-bit floats and plain integers only");
      return false;
    }
    SurfacePlace place = surface_place(warp, op, m.geometry, lane);
    const unsigned channel = by_format ? image.format.bits / 8u : element;
    const unsigned count = by_format ? std::min<unsigned>(m.vector, image.format.channels) : m.vector;
    const unsigned all = by_format ? image.format.bytes() : element * m.vector;
    if (by_format) place.x *= image.format.bytes();
    const Reach found = reach(warp, op, lane, bound, all, true, place);
    if (found == Reach::fault) return false;
    if (found == Reach::outside) return true;
    const auto x = static_cast<std::uint64_t>(place.x), y = static_cast<std::uint64_t>(place.y),
               z = static_cast<std::uint64_t>(place.z);
    const std::uint64_t offset = image.offset_of(image.levels[0], x, y, z);
    if (state_of(warp).state->checked != nullptr)
      warp.worker->checker->wrote_in_bulk(state_of(warp), op, lane, image.address + offset, all, false);
    if (warp.worker->undo != nullptr) warp.worker->undo->before_write(bound.allocation(), image.address + offset, all);
    for (unsigned k = 0; k < count; ++k) {
      std::uint64_t value = element == 8 ? wide(warp, values[k], lane) : narrow(warp, values[k], lane);
      if (by_format) value = formatted(image.format, m.types[0], static_cast<std::uint32_t>(value));
      std::memcpy(bound.texels() + offset + std::uint64_t{k} * channel, &value, channel);
    }
    touch_surface(touched, image, x, y, z, all);
    bytes += all;
    touched.settle(bound, lane, surface_grouping(image));
    return true;
  });
  if (!done) return nullptr;
  touched.count(warp, op, bytes, 0, true);
  return op + 1;
}

const Operation* query(Warp& warp, const Operation* op) {
  const OperationDetail& detail = warp.program->details[op->index];
  Bound bound(warp, op, detail.id != OperationId::suq);
  const bool done = each_lane(warp.exec, [&](unsigned lane) {
    if (!bound.find(lane)) return false;
    const Image& image = bound.image();
    const TexelFormat& format = image.format;
    std::size_t number = 0;
    if (detail.id == OperationId::txq_level)
      number = std::min<std::size_t>(narrow(warp, op->c, lane), image.levels.size() - 1);
    const ImageLevel& level = image.levels[number];
    std::uint32_t value = 0;
    switch (detail.modifiers.query) {
      case ptx::ImageQuery::width:
        value = level.width;
        break;
      case ptx::ImageQuery::height:
        value = level.height;
        break;
      case ptx::ImageQuery::depth:
        value = level.depth;
        break;
      case ptx::ImageQuery::array_size:
        value = image.layers;
        break;
      case ptx::ImageQuery::num_mipmap_levels:
        value = static_cast<std::uint32_t>(image.levels.size());
        break;
      case ptx::ImageQuery::normalized_coords:
        value = bound.texture().sampler.normalized_coordinates ? 1 : 0;
        break;
      // The PTX manual gives OpenCL's numbers.
      case ptx::ImageQuery::channel_order:
        value = format.channels == 1 ? 0x10b0 : format.channels == 2 ? 0x10b2 : 0x10b5;
        break;
      case ptx::ImageQuery::channel_data_type: {
        const unsigned width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
        value = format.kind == TexelKind::floating         ? (format.bits == 16 ? 0x10dd : 0x10de)
                : format.kind == TexelKind::signed_integer ? (format.normalized ? 0x10d0 : 0x10d7) + width
                                                           : (format.normalized ? 0x10d2 : 0x10da) + width;
        break;
      }
      case ptx::ImageQuery::none:
        break;
    }
    put(warp, op->d, lane, value, false);
    return true;
  });
  return done ? op + 1 : nullptr;
}

}  // namespace warpbook::simulator::image
