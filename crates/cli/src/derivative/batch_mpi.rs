//! `--mpi`: the batch function across ranks. Every rank has all arguments, computes its share of the points with the batch function (on its threads), and
//! gets the results of the others; sums are summed over the ranks.

use super::Companion;
use super::batch::{Batched, Passing};
use super::public::What;
use adjoin_ir::Basic;

/// Names of variables of the function.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Local {
    pub comm: String,
    pub shares: String,
    pub first: String,
}

impl Batched {
    /// The function for all ranks.
    pub fn across_ranks(&self, title: &str, local: &Local) -> Companion {
        let mut public = self.public.clone();
        public.name = format!("{}_mpi", self.public.name);
        let Local { comm, .. } = local;
        let what = "in: the ranks that share the work; all of them call with the same arguments";
        public.add(format!("MPI_Comm {comm}"), comm, What::Text(what.into()));
        let text = format!(
            "\n{}\n{{\n{}}}\n",
            public.definition(),
            self.mpi_body(local)
        );
        let mut notes = vec![
            "Collective: each rank computes its share of the points, on its own threads; the shares differ by one point at most. On return".to_string(),
            "every rank has the results of all points. MPI is called outside of parallel regions (MPI_THREAD_FUNNELED).".to_string(),
        ];
        if self.sums().next().is_some() {
            notes.push("Sums are taken within ranks, then over ranks.".into());
        }
        Companion {
            public,
            title: format!(
                "{title} of `{}` at many points, on many ranks of MPI.",
                self.target.name
            ),
            notes,
            text: super::batch::broken(&text),
            includes: vec!["mpi.h", "limits.h", "stddef.h", "stdio.h", "stdlib.h"],
        }
    }

    fn mpi_body(&self, local: &Local) -> String {
        let Local {
            comm,
            shares,
            first,
        } = local;
        let points = &self.local.points;
        let i = &self.local.i;
        let mut text = self.sizes.clone();
        text.push_str(&format!(
            "    struct adjoin_shares {shares} = adjoin_share({points}, {comm});\n    const size_t {first} = (size_t){shares}.starts[{shares}.rank];\n"
        ));
        let mut args = vec![format!("(size_t){shares}.counts[{shares}.rank]")];
        let mut after = String::new();
        let mut end = String::new();
        for a in &self.arguments {
            let size = a.size.as_deref();
            let at = match size {
                Some(size) => format!("{} + {first} * {size}", a.name),
                None => format!("{} + {first}", a.name),
            };
            match (&a.passing, a.number) {
                (Passing::Shared, _) => args.push(a.name.clone()),
                (Passing::Sum, Some((number, basic))) => {
                    let (sum, name) = (&a.sum, &a.name);
                    let size = size.unwrap_or("1");
                    let declared = self.target.declare(number, &format!("*{sum}"));
                    text.push_str(&format!(
                        "    {declared} = adjoin_sums({size}, sizeof *{sum});\n"
                    ));
                    args.push(sum.clone());
                    match &a.members {
                        None => {
                            after.push_str(&format!(
                                "    adjoin_reduce({sum}, {size}, sizeof *{sum}, {}, {comm});\n",
                                datatype(basic)
                            ));
                            after.push_str(
                                &a.elements(i, 4, |at| format!("{name}{at} += {sum}{at}")),
                            );
                        }
                        Some(members) => {
                            let (packed, next) = (&members.packed, &members.next);
                            let number = basic.c_name();
                            after.push_str(&format!(
                                "    {number} *{packed} = adjoin_sums({} * {size}, sizeof *{packed}), *{next} = {packed};\n",
                                members.count()
                            ));
                            after.push_str(
                                &a.elements(i, 4, |path| format!("*{next}++ = {sum}{path}")),
                            );
                            after.push_str(&format!(
                                "    adjoin_reduce({packed}, {} * {size}, sizeof *{packed}, {}, {comm});\n    {next} = {packed};\n",
                                members.count(),
                                datatype(basic)
                            ));
                            after.push_str(
                                &a.elements(i, 4, |path| format!("{name}{path} += *{next}++")),
                            );
                            end.push_str(&format!("    free({packed});\n"));
                        }
                    }
                    end.push_str(&format!("    free({sum});\n"));
                }
                _ => args.push(at),
            }
            if a.written && a.passing == Passing::Array {
                let bytes = match size {
                    Some(size) => format!("{size} * sizeof *{}", a.name),
                    None => format!("sizeof *{}", a.name),
                };
                after.push_str(&format!(
                    "    adjoin_gather({}, {bytes}, &{shares}, {comm});\n",
                    a.name
                ));
            }
        }
        if let Some(value) = &self.value {
            args.push(format!("{value} + {first}"));
            after.push_str(&format!(
                "    adjoin_gather({value}, sizeof *{value}, &{shares}, {comm});\n"
            ));
        }
        text.push_str(&format!("    {}({});\n", self.public.name, args.join(", ")));
        text.push_str(&after);
        text.push_str(&end);
        text.push_str(&format!("    free({shares}.counts);\n"));
        text
    }
}

