#!/bin/sh
# Measures strong and weak scaling over threads and, where there is MPI, over ranks; writes scale.csv. `adjoin scale --plot scale.csv` draws it.
# Variables: CALLS, THREADS, RANKS (lists with blanks), MODES, SCALINGS, REPETITIONS, MPIRUN; TYPICAL=1 is `adjoin scale --typical`.
set -e
cd "$(dirname "$0")"
cores=$(getconf _NPROCESSORS_ONLN)
counts=1
n=2
while [ "$n" -lt "$cores" ]; do
    counts="$counts $n"
    n=$((n * 2))
done
[ "$cores" -gt 1 ] && counts="$counts $cores"
CALLS=${CALLS:-@CALLS@}
THREADS=${THREADS-$counts}
RANKS=${RANKS-$counts}
MODES=${MODES:-machine primal forward reverse}
SCALINGS=${SCALINGS:-strong weak}
REPETITIONS=${REPETITIONS:-@REPETITIONS@}
MPIRUN=${MPIRUN:-mpirun}
OMP_PROC_BIND=close OMP_PLACES=cores OMP_DYNAMIC=false
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_PROC_BIND OMP_PLACES OMP_DYNAMIC OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

make -s scale
echo "@COLUMNS@" > scale.csv
# Starts ranks, bound to cores where the machine lets them be.
ranks() {
    count=$1
    shift
    $MPIRUN -n "$count" $bind ./scale-mpi "$@" 2> ranks.log || $MPIRUN -n "$count" $free ./scale-mpi "$@"
    rm -f ranks.log
}
# All cores have a worker with TYPICAL, and some of them make calls.
everybody() {
    if [ -n "$TYPICAL" ] && [ "$1" -lt "$cores" ]; then echo "$cores"; else echo "$1"; fi
}
row() {
    line=$("$@")
    echo "$line" >> scale.csv
    echo "$line"
}
for scaling in $SCALINGS; do
    for mode in $MODES; do
        for threads in $THREADS; do
            row ./scale "$scaling" "$mode" "$(everybody "$threads")" "$CALLS" "$REPETITIONS" ${TYPICAL:+"$threads"}
        done
    done
done
if [ -n "$RANKS" ] && command -v "${MPIRUN%% *}" > /dev/null && make -s scale-mpi; then
    # The runtime of MPI places the ranks.
    unset OMP_PROC_BIND OMP_PLACES
    bind=
    free=
    $MPIRUN -n 1 --bind-to core true 2> /dev/null && bind="--bind-to core" && free="--bind-to none --oversubscribe"
    for scaling in $SCALINGS; do
        for mode in $MODES; do
            for ranks in $RANKS; do
                row ranks "$(everybody "$ranks")" "$scaling" "$mode" 1 "$CALLS" "$REPETITIONS" ${TYPICAL:+"$ranks"}
            done
        done
    done
elif [ -n "$RANKS" ]; then
    echo "no MPI here: ranks are left out" >&2
fi
awk -F, 'NR > 1 {
    curve = $2 " " $3 " " $4; rate = $6 / $7
    if (!(curve in first)) first[curve] = rate / $5
    printf "%-7s %-8s %4d %-8s %11.4e s %6.1f %%\n", $2, $3, $5, $4, $7, 100 * rate / $5 / first[curve]
}' scale.csv
