#!/usr/bin/env bash
# Prepares this machine for the labs: installs packages of Debian or Ubuntu, and nvcc 13 if there is none.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$root/lib/warpbook
toolchain=$root/.toolchain
program=./setup.sh
source "$home/install.sh"
wheels+=(
  nvidia-nvtx==13.0.85               # NVTX 3, which is headers,
  nvidia-cuda-profiler-api==13.0.85  # and cuda_profiler_api.h: the exercise profile_ranges
)

# The name that elfutils' library has since Debian 13 and Ubuntu 24.04, and the one before.
libdw=libdw1t64
if grep -q '^VERSION_CODENAME=bookworm' /etc/os-release 2>/dev/null; then libdw=libdw1; fi

packages=(
  g++ libc6-dev         # nvcc's host compiler, and the linker
  python3               # the command
  libzstd1 liblz4-1     # to decompress the PTX that nvcc embeds
  "$libdw" libedit2     # variables and line editing in the debugger
  ca-certificates       # PyPI
)
report_packages=(python3-matplotlib python3-jinja2 fonts-dejavu-core)

usage() {
  cat <<'EOF'
usage: ./setup.sh [--report]

Installs what the labs need, and says what it does. Running it again is quick and changes nothing.

  --report   also what `./warpbook report` draws with: matplotlib and Jinja2
  --help     this text

The script looks for nvcc 13 in $CUDACXX, on PATH and in /usr/local/cuda/bin. If there is none, NVIDIA's compiler
is installed from PyPI into .toolchain/cuda. WARPBOOK_IGNORE_SYSTEM_CUDA=1 uses .toolchain/cuda in any case.
EOF
}

for argument in "$@"; do
  case $argument in
    --report) packages+=("${report_packages[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown argument '$argument'" ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system has no apt-get: the script works on Debian 12 and Ubuntu 24.04" \
    "Install the equivalents of: ${packages[*]}" "and CUDA's nvcc 13; then: ln -s /usr/local/cuda lib/warpbook/toolkit"
fi
install_packages "${packages[@]}"
say "packages: all ${#packages[@]} are installed"
find_or_install_nvcc
toolkit=$(dirname "$(dirname "$nvcc")")
# A relative path if it is inside this folder, so that the folder can be moved.
[[ $toolkit == "$toolchain/cuda" ]] && toolkit=../../.toolchain/cuda
ln -sfn "$toolkit" "$home/toolkit"
say "ready. Next: ./warpbook next"
