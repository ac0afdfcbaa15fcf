// Puts checkers in front of the operations that access memory or order threads.
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Semantics;

const Operation* watched_operation(Warp& warp, const Operation* op) {
  const Watched& watched = warp.program->watched[op->index];
  Checker* const checker = warp.worker->checker;
  // The worker may have no checker: while a block is prepared, operations run without one.
  return checker == nullptr ? watched.handler(warp, op) : checker->execute(state_of(warp), op, watched);
}

bool is_wide(const ptx::Modifiers& m) { return m.scope != ptx::Scope::cta; }

/// Volatile accesses count as relaxed with system scope.
bool is_of_system(const ptx::Modifiers& m) {
  return m.semantics == Semantics::volatile_ || m.semantics == Semantics::mmio || m.scope == ptx::Scope::sys;
}

/// Loads and stores that other threads may see: nobody writes parameters.
bool describe_access(const Operation& operation, const OperationDetail& detail, Watched& watched) {
  const ptx::Modifiers& m = detail.modifiers;
  const bool seen = m.space == ptx::Space::generic || m.space == ptx::Space::global || m.space == ptx::Space::shared ||
                    m.space == ptx::Space::constant;
  if (!seen) return false;
  AccessForm& form = watched.form;
  HandOver& order = watched.order;
  form.bytes = ptx::size_of(m.types[0]) * m.vector;
  form.strong = m.semantics != Semantics::weak;
  switch (detail.id) {
    case OperationId::ld:
    case OperationId::ldu:
      form.kind = AccessForm::Kind::read;
      order.reads = form.strong;
      break;
    case OperationId::st:
      form.kind = AccessForm::Kind::write;
      order.writes = form.strong;
      break;
    default:
      if (!ptx::is_atomic(detail.id)) return false;
      form.kind = AccessForm::Kind::atomic;
      form.strong = true;
      order.reads = order.writes = order.exchanges = true;
  }
  form.block_scope = form.strong && !is_wide(m);
  form.answers = form.kind == AccessForm::Kind::atomic && operation.d != kNoOperand;
  order.wide = is_wide(m);
  order.system = form.strong && is_of_system(m);
  order.acquires = m.semantics == Semantics::acquire || m.semantics == Semantics::acq_rel;
  order.releases = m.semantics == Semantics::release || m.semantics == Semantics::acq_rel;
  return true;
}

