// All forms, from the shapes and types that the manual lists for sm_90.
#include "common/simulator/machine/operations/matrix_forms.h"

#include <array>
#include <tuple>

#include "common/simulator/ptx/fragments.h"

namespace warpbook::simulator {
namespace {

using ptx::MatrixShape;
using ptx::Type;

constexpr auto u16(unsigned x) { return static_cast<std::uint16_t>(x); }
MatrixShape shape(unsigned m, unsigned n, unsigned k) { return {u16(m), u16(n), u16(k)}; }

std::string word(const MatrixShape& s) {
  return ".m" + std::to_string(s.m) + "n" + std::to_string(s.n) + "k" + std::to_string(s.k);
}
std::string word(Type type) { return "." + std::string(name_of(type)); }

struct FormRow {
  Type a, b, c;
  std::vector<MatrixShape> shapes;
};

const std::vector<MatrixShape> kLarge = {shape(16, 16, 16), shape(8, 32, 16), shape(32, 8, 16)};

}  // namespace

std::vector<MatrixForm> mma_forms() {
  using enum ptx::Type;
  std::vector<FormRow> rows = {
      {f16, f16, f16, {shape(16, 8, 8), shape(16, 8, 16)}},
      {f16, f16, f32, {shape(16, 8, 8), shape(16, 8, 16)}},
      {bf16, bf16, f32, {shape(16, 8, 8), shape(16, 8, 16)}},
      {tf32, tf32, f32, {shape(16, 8, 4), shape(16, 8, 8)}},
      {f64, f64, f64, {shape(8, 8, 4), shape(16, 8, 4), shape(16, 8, 8), shape(16, 8, 16)}},
      {b1, b1, s32, {shape(8, 8, 128), shape(16, 8, 128), shape(16, 8, 256)}},
  };
  for (const Type a : {e4m3, e5m2})
    for (const Type b : {e4m3, e5m2})
      for (const Type c : {f16, f32}) rows.push_back({a, b, c, {shape(16, 8, 16), shape(16, 8, 32)}});
  for (const Type a : {s8, u8})
    for (const Type b : {s8, u8}) rows.push_back({a, b, s32, {shape(8, 8, 16), shape(16, 8, 16), shape(16, 8, 32)}});
  for (const Type a : {s4, u4})
    for (const Type b : {s4, u4}) rows.push_back({a, b, s32, {shape(8, 8, 32), shape(16, 8, 32), shape(16, 8, 64)}});
  std::vector<MatrixForm> forms;
  for (const FormRow& row : rows) {
    for (const MatrixShape& s : row.shapes) {
      const std::string types = word(row.c) + word(row.a) + word(row.b) + word(row.c);
      const bool integers = row.c == s32 && row.a != b1;
      for (const bool other : {false, true}) {
        if (other && row.c != s32) continue;
        MatrixForm form{"", s, row.a, row.b, row.c, row.c, integers && other, row.a == b1 && other};
        form.instruction = "mma.sync.aligned" + word(s) + ".row.col" + (form.saturates ? ".satfinite" : "") + types;
        if (row.a == b1) form.instruction += form.exclusive ? ".xor.popc" : ".and.popc";
        forms.push_back(form);
      }
    }
  }
  return forms;
}

std::vector<MatrixForm> wmma_forms() {
  using enum ptx::Type;
  const std::vector<FormRow> rows = {
      {f16, f16, f16, kLarge},
      {f16, f16, f32, kLarge},
      {bf16, bf16, f32, kLarge},
      {tf32, tf32, f32, {shape(16, 16, 8)}},
      {f64, f64, f64, {shape(8, 8, 4)}},
      {s8, s8, s32, kLarge},
      {u8, u8, s32, kLarge},
      {s4, s4, s32, {shape(8, 8, 32)}},
      {u4, u4, s32, {shape(8, 8, 32)}},
      {b1, b1, s32, {shape(8, 8, 128)}},
  };
  std::vector<MatrixForm> forms;
  for (const FormRow& row : rows) {
    const bool packed = row.a == s4 || row.a == u4 || row.a == b1;  // .row.col only
    for (const MatrixShape& s : row.shapes) {
      for (unsigned layout = 0; layout < 4; ++layout) {
        const bool a_columns = (layout & 1) != 0, b_columns = (layout & 2) != 0;
        if (packed && (a_columns || !b_columns)) continue;
        for (const bool other : {false, true}) {
          if (other && row.c != s32) continue;
          MatrixForm form{"",        s,        row.a, row.b, row.c, row.c, other && row.a != b1, other && row.a == b1,
                          a_columns, b_columns};
          const std::string types =
              row.a == f16 ? word(row.c) + word(row.c) : word(row.c) + word(row.a) + word(row.b) + word(row.c);
          form.instruction = std::string("wmma.mma") + (row.a == b1 ? form.exclusive ? ".xor.popc" : ".and.popc" : "") +
                             ".sync.aligned" + (a_columns ? ".col" : ".row") + (b_columns ? ".col" : ".row") + word(s) +
                             types + (form.saturates ? ".satfinite" : "");
          forms.push_back(form);
        }
      }
    }
  }
  return forms;
}

std::vector<GroupForm> sparse_forms() {
  using enum ptx::Type;
  struct SparseRow {
    Type a, b, c;
    MatrixShape shape;
    unsigned selectors;
  };
  std::vector<SparseRow> rows = {{f16, f16, f16, shape(16, 8, 16), 4},   {f16, f16, f32, shape(16, 8, 16), 4},
                                 {f16, f16, f16, shape(16, 8, 32), 2},   {f16, f16, f32, shape(16, 8, 32), 2},
                                 {bf16, bf16, f32, shape(16, 8, 16), 4}, {bf16, bf16, f32, shape(16, 8, 32), 2},
                                 {tf32, tf32, f32, shape(16, 8, 8), 4},  {tf32, tf32, f32, shape(16, 8, 16), 2}};
  for (const Type a : {e4m3, e5m2})
    for (const Type b : {e4m3, e5m2}) rows.push_back({a, b, f32, shape(16, 8, 64), 1});
  for (const auto& [a, b, k] :
       {std::tuple{s8, u8, 32u}, std::tuple{u8, s8, 32u}, std::tuple{s4, u4, 64u}, std::tuple{u4, s4, 64u}}) {
    rows.push_back({a, b, s32, shape(16, 8, k), 2});
    rows.push_back({a, b, s32, shape(16, 8, 2 * k), 1});
  }
  std::vector<GroupForm> forms;
  for (const SparseRow& row : rows) {
    MatrixForm form{"", row.shape, row.a, row.b, row.c, row.c};
    form.instruction = std::string("mma.sp") + (forms.size() % 2 == 0 ? "::ordered_metadata" : "") + ".sync.aligned" +
                       word(row.shape) + ".row.col" + word(row.c) + word(row.a) + word(row.b) + word(row.c);
    forms.push_back({form, true, true, row.selectors});
  }
  return forms;
}

std::vector<GroupForm> group_forms() {
  using enum ptx::Type;
  std::vector<std::array<Type, 3>> types = {{f16, f16, f16}, {f16, f16, f32}, {bf16, bf16, f32}, {tf32, tf32, f32},
                                            {s8, u8, s32},   {u8, s8, s32},   {b1, b1, s32}};
  for (const Type c : {f16, f32})
    for (const Type a : {e4m3, e5m2}) types.push_back({a, a == e4m3 && c == f16 ? e5m2 : e4m3, c});
  std::vector<GroupForm> forms;
  for (const auto& [a, b, c] : types)
    for (const bool sparse : {false, true}) {
      if (sparse && a == b1) continue;
      const unsigned k = 256 / ptx::element_bits(a) * (sparse ? 2 : 1),
                     two = a == f16 || a == bf16 || a == tf32 ? 2 : 1;
      for (const bool in_registers : {false, true})
        for (const unsigned n : {8u, 24u, 64u, 256u}) {
          MatrixForm form{"", shape(64, n, k), a, b, c, c};
          form.instruction = std::string("wgmma.mma_async") + (sparse ? ".sp" : "") + ".sync.aligned" +
                             word(form.shape) + word(c) + word(a) + word(b) + (a == b1 ? ".and.popc" : "");
          forms.push_back({form, sparse, in_registers, two});
        }
    }
  return forms;
}

std::string written(const GroupForm& form, const std::string& d, const std::string& a, const std::string& b,
                    const std::string& c, unsigned selector, bool transposes_a, bool transposes_b) {
  std::string text = form.form.instruction + " " + d + ", " + a + ", " + b;
  if (!form.is_group()) text += ", " + c;
  if (form.sparse) text += ", %metadata, " + std::to_string(selector);
  if (form.is_group()) text += ", %accumulates";
  if (form.scales()) text += ", 1, 1";
  if (form.transposes() && !form.in_registers) text += transposes_a ? ", 1" : ", 0";
  if (form.transposes()) text += transposes_b ? ", 1" : ", 0";
  return text + ";";
}

std::vector<std::string> tested_group_instructions() {
  std::vector<std::string> all = {"wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;",
                                  "wgmma.wait_group.sync.aligned 0;"};
  for (const GroupForm& form : sparse_forms())
    all.push_back(written(form, "{%r}", "{%r}", "{%r}", "{%r}", 0, false, false));
  for (const GroupForm& form : group_forms())
    all.push_back(written(form, "{%r}", form.in_registers ? "{%r}" : "%r", "%r", "", 0, false, false));
  return all;
}

std::vector<std::string> tested_matrix_instructions() {
  std::vector<std::string> all = {"ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                  "stmatrix.sync.aligned.m8n8.x1.shared.b16", "movmatrix.sync.aligned.m8n8.trans.b16",
                                  "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"};
  for (const MatrixForm& form : mma_forms()) all.push_back(form.instruction);
  for (const MatrixForm& form : wmma_forms()) {
    all.push_back(form.instruction);
    const std::string shape = word(form.shape) + ".global";
    all.push_back("wmma.load.a.sync.aligned.row" + shape + word(form.a));
    all.push_back("wmma.load.b.sync.aligned.col" + shape + word(form.b));
    all.push_back("wmma.load.c.sync.aligned.row" + shape + word(form.c));
    all.push_back("wmma.store.d.sync.aligned.row" + shape + word(form.d));
  }
  return all;
}

}  // namespace warpbook::simulator
