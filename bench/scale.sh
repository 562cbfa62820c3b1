#!/bin/sh
# How derivatives scale over threads and ranks, for four functions: strong and weak, forward and reverse, beside the function itself.
#
#   bench/scale.sh [OUT]       measures with adjoin, writes tables, CSV files and plots to OUT [default: scale-results]
#   bench/scale.sh emit DIR    writes the programs that measure, for a machine without adjoin
#   bench/scale.sh run DIR     builds and runs them there (cc, make; mpicc and mpirun if there); CSV files appear in DIR/*/scale.csv
#   bench/scale.sh plot DIR    tables and plots of those files, with adjoin
#
# ADJOIN is the binary [default: target/release/adjoin, else the one in PATH]; THREADS and RANKS are lists as in 1,2,4; RANKS= leaves ranks out.
# TYPICAL=1 measures as `adjoin scale --typical` does, for a machine that others use too.
# MILLION=1 makes a million calls of the two large functions as well, which takes half an hour instead of some minutes.
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "$ADJOIN" ]; then
    ADJOIN=$root/target/release/adjoin
    [ -x "$ADJOIN" ] || ADJOIN=adjoin
fi
cores=$(getconf _NPROCESSORS_ONLN)
counts=1
for n in 2 4 8 16 32 64 128; do
    [ "$n" -le "$cores" ] && counts=$counts,$n
done
THREADS=${THREADS:-$counts}
RANKS=${RANKS-$counts}
large=20000
[ -n "$MILLION" ] && large=1000000

# Calls `$1 FUNCTION ARGUMENTS` for each function.
functions() {
    $1 small "$root/bench/scale/small.c" -f small
    $1 black_scholes "$root/bench/scale/black_scholes.c" -f black_scholes
    $1 lstm "$root/bench/scale/lstm.c" -f lstm --range weights=-0.5:0.5 -n $large
    $1 orbit "$root/bench/scale/orbit.c" -f orbit --set steps=50 --range h=0.01:0.02 -n $large
}

measure() {
    shift
    ranks=
    if [ -n "$RANKS" ] && command -v mpirun > /dev/null && command -v mpicc > /dev/null; then
        ranks="--ranks $RANKS"
    fi
    "$ADJOIN" scale "$@" --threads "$THREADS" $ranks ${TYPICAL:+--typical} -o "$out" | tee -a "$out/table.txt"
}

emit() {
    name=$1
    shift
    "$ADJOIN" scale "$@" --emit-only "$out/$name"
}

case $1 in
emit)
    out=${2:?where to?}
    functions emit
    ;;
run)
    : "${2:?where are the programs?}"
    for directory in "$2"/*/; do
        THREADS=$(echo "$THREADS" | tr , ' ') RANKS=$(echo "$RANKS" | tr , ' ') "$directory/run.sh"
    done
    ;;
plot)
    : "${2:?where are the results?}"
    for file in "$2"/*/scale.csv; do
        "$ADJOIN" scale --plot "$file"
    done
    ;;
*)
    out=${1:-scale-results}
    mkdir -p "$out"
    : > "$out/table.txt"
    [ -n "$RANKS" ] && ! command -v mpirun > /dev/null && echo "no mpirun here: ranks are left out" >&2
    functions measure
    ;;
esac
