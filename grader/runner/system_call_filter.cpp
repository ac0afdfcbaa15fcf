// A list of refused system calls, as a program of the kernel's packet filter.
#include "grader/runner/system_call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpbook::grader {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kOtherInterface = 0x40000000;  // Numbers of the x32 interface begin here.
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kOtherInterface = 0x40000000;  // There are no such numbers.
#else
#error "The sandbox does not know this architecture's system calls."
#endif

constexpr std::uint32_t kRefused[] = {
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
    // Mounts and namespaces.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_open_by_handle_at, SYS_name_to_handle_at,
    // Parts of the kernel that lab programs do not need and that had many vulnerabilities.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_fanotify_init, SYS_quotactl, SYS_acct, SYS_syslog,
    // The machine.
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
#if defined(__x86_64__)
    SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_lookup_dcookie,
#endif
    // Memory that no limit counts; fallocate would add such pages to the file that is shared with the
    // device.
    SYS_fallocate, SYS_memfd_create, SYS_memfd_secret, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_mq_open,
    SYS_semget};

constexpr std::uint32_t kNewNameSpaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW, kRefuse = SECCOMP_RET_ERRNO | EPERM;

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter end(std::uint32_t verdict) { return BPF_STMT(BPF_RET | BPF_K, verdict); }
/// Continues with the next instruction if the comparison holds, otherwise skips `otherwise` instructions.
sock_filter if_equal(std::uint32_t value, std::uint8_t otherwise = 1) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise);
}
sock_filter if_any_bit(std::uint32_t bits, std::uint8_t otherwise) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, otherwise);
}

/// The low half of an argument (little-endian).
std::size_t argument(int index) { return offsetof(seccomp_data, args) + 8u * static_cast<std::size_t>(index); }

std::vector<sock_filter> program() {
  std::vector<sock_filter> code;
  const auto add = [&](std::initializer_list<sock_filter> more) { code.insert(code.end(), more); };
  add({load(offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
       end(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr)),
       BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherInterface, 0, 1), end(kRefuse)});
  for (const std::uint32_t number : kRefused) add({if_equal(number), end(kRefuse)});
  // The flags of clone3 are behind a pointer: if told "no such call", libraries use clone instead.
  add({if_equal(SYS_clone3), end(SECCOMP_RET_ERRNO | ENOSYS)});
  add({if_equal(SYS_clone, 4), load(argument(0)), if_any_bit(kNewNameSpaces, 1), end(kRefuse), end(kAllow)});
  for (const std::uint32_t call : {SYS_socket, SYS_socketpair})
    add({if_equal(call, 4), load(argument(0)), if_equal(AF_UNIX, 1), end(kAllow), end(kRefuse)});
  add({if_equal(SYS_ioctl, 4), load(argument(1)), if_equal(TIOCSTI, 1), end(kRefuse), end(kAllow)});
  add({end(kAllow)});
  return code;
}

}  // namespace

int refuse_system_calls() {
  std::vector<sock_filter> code = program();
  const sock_fprog filter{static_cast<unsigned short>(code.size()), code.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

}  // namespace warpbook::grader
