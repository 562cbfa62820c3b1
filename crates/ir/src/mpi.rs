//! The MPI functions that the compiler knows: what each operand of a call means. A call of one of these is lowered to
//! `Op::Mpi`; differentiation, checks and printing look up the roles here, so that a new function is a new row.

/// What an operand of an MPI call is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Role {
    /// A buffer that is read.
    SendBuffer,
    /// A buffer that is written.
    ReceiveBuffer,
    /// A buffer that is read and written (`MPI_Bcast`: read at the root, written elsewhere).
    InOutBuffer,
    /// A number of elements; it and the datatype that follows belong to the nearest buffer before it.
    Count,
    Datatype,
    /// The rank that is sent to.
    Dest,
    /// The rank that is received from.
    Source,
    /// The root of a collective.
    Root,
    Tag,
    /// A reduction operator.
    Op,
    Communicator,
    /// A pointer to one request.
    Request,
    /// An array of requests; its length is the nearest `Length` before it.
    Requests,
    /// A pointer to one status, or `MPI_STATUS_IGNORE`.
    Status,
    /// An array of statuses.
    Statuses,
    /// The number of requests in an array.
    Length,
    /// An array of counts, one per rank.
    Counts,
    /// An array of displacements, one per rank.
    Displacements,
    /// A pointer to a flag that is written.
    Flag,
    /// A pointer to an index (or a number, or an array of indices) that is written.
    Index,
    /// Anything else.
    Other,
}

impl Role {
    /// A rank.
    pub fn is_rank(self) -> bool {
        matches!(self, Role::Dest | Role::Source | Role::Root)
    }
    /// A buffer.
    pub fn is_buffer(self) -> bool {
        matches!(
            self,
            Role::SendBuffer | Role::ReceiveBuffer | Role::InOutBuffer
        )
    }
}

/// An MPI function.
#[derive(PartialEq, Eq, Debug)]
pub struct MpiCall {
    /// Its name.
    pub name: &'static str,
    /// The role of each operand, in C's order.
    pub operands: &'static [Role],
}

impl MpiCall {
    /// Does it complete requests?
    pub fn completes(&self) -> bool {
        self.name.starts_with("MPI_Wait") || self.name.starts_with("MPI_Test") || self.is_fence()
    }

    /// May it end accesses to a window, whoever made them?
    pub fn is_fence(&self) -> bool {
        let makes = matches!(self.name, "MPI_Win_create" | "MPI_Win_free");
        self.name.starts_with("MPI_Win_") && !makes
    }

    /// Does it only begin, or prepare, to exchange data? A request then stands for it.
    pub fn is_completed_later(&self) -> bool {
        let stands = self.operands.contains(&Role::Request)
            || matches!(
                self.name,
                "MPI_Get"
                    | "MPI_Get_address"
                    | "MPI_Address"
                    | "MPI_Fetch_and_op"
                    | "MPI_Compare_and_swap"
                    | "MPI_Get_accumulate"
            );
        stands && self.operands.iter().any(|r| r.is_buffer())
    }
}

/// The name of an MPI function without the `P` of the profiling interface (`PMPI_Send`); any other name as it is.
pub fn plain_name(name: &str) -> &str {
    let rest = name.strip_prefix('P').filter(|n| n.starts_with("MPI_"));
    rest.unwrap_or(name)
}

/// The function of that name, if it is one of the table.
pub fn lookup(name: &str) -> Option<&'static MpiCall> {
    let name = plain_name(name);
    name.strip_prefix("MPI_")?;
    CALLS.iter().find(|c| c.name == name)
}

/// All functions of the table.
pub fn calls() -> &'static [MpiCall] {
    CALLS
}

macro_rules! mpi_table {
    ($( $name:ident: $($role:ident)*; )+) => {
        static CALLS: &[MpiCall] =
            &[ $( MpiCall { name: stringify!($name), operands: &[$(Role::$role),*] } ),+ ];
    };
}

