#!/usr/bin/env bash
# Records what compute-sanitizer answers to the programs beside this file, on a machine with a GPU and the toolkit:
#
#   compute_sanitizer.sh OUT [FAMILY ...]
#
# builds the families (all, if none is named) and writes OUT/FAMILY.csv, one line per case and tool: family, case, tool
# ("plain": without one), exit code (124 or 137: it did not end in time), number of errors, first line that tells of one.
# Cases that might wait forever on hardware (sync_hang) are left out. `suite.py --compute-sanitizer OUT` reads the files.
#
# HANGS=1 records these cases and no others. Each runs alone without a tool first, and all ends at once unless the GPU
# answers after it; then synccheck, one case at a time; the other tools last.
#
# CASES=FAMILY,FAMILY:CASE,... narrows that to these, to add them to a record. ARCH (sm_90), JOBS (12 at a time), LIMIT_S
# (20, of one run) and TOTAL_S (540: what is left by then is not run) may be set.
set -euo pipefail

[[ $# -ge 1 ]] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
families=("$@")
[[ ${#families[@]} -gt 0 ]] || mapfile -t families < <(cd "$here" && printf '%s\n' *.cu | sed 's/\.cu$//')
for family in "${families[@]}"; do
  [[ -f $here/$family.cu ]] || { echo "There is no family '$family' in $here" >&2; exit 2; }
done
for tool in nvcc compute-sanitizer; do
  command -v "$tool" > /dev/null || { echo "There is no $tool in PATH; add the toolkit's bin folder to it" >&2; exit 2; }
done

# The programs need the toolkit's shared runtime.
lib=$(cd "$(dirname "$(readlink -f "$(command -v nvcc)")")/.." && pwd)/lib64
export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export here LIMIT_S=${LIMIT_S:-20} ARCH=${ARCH:-sm_90}
deadline=$((SECONDS + ${TOTAL_S:-540}))
work=$(mktemp -d)
export work
mkdir "$work/rows"

# Also after an interrupt: what was recorded until then is kept.
collect() {
  for family in "${families[@]}"; do
    compgen -G "$work/rows/$family:*" > /dev/null || continue
    { echo "family,case,tool,exit,errors,first"; cat "$work/rows/$family":*; } > "$out/$family.csv"
  done
  rm -rf "$work"
}
trap collect EXIT
trap 'exit 130' INT TERM

build() {
  local flags=("-arch=$ARCH")
  [[ $1 != device_launches ]] || flags+=(-rdc=true -lcudadevrt)
  [[ $1 != group_products ]] || flags=(-gencode "arch=compute_90a,code=[compute_90a,sm_90a]")
  nvcc -std=c++20 -lineinfo -cudart shared "${flags[@]}" -o "$work/$1" "$here/$1.cu" > "$work/$1.log" 2>&1 ||
    { echo "$1 was not built:" >&2; cat "$work/$1.log" >&2; return 1; }
}

# One case under one tool: a row of its own, so that runs do not wait for each other.
record() {
  local family=$1 name=$2 tool=$3 status=0 errors=0 first
  local said=$work/said:$family:$name:$tool
  local command=("$work/$family" "$name")
  case $tool in
    plain) ;;
    memcheck) command=(compute-sanitizer --tool memcheck --leak-check full "${command[@]}") ;;
    *) command=(compute-sanitizer --tool "$tool" "${command[@]}") ;;
  esac
  SANITIZER_RUN=$family:$name:$tool timeout -k 2 "$LIMIT_S" "${command[@]}" > "$said" 2>&1 || status=$?
  if [[ $tool == plain ]]; then
    first=$(head -n 1 "$said")
  else
    errors=$(sed -nE 's/^=+ (ERROR SUMMARY: ([0-9]+) errors?|RACECHECK SUMMARY: ([0-9]+) hazards? displayed).*/\2\3/p' "$said" | tail -n 1)
    first=$(grep -E '^=+ [A-Za-z]' "$said" | grep -vE 'COMPUTE-SANITIZER|SUMMARY' | sed -E 's/^=+ +//' | head -n 1) || true
  fi
  if [[ $status == 124 || $status == 137 ]]; then
    # There is no summary. What the tool has started may have outlived it.
    [[ $tool == plain ]] || errors=$(grep -E '^=+ [A-Za-z]' "$said" | grep -cvE 'COMPUTE-SANITIZER|SUMMARY') || true
    first=${first:-no verdict: still running after $LIMIT_S s}
    grep -lsxzF "SANITIZER_RUN=$family:$name:$tool" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL 2> /dev/null || true
  fi
  first=${first//$'\r'/}
  printf '%s,%s,%s,%s,%s,"%s"\n' "$family" "$name" "$tool" "$status" "${errors:-0}" "${first//\"/\"\"}" \
    > "$work/rows/$family:$name:$tool"
  rm -f "$said"
}

# The lines "family case tool" of a list, so many at a time, until the time is up.
record_all() {
  local jobs=$1 line
  while read -r line; do
    ((SECONDS < deadline)) || { echo "The time is up: not run from '$line' on; name families to record the rest" >&2; break; }
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
    # shellcheck disable=SC2086
    record $line &
    [[ -z ${HANGS:-} || $line != *" plain" ]] || { wait; answers "$line"; }
  done
  wait
}

# Whether the GPU still works, after a case that might have waited forever.
answers() {
  if timeout -k 2 20 nvidia-smi --query-gpu=name --format=csv,noheader > /dev/null &&
    timeout -k 2 20 "$work/${1%% *}" "$(clean_case "${1%% *}")" > /dev/null; then
    return
  fi
  echo "The GPU does not answer after '$1': all ends here" >&2
  exit 1
}
clean_case() { "$work/$1" --list | sed -nE 's/.*"case": "([^"]+)", "expect": "clean".*/\1/p' | sed -n 1p; }

export -f build
printf '%s\n' "${families[@]}" | xargs -P "$(nproc)" -I{} bash -c 'build {}'
echo "${#families[@]} families were built in $SECONDS s"

for family in "${families[@]}"; do
  "$work/$family" --list | sed -nE 's/.*"case": "([^"]+)", "expect": "([^"]+)".*/\1 \2/p' | while read -r name expect; do
    if [[ $expect == sync_hang ]]; then [[ -n ${HANGS:-} ]] || continue; else [[ -z ${HANGS:-} ]] || continue; fi
    [[ -z ${CASES:-} || ,$CASES, == *,$family,* || ,$CASES, == *,$family:$name,* ]] || continue
    for tool in plain memcheck racecheck initcheck synccheck; do echo "$family $name $tool"; done
  done
done > "$work/list"
if [[ -n ${HANGS:-} ]]; then
  for alone in plain synccheck; do record_all 1 < <(grep " $alone\$" "$work/list"); done
  record_all "${JOBS:-4}" < <(grep -vE ' (plain|synccheck)$' "$work/list")
else
  record_all "${JOBS:-12}" < "$work/list"
fi
echo "$(find "$work/rows" -type f | wc -l) of $(wc -l < "$work/list") runs were recorded in $SECONDS s"
