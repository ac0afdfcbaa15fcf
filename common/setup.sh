#!/usr/bin/env bash
# Prepares a Debian 12 machine for warpbook: installs Debian packages, and nvcc 13 if there is none.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
toolchain=$root/.toolchain
program=common/setup.sh
source "$root/common/install.sh"
# In addition to nvcc: for programs that compile or link device code at run time (common/simulator/compilers).
wheels+=(
  nvidia-cuda-nvrtc==13.0.88  # libnvrtc: CUDA to PTX
  nvidia-nvjitlink==13.0.88   # libnvJitLink: linking
  nvidia-nvtx==13.0.85        # NVTX 3, which is headers,
  nvidia-cuda-profiler-api==13.0.85  # and cuda_profiler_api.h: for tests of limited profiles
)

# For building, grading, reporting and the documentation.
packages=(
  build-essential cmake ninja-build ccache        # the build
  catch2 libcli11-dev libmpfr-dev                 # tests, command line
  nlohmann-json3-dev rapidjson-dev                # JSON
  liblz4-dev libzstd-dev                          # reading the fat binaries that nvcc embeds
  libdw-dev                                       # variables in the debugger: DWARF
  libedit2                                        # line editing in the debugger
  bubblewrap                                      # isolating submissions
  python3 python3-matplotlib                      # the report: figures,
  python3-jinja2 weasyprint fonts-dejavu-core     # pages, and PDFs
  python3-jsonschema python3-yaml tzdata          # grading a class: course.json, Gradescope's metadata, time zones
  doxygen doxygen-awesome-css libjs-lunr          # the documentation site, its looks and its search
)
if [[ $(uname -m) == x86_64 ]]; then              # Debian has it only for this architecture; elsewhere its lab is left out
  packages+=(gcc-12-offload-nvptx libgomp-plugin-nvptx1)  # OpenACC (55 MB)
fi
# For changing warpbook itself.
develop_packages=(
  clang-format clang-tidy git
  clang libclang-rt-14-dev  # libFuzzer
  slurm-wlm munge  # tests of --executor slurm start a cluster
  poppler-utils    # tests of PDFs read them
  debootstrap      # a bare Debian, in which packages are tried
  mypy             # the types of Python
)
# For comparing throughput (common/simulator/bench); .ci/run compares only with PoCL.
pocl_packages=(ocl-icd-opencl-dev opencl-headers pocl-opencl-icd)
bench_packages=("${pocl_packages[@]}" oclgrind)
# For compiling for 64-bit ARM and running the programs on another machine. Libraries are Debian's packages of that
# architecture, beside this machine's.
arm64_packages=(g++-aarch64-linux-gnu qemu-user)
arm64_libraries=(libc6:arm64 libstdc++6:arm64 libdw-dev:arm64 liblz4-dev:arm64 libmpfr-dev:arm64 libzstd-dev:arm64)

# For CUDA from Python (docs/python.md), with all dependencies. PyCUDA comes as sources, which setuptools builds.
python_debian_packages=(python3-venv)
python_packages=(
  numba-cuda==0.30.4 numba==0.68.1 llvmlite==0.50.0              # kernels in Python
  cuda-core==1.2.2 cuda-bindings==13.5.0 cuda-pathfinder==1.9.0  # NVIDIA's own: CUDA C++ from Python
  numpy==2.4.6 packaging==26.3
)
pycuda_debian_packages=(python3-dev)
pycuda_packages=(
  setuptools==80.9.0 wheel==0.45.1
  mako==1.4.3 MarkupSafe==3.0.4 platformdirs==4.14.7 pytools==2026.1.1 siphash24==1.9 typing-extensions==4.16.0
)
pycuda=pycuda==2026.1

# Tools for checking Python that Debian does not have.
tools=(ruff==0.17.6)

