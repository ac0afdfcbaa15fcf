// Every row of the operation table gives the results of a GPU, and only writes the lanes that execute it.
#include <map>
#include <set>

#include "common/simulator/machine/operations/image_forms.h"
#include "common/simulator/machine/operations/matrix_forms.h"
#include "common/simulator/machine/operations/rows/virtual_gpu.h"
#include "common/simulator/ptx/operation_table.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::rows;

namespace {

const char* const kFamilies[] = {"integer", "logic", "compare", "floating",     "convert", "memory",
                                 "atomic",  "warp",  "control", "asynchronous", "video"};

std::string path_of(const std::string& family, const char* ending) {
  return std::string(WB_ROWS) + "/" + family + ending;
}

/// The first difference of two result lists in words; empty if there is none in the first @p count.
std::string first_difference(const Row& row, const std::vector<std::uint64_t>& got,
                             const std::vector<std::uint64_t>& expected, std::size_t count) {
  const std::size_t width = row.outputs.size();
  const std::vector<std::uint64_t> inputs = inputs_of(row);
  for (std::size_t k = 0; k < count; ++k) {
    const Kind kind = row.outputs[k % width];
    if (agrees(row, kind, got[k], expected[k])) continue;
    std::string text = "case " + std::to_string(k / width) + ": inputs";
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
      text.append(1, ' ').append(show(row.inputs[i], inputs[k / width * row.inputs.size() + i]));
    return text + ", output " + std::to_string(k % width) + " is " + show(kind, got[k]) + ", expected " +
           show(kind, expected[k]);
  }
  return {};
}

/// What is wrong with @p results compared to the golden file; empty if nothing.
std::string judge(const Row& row, const std::vector<std::uint64_t>& results, const Golden& golden) {
  std::string difference = first_difference(row, results, golden.shown, golden.shown.size());
  if (!difference.empty() || row.approximate()) return difference;
  const Golden summary = summarise(row, results);
  for (unsigned g = 0; g < kGroups; ++g)
    if (g >= golden.hashes.size() || summary.hashes[g] != golden.hashes[g])
      return "the first " + std::to_string(kShown) + " cases agree, but a result among cases " +
             std::to_string(g * kCases / kGroups) + " to " + std::to_string((g + 1) * kCases / kGroups - 1) +
             " does not: warpbook_replay_operations --dump shows them on a GPU";
  return {};
}

bool is_single_instruction(const Row& row) {
  return row.body.find(';') == row.body.size() - 1 && row.body.rfind(row.instruction, 0) == 0;
}

void check_family(const std::string& family) {
  std::map<std::string, Golden> goldens;
  for (auto& [text, golden] : read_goldens(path_of(family, ".golden"))) goldens[text] = golden;
  const std::vector<Row> rows = read_rows(path_of(family, ".rows"));
  REQUIRE_FALSE(rows.empty());
  std::size_t used = 0;
  for (const Row& row : rows) {
    INFO(family << ".rows:" << row.line << ": " << row.text);
    used += goldens.count(row.text);
    std::string problem;
    try {
      const std::vector<std::uint64_t> results = run_virtually(row, row.body);
      if (!row.equivalent.empty()) {
        problem = first_difference(row, results, run_virtually(row, row.equivalent), results.size());
      } else if (const auto golden = goldens.find(row.text); golden != goldens.end()) {
        problem = judge(row, results, golden->second);
      } else {
        problem = "no golden: record it on a GPU with warpbook_replay_operations --record";
      }
    } catch (const std::exception& error) {
      problem = error.what();
    }
    INFO(problem);
    CHECK(problem.empty());
  }
  CHECK(used == goldens.size());
}

}  // namespace

TEST_CASE("integer operations give an H200's results") { check_family("integer"); }
TEST_CASE("logic operations give an H200's results") { check_family("logic"); }
TEST_CASE("comparisons give an H200's results") { check_family("compare"); }
TEST_CASE("floating-point operations give an H200's results") { check_family("floating"); }
TEST_CASE("conversions give an H200's results") { check_family("convert"); }
TEST_CASE("memory operations give an H200's results") { check_family("memory"); }
TEST_CASE("atomic operations give an H200's results") { check_family("atomic"); }
TEST_CASE("warp functions give an H200's results") { check_family("warp"); }
TEST_CASE("control flow gives an H200's results") { check_family("control"); }
TEST_CASE("video instructions give an H200's results") { check_family("video"); }
TEST_CASE("asynchronous work follows the manual") { check_family("asynchronous"); }

