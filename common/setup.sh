#!/usr/bin/env bash
# Makes a Debian 12 machine ready for warpbook: Debian's packages by name, and nvcc 13 where there is none.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
toolchain=$root/.toolchain

# What building, grading, reporting and the documentation need.
packages=(
  build-essential cmake ninja-build ccache        # the build
  catch2 libcli11-dev                             # tests, command line
  nlohmann-json3-dev rapidjson-dev                # JSON
  liblz4-dev libzstd-dev                          # reading the fat binaries that nvcc embeds
  bubblewrap                                      # isolating submissions
  python3 python3-matplotlib                      # the report: figures,
  python3-jinja2 weasyprint fonts-dejavu-core     # pages, and the same on paper
  python3-jsonschema python3-yaml tzdata          # grading a class: course.json, Gradescope's metadata, time zones
  doxygen doxygen-awesome-css libjs-lunr          # the documentation site, its looks and its search
  gcc-12-offload-nvptx libgomp-plugin-nvptx1      # OpenACC (55 MB)
)
# What changing warpbook itself needs.
develop_packages=(
  clang-format clang-tidy git
  slurm-wlm munge  # tests of --executor slurm start a cluster
  poppler-utils    # tests of PDFs read them
  mypy             # the types of Python
)
# What comparing throughput (common/simulator/bench) needs.
bench_packages=(ocl-icd-opencl-dev opencl-headers pocl-opencl-icd oclgrind)

# What checks Python and Debian has not.
tools=(ruff==0.17.6)

# NVIDIA's compiler as Python wheels: one version, so that every machine compiles the same code.
wheels=(
  nvidia-cuda-nvcc==13.0.88     # nvcc, cudafe++, ptxas, fatbinary, nvlink
  nvidia-nvvm==13.0.88          # cicc: CUDA to PTX
  nvidia-cuda-crt==13.0.88      # headers that the compiler includes by itself
  nvidia-cuda-runtime==13.0.88  # cuda_runtime.h, libcudart, libcudadevrt
  nvidia-cuda-cccl==13.0.85     # cuda::std, CUB, Thrust
)

usage() {
  cat <<'EOF'
usage: common/setup.sh [--develop] [--bench]

Installs what warpbook needs, and says what it does. Running it again is quick and changes nothing.

  --develop   also what .ci/run needs: clang-format, clang-tidy, git, mypy, ruff (from PyPI, into .toolchain/tools), and
              Slurm, of which tests start a cluster
  --bench     also PoCL and Oclgrind, for comparing throughput
  --help      this text

An nvcc 13 is looked for in $CUDACXX, on PATH and in /usr/local/cuda/bin. Where there is none, NVIDIA's compiler
is installed from PyPI into .toolchain/cuda. WARPBOOK_IGNORE_SYSTEM_CUDA=1 uses .toolchain/cuda in any case.
EOF
}

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  for hint in "$@"; do printf '  %s\n' "$hint" >&2; done
  exit 1
}

