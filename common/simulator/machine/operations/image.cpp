// Rows of texture and surface operations; their code is the same for every instruction set (machine/image_access.h).
#include "common/simulator/machine/image_access.h"
#include "common/simulator/machine/operations/handlers.h"

namespace warpbook::simulator::operations::WB_ISA {

Handler resolve_tex(const Modifiers&) { return image::read_texture; }
Handler resolve_tex_fetch(const Modifiers&) { return image::read_texture; }
Handler resolve_tex_level(const Modifiers&) { return image::read_texture; }
Handler resolve_tex_grad(const Modifiers&) { return image::read_texture; }
Handler resolve_tld4(const Modifiers&) { return image::read_texture; }
Handler resolve_txq(const Modifiers&) { return image::query; }
Handler resolve_txq_level(const Modifiers&) { return image::query; }
// One thread moves at most 16 bytes.
Handler resolve_suld(const Modifiers& m) {
  return ptx::size_of(m.types[0]) * m.vector <= 16 ? image::load_surface : nullptr;
}
Handler resolve_sust(const Modifiers& m) {
  return ptx::size_of(m.types[0]) * m.vector <= 16 ? image::store_surface : nullptr;
}
Handler resolve_sust_formatted(const Modifiers&) { return image::store_surface; }
Handler resolve_suq(const Modifiers&) { return image::query; }

}  // namespace warpbook::simulator::operations::WB_ISA
