#!/usr/bin/env bash
# Builds every program under tests/c with several compilers and settings and
# checks that all builds agree: same output, the expected exit code, no
# warnings, and silence from the address and undefined-behaviour sanitizers.
#
# usage: tests/verify-programs.sh [-j jobs] [file-or-directory ...]
#
# A program's leading comment lines may carry directives:
#   // flags: -lm -fopenmp     extra compiler and linker flags
#   // args: a b               command-line arguments
#   // exit: 3                 expected exit code (0 when absent)
#   // mpi: 2                  built with mpicc and run on that many ranks
#   // interp: skip <reason>   only for the interpreter's test driver
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

directive() { # file name -> the directive's value, from the leading comment lines
    awk -v name="$2" '!/^\/\/ [a-z]+: / { exit }
        index($0, "// " name ": ") == 1 { print substr($0, length(name) + 6); exit }' "$1"
}

verify_one() {
    local source=$1 label=${1#"$here"/c/}
    local work; work=$(mktemp -d)
    local flags args expected ranks
    flags=$(directive "$source" flags); args=$(directive "$source" args)
    expected=$(directive "$source" exit); ranks=$(directive "$source" mpi)
    expected=${expected:-0}
    local builds=(
        "gcc -O0 -Wall -Wextra"
        "gcc -O2"
        "gcc -O3 -ffp-contract=off"
        "gcc -O1 -g -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all"
    )
    local clang_builds=("clang -w -O0" "clang -w -O2" "clang -w -O3 -ffp-contract=off")
    if [[ -n $ranks ]]; then
        if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
            echo "SKIP $label (no MPI)"; rm -rf "$work"; return 0
        fi
        builds=("mpicc -O0 -Wall -Wextra" "mpicc -O2")
    elif command -v clang >/dev/null && { [[ $flags != *-fopenmp* ]] || clang_has_openmp; }; then
        builds+=("${clang_builds[@]}")
    fi
    local build number=0 ok=1
    for build in "${builds[@]}"; do
        number=$((number + 1))
        local program=$work/p$number compiler=${build%% *} options=${build#* }
        # shellcheck disable=SC2086 # flags and options are word lists
        if ! $compiler -std=gnu11 $options -o "$program" "$source" $flags 2>"$work/diagnostics"; then
            echo "FAIL $label: does not build with $build"; head -n 20 "$work/diagnostics"; ok=0; break
        fi
        if [[ -s $work/diagnostics ]]; then
            echo "FAIL $label: warnings from $build"; head -n 20 "$work/diagnostics"; ok=0
        fi
        local command=("$program") threads
        local thread_counts=(2)
        [[ $flags == *-fopenmp* && $options != *sanitize* ]] && thread_counts=(1 2 4)
        [[ -n $ranks ]] && command=(mpirun --oversubscribe -n "$ranks" "$program")
        [[ -n $ranks && $(id -u) == 0 ]] && command=(mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$program")
        for threads in "${thread_counts[@]}"; do
            # shellcheck disable=SC2086
            (set -o pipefail; cd "$work" && OMP_NUM_THREADS=$threads \
                timeout 20 "${command[@]}" $args </dev/null 2>"$work/err" | head -c 1000000 >"$work/out")
            local status=$?
            if [[ $status != "$expected" ]]; then
                echo "FAIL $label: exit code $status, not $expected, with $build"; tail -n 8 "$work/out"; head -n 20 "$work/err"; ok=0
            fi
            if [[ -z $ranks && -s $work/err && $status == "$expected" && $options == *sanitize* ]]; then
                echo "FAIL $label: sanitizer output"; head -n 20 "$work/err"; ok=0
            fi
            if [[ ! -f $work/reference ]]; then
                mv "$work/out" "$work/reference"
            elif ! cmp -s "$work/reference" "$work/out"; then
                echo "FAIL $label: output differs with $build"; diff "$work/reference" "$work/out" | head -n 10; ok=0
            fi
        done
    done
    [[ -s $work/reference ]] || { echo "FAIL $label: no output"; ok=0; }
    rm -rf "$work"
    [[ $ok == 1 ]] && echo "PASS $label"
    return $((1 - ok))
}

clang_has_openmp() {
    echo 'int main(void) { return 0; }' | clang -fopenmp -x c -o /dev/null - >/dev/null 2>&1
}

if [[ ${1:-} == --one ]]; then
    verify_one "$2"
    exit
fi

jobs=$(nproc)
if [[ ${1:-} == -j ]]; then jobs=$2; shift 2; fi
[[ $# == 0 ]] && set -- "$here/c"
result=$(mktemp)
find "$@" -name '*.c' -print0 | sort -z | while IFS= read -r -d '' path; do realpath -z "$path"; done |
    xargs -0 -n 1 -P "$jobs" "${BASH_SOURCE[0]}" --one | tee "$result" | grep -v '^PASS'
passed=$(grep -c '^PASS' "$result"); skipped=$(grep -c '^SKIP' "$result"); failed=$(grep '^FAIL' "$result" | sed 's/:.*//' | sort -u | wc -l)
rm -f "$result"
echo "programs: $passed passed, $failed failed, $skipped skipped"
[[ $failed == 0 ]]