wanted=("${packages[@]}")
develop=no
for argument in "$@"; do
  case $argument in
    --develop) wanted+=("${develop_packages[@]}") develop=yes ;;
    --bench) wanted+=("${bench_packages[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown argument '$argument'" ;;
  esac
done

# ---- Debian packages

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "'$*' needs root, and sudo is not installed" "Run as root: $*" "Then run common/setup.sh again."
  fi
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  say "installing Debian packages: ${missing[*]}"
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
  # The package lists of a fresh machine are empty or old: fetch them only when installing fails without.
  if ! as_root "${install[@]}" >"$log" 2>&1; then
    say "fetching Debian's package lists (apt-get update)"
    as_root apt-get update -q >"$log" 2>&1 ||
      { cat "$log" >&2; fail "apt-get update failed (output above)" "Is this machine connected to a Debian mirror?"; }
    as_root "${install[@]}" >"$log" 2>&1 ||
      { cat "$log" >&2; fail "installing ${missing[*]} failed (output above)" \
        "These are the package names of Debian 12; on another system install their equivalents."; }
  fi
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system has no apt-get: the script knows Debian 12" \
    "Install the equivalents of: ${wanted[*]}" "and CUDA's nvcc 13; then run: cmake --workflow --preset demo"
fi

log=$(mktemp)
staging=
trap 'rm -rf "$log" ${staging:+"$staging"}' EXIT

install_packages "${wanted[@]}"
say "Debian packages: all ${#wanted[@]} are installed"

# ---- nvcc

# Prints the release ("13.0") of an nvcc, or nothing.
release_of() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

find_system_nvcc() {
  local candidate
  [[ ${WARPBOOK_IGNORE_SYSTEM_CUDA:-0} == 1 ]] && return 1
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [[ -n $candidate && $(release_of "$candidate") == 13.* ]]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# Compiles and links a kernel that launches itself, so that an incomplete toolchain is noticed here and not in the middle of a build.
try_nvcc() {
  local directory=$1
  cat >"$directory/try.cu" <<'EOF'
#include <cuda_runtime.h>
__global__ void kernel(int* x, int again) {
  *x = 1;
  if (again > 0) kernel<<<1, 1>>>(x, again - 1);
}
int main() {
  kernel<<<1, 1>>>(nullptr, 1);
  return cudaGetLastError() == cudaSuccess;
}
EOF
  "$2" -arch=sm_90 -rdc=true -cudart shared -o "$directory/try" "$directory/try.cu" -lcudadevrt >"$log" 2>&1
}

# Puts wheels into a folder of their own below $staging. Debian's own interpreter: a python3 that shadows it on PATH may lack pip.
stage_wheels() {
  local folder=$1 hint=$2
  shift 2
  install_packages python3-pip
  mkdir -p "$toolchain"
  staging=$(mktemp -d "$toolchain/staging.XXXXXX")
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary :all: \
    --target "$staging/$folder" "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "pip could not install $* (output above)" "$hint"; }
}

install_nvcc() {
  local cuda=$toolchain/cuda stamp="${wheels[*]}"
  if [[ -x $cuda/bin/nvcc && -f $cuda/wheels.txt && $(<"$cuda/wheels.txt") == "$stamp" ]]; then
    say "nvcc $(release_of "$cuda/bin/nvcc"): .toolchain/cuda/bin/nvcc"
    return
  fi
  say "no nvcc 13 in \$CUDACXX, on PATH or in /usr/local/cuda/bin: installing NVIDIA's wheels into .toolchain/cuda (about 100 MB)"
  stage_wheels site "Is PyPI reachable? Otherwise install CUDA 13 and set CUDACXX to its nvcc." "${wheels[@]}"

  local tree=$staging/site/nvidia/cu13
  [[ -x $tree/bin/nvcc ]] || fail "the wheels hold no nvidia/cu13/bin/nvcc" "Found: $(ls "$staging/site")"
  # nvcc.profile looks for lib64, and the linker for names without a version.
  ln -sfn lib "$tree/lib64"
  ln -sfn libcudart.so.13 "$tree/lib/libcudart.so"
  try_nvcc "$staging" "$tree/bin/nvcc" || { cat "$log" >&2; fail "the installed nvcc cannot compile a kernel (output above)"; }
  echo "$stamp" >"$tree/wheels.txt"
  rm -rf "$cuda"
  mv "$tree" "$cuda"
  say "nvcc $(release_of "$cuda/bin/nvcc"): .toolchain/cuda/bin/nvcc"
}

install_tools() {
  local place=$toolchain/tools stamp="${tools[*]}"
  if [[ -x $place/bin/ruff && -f $place/tools.txt && $(<"$place/tools.txt") == "$stamp" ]]; then
    say "tools: $stamp in .toolchain/tools"
    return
  fi
  say "installing $stamp from PyPI into .toolchain/tools (about 12 MB)"
  stage_wheels tools "Is PyPI reachable?" "${tools[@]}"
  echo "$stamp" >"$staging/tools/tools.txt"
  rm -rf "$place"
  mv "$staging/tools" "$place"
  rm -rf "$staging"
}

[[ $develop == no ]] || install_tools

if nvcc=$(find_system_nvcc); then
  say "nvcc $(release_of "$nvcc"): $nvcc"
else
  install_nvcc
fi
say "ready. Next: cmake --workflow --preset demo"