usage() {
  cat <<'EOF'
usage: common/setup.sh [--develop] [--bench] [--python] [--pycuda] [--arm64]

Installs what warpbook needs, and says what it does. Running it again is quick and changes nothing.

  --develop   also what .ci/run needs: clang-format, clang-tidy, clang with libFuzzer, git, mypy, ruff (from PyPI, into
              .toolchain/tools), PoCL, and Slurm, for tests that start a cluster
  --bench     also PoCL and Oclgrind, for comparing throughput
  --python    also Numba's CUDA target and cuda.core from PyPI, in a virtual environment of their own:
              .toolchain/python (docs/python.md)
  --pycuda    also PyCUDA, in the same environment; it is compiled here, which takes some minutes
  --arm64     also a cross compiler for 64-bit ARM, its libraries and qemu-user (docs/build.md)
  --help      this text

The script looks for nvcc 13 in $CUDACXX, on PATH and in /usr/local/cuda/bin. If there is none, NVIDIA's compiler
is installed from PyPI into .toolchain/cuda. WARPBOOK_IGNORE_SYSTEM_CUDA=1 always uses .toolchain/cuda.
EOF
}

wanted=("${packages[@]}")
develop=no
python=no
pycuda_too=no
arm64=0
for argument in "$@"; do
  case $argument in
    --develop) wanted+=("${develop_packages[@]}" "${pocl_packages[@]}") develop=yes ;;
    --bench) wanted+=("${bench_packages[@]}") ;;
    --python) python=yes wanted+=("${python_debian_packages[@]}") ;;
    --pycuda) python=yes pycuda_too=yes wanted+=("${python_debian_packages[@]}" "${pycuda_debian_packages[@]}") ;;
    --arm64) arm64=1 wanted+=("${arm64_packages[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown argument '$argument'" ;;
  esac
done

# ---- Debian packages

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system has no apt-get: the script works on Debian 12" \
    "Install the equivalents of: ${wanted[*]}" "and CUDA's nvcc 13; then run: cmake --workflow --preset demo"
fi

install_packages "${wanted[@]}"
say "Debian packages: all ${#wanted[@]} are installed"

# ---- ruff

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

nvcc=
find_or_install_nvcc

# ---- Python

# Installs packages as wheels into the environment.
install_into_python() {
  "$toolchain/python/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "pip could not install $* (output above)" "Is PyPI reachable?"; }
}

install_python() {
  local place=$toolchain/python stamp="${python_packages[*]}"
  if [[ -x $place/bin/python && -f $place/packages.txt && $(<"$place/packages.txt") == "$stamp" ]]; then
    say "Python: numba-cuda and cuda-core in .toolchain/python"
    return
  fi
  say "installing numba-cuda and cuda-core from PyPI into .toolchain/python (about 110 MB)"
  rm -rf "$place"
  mkdir -p "$toolchain"
  /usr/bin/python3 -m venv "$place" >"$log" 2>&1 || { cat "$log" >&2; fail "python3 -m venv failed (output above)"; }
  install_into_python "${python_packages[@]}"
  echo "$stamp" >"$place/packages.txt"
}

# PyCUDA links libcuda, which comes with a driver: an empty library of that name is enough. Its cuRAND
# support is left out, because the toolkit's wheels lack cuRAND.
install_pycuda() {
  local place=$toolchain/python stamp="${pycuda_packages[*]} $pycuda $nvcc" home
  if [[ -f $place/pycuda.txt && $(<"$place/pycuda.txt") == "$stamp" ]]; then
    say "Python: PyCUDA in .toolchain/python"
    return
  fi
  say "building $pycuda in .toolchain/python (some minutes)"
  install_into_python "${pycuda_packages[@]}"
  staging=$(mktemp -d "$toolchain/staging.XXXXXX")
  home=$staging
  cc -shared -o "$home/libcuda.so" -Wl,-soname,libcuda.so.1 -x c /dev/null
  cat >"$home/.aksetup-defaults.py" <<EOF
CUDA_ROOT = "$(dirname "$(dirname "$nvcc")")"
CUDADRV_LIB_DIR = ["$home", "\${CUDA_ROOT}/lib64"]
CUDA_ENABLE_CURAND = False
EOF
  HOME=$home "$place/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --no-build-isolation --no-binary pycuda "$pycuda" >"$log" 2>&1 ||
    { cat "$log" >&2; fail "pip could not build $pycuda (output above)"; }
  rm -rf "$staging"
  echo "$stamp" >"$place/pycuda.txt"
}

if [[ $python == yes ]]; then
  # For a toolkit from wheels that was installed by an older version of this script.
  [[ $nvcc != "$toolchain"/* ]] || ln -sfn ../lib "$toolchain/cuda/nvvm/lib64"
  install_python
  [[ $pycuda_too == no ]] || install_pycuda
fi

# ---- 64-bit ARM

# Libraries of NVIDIA's wheel for that architecture, and a wrapper of this machine's nvcc that uses them. Headers are
# the same for both: this machine's are complete.
install_arm64_toolkit() {
  local cuda=$toolchain/cuda-aarch64 wheel
  wheel=$(printf '%s\n' "${wheels[@]}" | grep '^nvidia-cuda-runtime==')
  local stamp="$wheel $nvcc"
  if [[ -f $cuda/wheels.txt && $(<"$cuda/wheels.txt") == "$stamp" ]]; then
    return
  fi
  install_packages python3-pip
  mkdir -p "$toolchain"
  staging=$(mktemp -d "$toolchain/staging.XXXXXX")
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary :all: \
    --platform manylinux_2_17_aarch64 --target "$staging/site" "$wheel" >"$log" 2>&1 ||
    { cat "$log" >&2; fail "pip could not install NVIDIA's wheel for 64-bit ARM (output above)" "Is PyPI reachable?"; }
  local tree=$staging/site/nvidia/cu13
  ln -sfn libcudart.so.13 "$tree/lib/libcudart.so"
  rm -r "$tree/include"
  mkdir -p "$tree/bin" "$tree/targets/sbsa-linux"  # This name distinguishes NVIDIA's headers from the program's files.
  ln -s "$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include" "$tree/targets/sbsa-linux/include"
  cat >"$tree/bin/nvcc" <<EOF
#!/bin/sh
# nvcc for programs that run on 64-bit ARM. Written by common/setup.sh --arm64.
top=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
include=\$top/targets/sbsa-linux/include
exec "$nvcc" -ccbin aarch64-linux-gnu-g++ "-I\$include" -isystem "\$include/cccl" "-L\$top/lib" "\$@"
EOF
  chmod +x "$tree/bin/nvcc"
  try_nvcc "$staging" "$tree/bin/nvcc" ||
    { cat "$log" >&2; fail "nvcc cannot compile a kernel for 64-bit ARM (output above)"; }
  echo "$stamp" >"$tree/wheels.txt"
  rm -rf "$cuda"
  mv "$tree" "$cuda"
}

prepare_arm64() {
  if ! dpkg --print-foreign-architectures | grep -qx arm64; then
    say "adding Debian's architecture arm64 (dpkg --add-architecture arm64; apt-get update)"
    as_root dpkg --add-architecture arm64
    as_root apt-get update -q >"$log" 2>&1 || { cat "$log" >&2; fail "apt-get update failed (output above)"; }
  fi
  install_packages "${arm64_libraries[@]}"
  install_arm64_toolkit
  say "nvcc for 64-bit ARM: .toolchain/cuda-aarch64/bin/nvcc"
  # Older ones keep a record of each page of a reservation, and the virtual GPU reserves 256 GiB of address space.
  if [[ $(qemu-aarch64 --version | sed -n 's/^qemu-aarch64 version \([0-9]*\).*/\1/p') -lt 8 ]]; then
    say "warning: qemu-user is older than 8: each program on the virtual GPU takes 20 s to start. docs/build.md says how to get a newer one"
  fi
  if [[ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]]; then
    say "warning: the Linux kernel does not run 64-bit ARM programs by itself, which tests need. docs/build.md says what to do"
  fi
}

if [[ $arm64 -eq 1 ]]; then
  prepare_arm64
  say "ready. Next: cmake --preset arm64"
else
  say "ready. Next: cmake --workflow --preset demo"
fi