TEST_CASE("an operation writes the lanes that execute it and no others") {
  unsigned rows = 0;
  for (const char* family : {"integer", "logic", "compare", "floating", "convert"}) {
    for (const Row& row : read_rows(path_of(family, ".rows"))) {
      if (!is_single_instruction(row)) continue;
      ++rows;
      INFO(family << ".rows:" << row.line << ": " << row.text);
      // A mask with gaps; a register that was never written is 0.
      const std::string guard = "mov.u32 %t7, %tid.x; and.b32 %t7, %t7, 5; setp.eq.u32 %p3, %t7, 1; @%p3 ";
      const std::vector<std::uint64_t> all = run_virtually(row, row.body), some = run_virtually(row, guard + row.body);
      std::string problem;
      for (std::size_t k = 0; k < all.size() && problem.empty(); ++k) {
        const std::size_t thread = k / row.outputs.size() % kBlock;
        const bool on = (thread & 5u) == 1u;
        if (some[k] == (on ? all[k] : 0)) continue;
        problem = "thread " + std::to_string(thread) +
                  (on ? " executes it but differs" : " does not execute it but is written");
      }
      INFO(problem);
      CHECK(problem.empty());
    }
  }
  CHECK(rows > 800);
}

TEST_CASE("every row of the operation table has a test row") {
  std::set<ptx::OperationId> tested;
  for (const char* family : kFamilies) {
    for (const Row& row : read_rows(path_of(family, ".rows"))) {
      const ptx::Module module = ptx::parse(module_text(row, row.body));
      const BodyLines lines = body_lines(row, row.body);
      REQUIRE(module.functions.back().name == "row");
      for (const ptx::Statement& statement : module.functions.back().body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
        if (!instruction || instruction->ptx_line < lines.first || instruction->ptx_line > lines.last) continue;
        if (statement.call)
          tested.insert(ptx::OperationId::call);  // Its operands are lists, which match() does not know.
        else if (const auto match = ptx::match(*instruction))
          tested.insert(match->id);
      }
    }
  }
  // Matrix operations have their own tests: a row's lanes here have independent values, not parts of a matrix.
  std::string matrices = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n";
  for (const std::string& text : tested_matrix_instructions())
    for (const char* operands : {" %r, %r;", " %r, %r, %r;", " %r, %r, %r, %r;"}) matrices += text + operands + "\n";
  for (const std::string& text : tested_group_instructions()) matrices += text + "\n";
  // So have tensor copies (machine/asynchronous.test.cpp): they need a map.
  for (const char* text :
       {"shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r], [%r, {%r}], [%r];",
        "shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r], [%r, {%r}], "
        "[%r], %r;",
        "global.shared::cta.tile.bulk_group [%r, {%r}], [%r];"})
    matrices += std::string("cp.async.bulk.tensor.1d.") + text + "\n";
  matrices +=
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r], [%r, {%r}], [%r];\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r], "
      "[%r, {%r}], [%r], %r;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%r, {%r}], [%r];\n"
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%r, {%r}];\n"
      "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%r, {%r}], [%r];\n"
      "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%r, {%r}];\n";
  for (const char* text :
       {"shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r], [%r, {%r, %r, %r}], [%r], {%r};",
        "shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%r], [%r, {%r, %r, %r}], [%r], "
        "{%r}, %r;",
        "global.shared::cta.im2col_no_offs.bulk_group [%r, {%r, %r, %r}], [%r];"})
    matrices += std::string("cp.async.bulk.tensor.3d.") + text + "\n";
  matrices +=
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group [%r, {%r, %r, %r}], [%r];\n"
      "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%r, {%r, %r, %r}], {%r};\n"
      "tensormap.replace.tile.global_address.b1024.b64 [%r], %r;\n"
      "tensormap.replace.tile.rank.b1024.b32 [%r], %r;\n"
      "tensormap.replace.tile.global_stride.b1024.b64 [%r], 0, %r;\n";
  for (const char* field : {"box_dim", "global_dim", "element_stride"})
    matrices += std::string("tensormap.replace.tile.") + field + ".b1024.b32 [%r], 0, %r;\n";
  for (const char* field : {"elemtype", "interleave_layout", "swizzle_mode", "fill_mode"})
    matrices += std::string("tensormap.replace.tile.") + field + ".b1024.b32 [%r], 0;\n";
  matrices +=
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%r], [%r], 128;\n"
      "multimem.ld_reduce.weak.global.add.f32 %r, [%r];\nmultimem.st.weak.global.f32 [%r], %r;\n"
      "multimem.red.relaxed.gpu.global.add.f32 [%r], %r;\n";
  const ptx::Module module = ptx::parse(matrices + "ret;\n}\n");
  // So have texture and surface operations, which need an object.
  std::string images = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n";
  for (const std::string& text : tested_image_instructions()) images += text + ";\n";
  const ptx::Module of_images = ptx::parse(images + "ret;\n}\n");
  for (const ptx::Module* both : {&module, &of_images})
    for (const ptx::Statement& statement : both->functions.back().body)
      if (const auto* instruction = std::get_if<ptx::Instruction>(&statement.node))
        if (const auto match = ptx::match(*instruction)) tested.insert(match->id);
  for (unsigned id = 0; id < static_cast<unsigned>(ptx::OperationId::count); ++id) {
    const ptx::OperationRow& row = ptx::row(static_cast<ptx::OperationId>(id));
    INFO("no test row uses operation " << row.name << " (" << row.opcode << " " << row.modifiers << ")");
    CHECK(tested.count(static_cast<ptx::OperationId>(id)) == 1);
  }
}