fn datatype(basic: Basic) -> &'static str {
    match basic {
        Basic::Float => "MPI_FLOAT",
        Basic::LongDouble => "MPI_LONG_DOUBLE",
        Basic::ComplexFloat => "MPI_C_FLOAT_COMPLEX",
        Basic::ComplexDouble => "MPI_C_DOUBLE_COMPLEX",
        Basic::ComplexLongDouble => "MPI_C_LONG_DOUBLE_COMPLEX",
        _ => "MPI_DOUBLE",
    }
}

/// What files need that have such functions.
pub const SUPPORT: &str = r#"
/* Who computes which points. */
struct adjoin_shares {
    int rank, ranks;
    int *counts, *starts;
};

static void adjoin_fail(const char *why, MPI_Comm comm)
{
    fprintf(stderr, "adjoin: %s\n", why);
    fflush(stderr);
    MPI_Abort(comm, 1);
    abort();
}

/* Every rank gets as many points as the others; the first ones get one more where they do not divide. */
static struct adjoin_shares adjoin_share(size_t points, MPI_Comm comm)
{
    struct adjoin_shares shares;
    MPI_Comm_rank(comm, &shares.rank);
    MPI_Comm_size(comm, &shares.ranks);
    if (points > INT_MAX)
        adjoin_fail("more points than an int can count: call with fewer at a time", comm);
    int range[2] = {(int)points, -(int)points};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, comm);
    if (range[0] != -range[1])
        adjoin_fail("the ranks do not agree on the number of points", comm);
    const int ranks = shares.ranks;
    shares.counts = adjoin_sums(2 * (size_t)ranks, sizeof *shares.counts);
    shares.starts = shares.counts + ranks;
    for (int rank = 0, start = 0; rank < ranks; rank++) {
        shares.counts[rank] = (int)points / ranks + (rank < (int)points % ranks);
        shares.starts[rank] = start;
        start += shares.counts[rank];
    }
    return shares;
}

/* Gives every rank the results of the others; a point has this many bytes. */
static void adjoin_gather(void *results, size_t bytes, const struct adjoin_shares *shares, MPI_Comm comm)
{
    MPI_Datatype point;
    if (bytes > INT_MAX)
        adjoin_fail("a point has more bytes than an int can count", comm);
    MPI_Type_contiguous((int)bytes, MPI_BYTE, &point);
    MPI_Type_commit(&point);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, results, shares->counts, shares->starts, point, comm);
    MPI_Type_free(&point);
}
"#;

/// What files need that have sums over ranks.
pub const REDUCE: &str = r#"
/* Sums over all ranks, in pieces that an int can count. */
static void adjoin_reduce(void *sums, size_t count, size_t bytes, MPI_Datatype type, MPI_Comm comm)
{
    const size_t most = (size_t)1 << 28;
    for (size_t begin = 0; begin < count; begin += most) {
        const size_t size = count - begin < most ? count - begin : most;
        MPI_Allreduce(MPI_IN_PLACE, (char *)sums + begin * bytes, (int)size, type, MPI_SUM, comm);
    }
}
"#;
