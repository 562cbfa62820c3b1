//! omp.h with one thread.

use super::Native;
use super::math::int;
use crate::value::Raw;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "omp_get_thread_num"
        | "omp_in_parallel"
        | "omp_get_dynamic"
        | "omp_get_nested"
        | "omp_get_level"
        | "omp_get_active_level"
        | "omp_get_ancestor_thread_num"
        | "omp_get_num_devices"
        | "omp_get_default_device"
        | "omp_get_cancellation"
        | "omp_in_final"
        | "omp_get_team_num" => |_, _| Ok(int(0)),
        "omp_get_num_threads"
        | "omp_get_max_threads"
        | "omp_get_num_procs"
        | "omp_get_thread_limit"
        | "omp_get_team_size"
        | "omp_get_num_teams"
        | "omp_get_max_active_levels"
        | "omp_is_initial_device" => |_, _| Ok(int(1)),
        "omp_set_num_threads"
        | "omp_set_dynamic"
        | "omp_set_nested"
        | "omp_set_schedule"
        | "omp_set_max_active_levels"
        | "omp_init_lock"
        | "omp_destroy_lock"
        | "omp_set_lock"
        | "omp_unset_lock"
        | "omp_init_nest_lock"
        | "omp_destroy_nest_lock"
        | "omp_set_nest_lock"
        | "omp_unset_nest_lock" => |_, _| Ok(Raw::default()),
        "omp_test_lock" | "omp_test_nest_lock" => |_, _| Ok(int(1)),
        "omp_get_wtime" => |m, _| Ok(Raw::double(m.elapsed())),
        "omp_get_wtick" => |_, _| Ok(Raw::double(1e-9)),
        _ => return None,
    })
}