Watched::Role role_of(const Operation& operation, const OperationDetail& detail, Watched& watched) {
  switch (detail.id) {
    case OperationId::cp_async:
      watched.sized = true;
      [[fallthrough]];
    case OperationId::cp_async_cache_hint:
      watched.form.bytes = operation.count;
      return Watched::Role::copy;
    case OperationId::cp_async_commit_group:
      return Watched::Role::commit;
    case OperationId::cp_async_wait_group:
      return Watched::Role::wait;
    case OperationId::cp_async_wait_all:
      return Watched::Role::wait_all;
    case OperationId::mbarrier_init:
      watched.form.kind = AccessForm::Kind::write;
      watched.form.bytes = 8;
      return Watched::Role::mbarrier;
    case OperationId::mbarrier_test_wait:
    case OperationId::mbarrier_test_wait_parity:
    case OperationId::mbarrier_try_wait:
    case OperationId::mbarrier_try_wait_parity:
      watched.form.kind = AccessForm::Kind::read;
      watched.form.bytes = 8;
      watched.form.strong = true;
      return Watched::Role::mbarrier;
    case OperationId::mbarrier_inval:  // CUDA's own pipelines end with it, and order it in their own way.
    case OperationId::mbarrier_expect_tx:
    case OperationId::mbarrier_complete_tx:
    case OperationId::mbarrier_arrive:
    case OperationId::mbarrier_arrive_expect_tx:
    case OperationId::mbarrier_arrive_no_complete:
    case OperationId::mbarrier_arrive_drop:
    case OperationId::mbarrier_arrive_drop_expect_tx:
    case OperationId::mbarrier_arrive_drop_no_complete:
    case OperationId::cp_async_mbarrier_arrive:
    case OperationId::cp_async_mbarrier_arrive_noinc:
      watched.form.kind = AccessForm::Kind::atomic;
      watched.form.bytes = 8;
      watched.form.strong = true;
      return Watched::Role::mbarrier;
    case OperationId::cp_async_bulk_load:
    case OperationId::cp_async_bulk_load_multicast:
    case OperationId::cp_async_bulk_share:
    case OperationId::cp_async_bulk_store:
    case OperationId::cp_async_bulk_store_masked:
    case OperationId::cp_reduce_async_bulk_share:
    case OperationId::cp_reduce_async_bulk_store:
    case OperationId::cp_async_bulk_tensor_load:
    case OperationId::cp_async_bulk_tensor_load_multicast:
    case OperationId::cp_async_bulk_tensor_load_im2col:
    case OperationId::cp_async_bulk_tensor_load_im2col_multicast:
    case OperationId::cp_async_bulk_tensor_store:
    case OperationId::cp_async_bulk_tensor_gather:
    case OperationId::cp_async_bulk_tensor_gather_multicast:
    case OperationId::cp_async_bulk_tensor_scatter:
    case OperationId::clusterlaunchcontrol_try_cancel:
    case OperationId::cp_async_bulk_tensor_store_im2col:
    case OperationId::cp_reduce_async_bulk_tensor:
    case OperationId::cp_reduce_async_bulk_tensor_im2col:
    case OperationId::st_async:
    case OperationId::red_async:
      return Watched::Role::bulk;
    case OperationId::tensormap_replace_global_address:
    case OperationId::tensormap_replace_rank:
    case OperationId::tensormap_replace_box_dim:
    case OperationId::tensormap_replace_global_dim:
    case OperationId::tensormap_replace_global_stride:
    case OperationId::tensormap_replace_element_stride:
    case OperationId::tensormap_replace_elemtype:
    case OperationId::tensormap_replace_interleave_layout:
    case OperationId::tensormap_replace_swizzle_mode:
    case OperationId::tensormap_replace_fill_mode:
    case OperationId::tensormap_cp_fenceproxy:
    case OperationId::st_bulk:
      watched.form.kind = AccessForm::Kind::write;  // At once, unlike copies.
      return Watched::Role::bulk;
    case OperationId::cp_async_bulk_commit_group:
    case OperationId::cp_async_bulk_wait_group:
    case OperationId::cp_async_bulk_wait_group_read:
    case OperationId::wgmma_commit_group:
    case OperationId::wgmma_wait_group:
    case OperationId::fence_proxy_async_generic:
      return Watched::Role::bulk;
    case OperationId::fence_proxy: {
      const bool of_shared = detail.modifiers.space != ptx::Space::global;
      return of_shared && detail.spelling.find(".async") != std::string::npos ? Watched::Role::bulk
                                                                              : Watched::Role::none;
    }
    case OperationId::membar:
    case OperationId::fence:
      watched.order.wide = is_wide(detail.modifiers);
      watched.order.system = is_of_system(detail.modifiers);
      return Watched::Role::fence;
    case OperationId::bar_warp_sync:
      return Watched::Role::warp_barrier;
    case OperationId::shfl_sync:
    case OperationId::vote_sync:
    case OperationId::vote_sync_ballot:
    case OperationId::match_any_sync:
    case OperationId::match_all_sync:
    case OperationId::redux_sync_arithmetic:
    case OperationId::redux_sync_logic:
    case OperationId::redux_sync_floating:
      return Watched::Role::exchange;
    case OperationId::bar_arrive:
    case OperationId::barrier_arrive:
      watched.waits = false;
      [[fallthrough]];
    case OperationId::bar_sync:
    case OperationId::bar_red_popc:
    case OperationId::bar_red_pred:
    case OperationId::barrier_sync:
    case OperationId::barrier_red_popc:
    case OperationId::barrier_red_pred:
      watched.all = operation.b == kNoOperand;
      return Watched::Role::barrier;
    case OperationId::ldmatrix:
    case OperationId::wmma_load_a:
    case OperationId::wmma_load_b:
    case OperationId::wmma_load_c:
    case OperationId::wmma_load_f64_a:
    case OperationId::wmma_load_f64_b:
    case OperationId::wmma_load_f64_c:
      watched.form.kind = AccessForm::Kind::read;
      watched.form.bytes = 0;  // Lanes access lines of a matrix, not addresses of their own (matrix_lines.h).
      return Watched::Role::access;
    case OperationId::stmatrix:
    case OperationId::wmma_store:
    case OperationId::wmma_store_f64:
      watched.form.kind = AccessForm::Kind::write;
      watched.form.bytes = 0;
      return Watched::Role::access;
    case OperationId::sust:
    case OperationId::sust_formatted:
      watched.form.kind = AccessForm::Kind::write;  // The operation itself reports texels (image_access.cpp).
      return Watched::Role::none;
    default:
      if (ptx::is_group_product(detail.id)) {
        watched.form.kind = AccessForm::Kind::read;
        watched.form.bytes = 0;  // Pieces that descriptors refer to (group_layout.h).
        return Watched::Role::access;
      }
      if (!describe_access(operation, detail, watched)) return Watched::Role::none;
      return operation.space == ptx::Space::constant ? Watched::Role::constant : Watched::Role::access;
  }
}

}  // namespace

void watch(Program& program) {
  program.watched.assign(program.operations.size(), {});
  for (Operation& operation : program.code) {
    const OperationDetail& detail = program.details[operation.index];
    Watched& watched = program.watched[operation.index];
    if (detail.internal) continue;
    const bool guarded = operation.guarded != nullptr;
    Handler& handler = guarded ? operation.guarded : operation.handler;
    if (handler == handler_set().unsupported) continue;
    watched.role = role_of(operation, detail, watched);
    if (watched.role == Watched::Role::none) continue;
    watched.handler = handler;
    handler = watched_operation;
  }
}

}  // namespace warpbook::simulator