mpi_table! {
    // Blocking point to point
    MPI_Send: SendBuffer Count Datatype Dest Tag Communicator;
    MPI_Ssend: SendBuffer Count Datatype Dest Tag Communicator;
    MPI_Bsend: SendBuffer Count Datatype Dest Tag Communicator;
    MPI_Rsend: SendBuffer Count Datatype Dest Tag Communicator;
    MPI_Recv: ReceiveBuffer Count Datatype Source Tag Communicator Status;
    MPI_Sendrecv: SendBuffer Count Datatype Dest Tag ReceiveBuffer Count Datatype Source Tag Communicator Status;
    MPI_Sendrecv_replace: InOutBuffer Count Datatype Dest Tag Source Tag Communicator Status;
    MPI_Probe: Source Tag Communicator Status;
    MPI_Iprobe: Source Tag Communicator Flag Status;
    MPI_Get_count: Status Datatype Index;
    // The address becomes part of a datatype: what is behind it may be sent and received from then on
    MPI_Get_address: InOutBuffer Index;
    MPI_Address: InOutBuffer Index;

    // Matched probes: a message is written by a probe, and read and written by its receive
    MPI_Mprobe: Source Tag Communicator Index Status;
    MPI_Improbe: Source Tag Communicator Flag Index Status;
    MPI_Mrecv: ReceiveBuffer Count Datatype Index Status;
    MPI_Imrecv: ReceiveBuffer Count Datatype Index Request;

    // Packing: the position is read and written
    MPI_Pack: SendBuffer Count Datatype InOutBuffer Other Index Communicator;
    MPI_Unpack: SendBuffer Other Index ReceiveBuffer Count Datatype Communicator;

    // Non-blocking point to point
    MPI_Isend: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Issend: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Ibsend: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Irsend: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Irecv: ReceiveBuffer Count Datatype Source Tag Communicator Request;

    // Persistent requests
    MPI_Send_init: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Ssend_init: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Bsend_init: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Rsend_init: SendBuffer Count Datatype Dest Tag Communicator Request;
    MPI_Recv_init: ReceiveBuffer Count Datatype Source Tag Communicator Request;
    MPI_Start: Request;
    MPI_Startall: Length Requests;
    MPI_Request_free: Request;
    // Not of MPI: the buffer of a request that was made before a derivative was called, and is about to start
    MPI_Adjoin_buffer: InOutBuffer Request;

    // Completion
    MPI_Wait: Request Status;
    MPI_Waitall: Length Requests Statuses;
    MPI_Waitany: Length Requests Index Status;
    MPI_Waitsome: Length Requests Index Index Statuses;
    MPI_Test: Request Flag Status;
    MPI_Testall: Length Requests Flag Statuses;
    MPI_Testany: Length Requests Index Flag Status;
    MPI_Testsome: Length Requests Index Index Statuses;

    // Collectives
    MPI_Barrier: Communicator;
    MPI_Bcast: InOutBuffer Count Datatype Root Communicator;
    MPI_Reduce: SendBuffer ReceiveBuffer Count Datatype Op Root Communicator;
    MPI_Allreduce: SendBuffer ReceiveBuffer Count Datatype Op Communicator;
    MPI_Scan: SendBuffer ReceiveBuffer Count Datatype Op Communicator;
    MPI_Exscan: SendBuffer ReceiveBuffer Count Datatype Op Communicator;
    MPI_Gather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Root Communicator;
    MPI_Gatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Root Communicator;
    MPI_Scatter: SendBuffer Count Datatype ReceiveBuffer Count Datatype Root Communicator;
    MPI_Scatterv: SendBuffer Counts Displacements Datatype ReceiveBuffer Count Datatype Root Communicator;
    MPI_Allgather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator;
    MPI_Allgatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Communicator;
    MPI_Alltoall: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator;
    MPI_Alltoallv: SendBuffer Counts Displacements Datatype ReceiveBuffer Counts Displacements Datatype Communicator;
    MPI_Alltoallw: SendBuffer Counts Displacements Other ReceiveBuffer Counts Displacements Other Communicator;
    MPI_Reduce_scatter: SendBuffer ReceiveBuffer Counts Datatype Op Communicator;
    MPI_Reduce_scatter_block: SendBuffer ReceiveBuffer Count Datatype Op Communicator;

    MPI_Reduce_local: SendBuffer InOutBuffer Count Datatype Op;
    MPI_Neighbor_allgather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator;
    MPI_Neighbor_allgatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Communicator;
    MPI_Neighbor_alltoall: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator;
    MPI_Neighbor_alltoallv: SendBuffer Counts Displacements Datatype ReceiveBuffer Counts Displacements Datatype Communicator;
    MPI_Neighbor_alltoallw: SendBuffer Counts Displacements Other ReceiveBuffer Counts Displacements Other Communicator;

    // One-sided communication: what others do to the memory of a window, and what is got, is there behind a fence
    MPI_Win_create: InOutBuffer Other Other Other Communicator Request;
    MPI_Win_free: Request;
    MPI_Win_fence: Other Other;
    MPI_Win_start: Other Other Other;
    MPI_Win_complete: Other;
    MPI_Win_post: Other Other Other;
    MPI_Win_wait: Other;
    // Under locks; a barrier that is mirrored for them is not of MPI
    MPI_Win_lock: Other Other Other Other;
    MPI_Win_unlock: Other Other;
    MPI_Win_lock_all: Other Other;
    MPI_Win_unlock_all: Other;
    MPI_Win_flush: Other Other;
    MPI_Win_flush_local: Other Other;
    MPI_Win_flush_all: Other;
    MPI_Win_flush_local_all: Other;
    MPI_Win_sync: Other;
    MPI_Adjoin_barrier: Communicator;
    MPI_Fetch_and_op: SendBuffer ReceiveBuffer Datatype Dest Other Op Other;
    MPI_Compare_and_swap: SendBuffer SendBuffer ReceiveBuffer Datatype Dest Other Other;
    MPI_Get_accumulate: SendBuffer Count Datatype ReceiveBuffer Count Datatype Dest Other Other Datatype Op Other;
    MPI_Rput: SendBuffer Count Datatype Dest Other Other Datatype Other Request;
    MPI_Rget: ReceiveBuffer Count Datatype Dest Other Other Datatype Other Request;
    MPI_Raccumulate: SendBuffer Count Datatype Dest Other Other Datatype Op Other Request;
    MPI_Put: SendBuffer Count Datatype Dest Other Other Datatype Other;
    MPI_Get: ReceiveBuffer Count Datatype Dest Other Other Datatype Other;
    MPI_Accumulate: SendBuffer Count Datatype Dest Other Other Datatype Op Other;

    // Non-blocking collectives
    MPI_Ibarrier: Communicator Request;
    MPI_Ibcast: InOutBuffer Count Datatype Root Communicator Request;
    MPI_Ireduce: SendBuffer ReceiveBuffer Count Datatype Op Root Communicator Request;
    MPI_Iallreduce: SendBuffer ReceiveBuffer Count Datatype Op Communicator Request;
    MPI_Iscan: SendBuffer ReceiveBuffer Count Datatype Op Communicator Request;
    MPI_Iexscan: SendBuffer ReceiveBuffer Count Datatype Op Communicator Request;
    MPI_Igather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Root Communicator Request;
    MPI_Igatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Root Communicator Request;
    MPI_Iscatter: SendBuffer Count Datatype ReceiveBuffer Count Datatype Root Communicator Request;
    MPI_Iscatterv: SendBuffer Counts Displacements Datatype ReceiveBuffer Count Datatype Root Communicator Request;
    MPI_Iallgather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator Request;
    MPI_Iallgatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Communicator Request;
    MPI_Ialltoall: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator Request;
    MPI_Ialltoallv: SendBuffer Counts Displacements Datatype ReceiveBuffer Counts Displacements Datatype Communicator Request;
    MPI_Ialltoallw: SendBuffer Counts Displacements Other ReceiveBuffer Counts Displacements Other Communicator Request;
    MPI_Ireduce_scatter: SendBuffer ReceiveBuffer Counts Datatype Op Communicator Request;
    MPI_Ireduce_scatter_block: SendBuffer ReceiveBuffer Count Datatype Op Communicator Request;
    MPI_Ineighbor_allgather: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator Request;
    MPI_Ineighbor_allgatherv: SendBuffer Count Datatype ReceiveBuffer Counts Displacements Datatype Communicator Request;
    MPI_Ineighbor_alltoall: SendBuffer Count Datatype ReceiveBuffer Count Datatype Communicator Request;
    MPI_Ineighbor_alltoallv: SendBuffer Counts Displacements Datatype ReceiveBuffer Counts Displacements Datatype Communicator Request;
    MPI_Ineighbor_alltoallw: SendBuffer Counts Displacements Other ReceiveBuffer Counts Displacements Other Communicator Request;

    // The environment
    MPI_Init: Other Other;
    MPI_Init_thread: Other Other Other Other;
    MPI_Finalize: ;
    MPI_Abort: Communicator Other;
    MPI_Wtime: ;

    // Communicators and topologies
    MPI_Comm_rank: Communicator Other;
    MPI_Comm_size: Communicator Other;
    MPI_Comm_dup: Communicator Other;
    MPI_Comm_split: Communicator Other Other Other;
    MPI_Comm_free: Other;
    MPI_Cart_create: Communicator Other Other Other Other Other;
    MPI_Cart_shift: Communicator Other Other Other Other;
    MPI_Cart_coords: Communicator Other Other Other;

    // Datatypes
    MPI_Type_contiguous: Count Datatype Other;
    MPI_Type_vector: Count Other Other Datatype Other;
    MPI_Type_commit: Other;
    MPI_Type_free: Other;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (k, call) in calls().iter().enumerate() {
            assert!(
                calls()[..k].iter().all(|c| c.name != call.name),
                "{} twice",
                call.name
            );
            assert_eq!(lookup(call.name).map(|c| c.name), Some(call.name));
        }
        assert!(lookup("MPI_Nothing").is_none());
        assert_eq!(lookup("PMPI_Send"), lookup("MPI_Send"));
        assert!(lookup("PMPI").is_none());
        assert!(lookup("Send").is_none());
    }

    /// A non-blocking form has the operands of the blocking one, with a request instead of the status, or at the end.
    #[test]
    fn non_blocking_forms_match() {
        let blocking = [
            "Send",
            "Ssend",
            "Bsend",
            "Rsend",
            "Recv",
            "Barrier",
            "Bcast",
            "Reduce",
            "Allreduce",
            "Scan",
            "Exscan",
            "Gather",
            "Gatherv",
            "Scatter",
            "Scatterv",
            "Allgather",
            "Allgatherv",
            "Alltoall",
            "Alltoallv",
            "Reduce_scatter",
            "Reduce_scatter_block",
        ];
        for name in blocking {
            let mut expected = lookup(&format!("MPI_{name}"))
                .expect("in the table")
                .operands
                .to_vec();
            if expected.last() == Some(&Role::Status) {
                expected.pop();
            }
            expected.push(Role::Request);
            let non_blocking =
                lookup(&format!("MPI_I{}", name.to_lowercase())).expect("in the table");
            assert_eq!(non_blocking.operands, expected, "{name}");
        }
    }
}
