//! All optimisations by name, wherever they are written: which there are, which are switched off, and how long each takes.
//!
//! A pass asks here whether it is to run ([`optional`]); what cannot be left out is only timed ([`step`]). What a command is told holds for everything that its
//! thread makes, so there is no argument that has to reach every corner. To add a pass: a line in [`LISTED`], and `optional("its name", || …)` where it runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// When something runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// On every function, as it comes from C.
    Front,
    /// On a function that is to be differentiated.
    Before,
    /// While its derivative is planned and made.
    Planning,
    /// On the derivative.
    After,
}

impl Stage {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Front => "front",
            Stage::Before => "before",
            Stage::Planning => "planning",
            Stage::After => "after",
        }
    }
}

/// Can it be left out?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An optimisation: results are right without it.
    Optional,
    /// What comes later relies on it; it is timed only.
    Required,
}

/// Something that is done to a program, by name.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Its name on the command line.
    pub name: &'static str,
    /// When it runs, in order.
    pub stages: &'static [Stage],
    /// Can it be switched off?
    pub kind: Kind,
    /// What it does, in a sentence.
    pub about: &'static str,
}

const fn pass(name: &'static str, stages: &'static [Stage], about: &'static str) -> Listed {
    Listed {
        name,
        stages,
        kind: Kind::Optional,
        about,
    }
}

const fn required(name: &'static str, stages: &'static [Stage], about: &'static str) -> Listed {
    Listed {
        name,
        stages,
        kind: Kind::Required,
        about,
    }
}

use Stage::{After, Before, Front, Planning};

/// Everything, in the order in which it first runs.
#[rustfmt::skip]
pub static LISTED: &[Listed] = &[
    required("parse", &[Front], "reads C"),
    required("lower", &[Front], "makes IR of C, as it is written"),
    pass("mem2reg", &[Front, Before, After], "turns scalar stack objects whose address is not taken into SSA values"),
    pass("simplify", &[Front, Before, After], "folds constants and casts, and removes control flow that decides nothing"),
    pass("prune", &[Front, Before, After], "removes what no effect and no result needs, carried values included"),
    pass("counted", &[Front, Before], "turns loops with an index, an invariant bound and a constant step into `for`"),
    required("prepare", &[Before], "makes one body: callees, pointers to functions, early returns"),
    pass("inline", &[Before], "puts the bodies of small functions, and of those called once, in the place of calls"),
    required("threads", &[Before], "brings parallel regions into their normal form, or reads them serially"),
    pass("replicate", &[Before], "lets each thread set for itself which buffer is which, where one thread does so for all"),
    pass("sroa", &[Before], "splits stack aggregates into their members"),
    pass("walks", &[Before], "lets loops that walk with pointers count elements"),
    pass("loop_tests", &[Before], "brings tests like `i + 1 < n` and `i < n && i < m` into the form that `counted` takes"),
    pass("inclusive", &[Before], "lets loops end in front of their bound: `i < n + 1` for `i <= n`"),
    pass("unroll", &[Before], "writes out short loops that stand between a small stack array and its parts"),
    pass("hoist", &[Before], "moves loads of what a parallel region does not write in front of it"),
    pass("forgotten", &[Before], "removes the last writes to memory of a function's own that nothing reads any more"),
    pass("join", &[Before], "makes one loop of loops that follow each other and hand arrays on"),
    pass("peel", &[Before], "takes the first and last iterations off loops that treat borders differently"),
    pass("pivot", &[Before], "takes the iteration that writes what all read out of the middle of loops"),
    pass("choice", &[Before], "lets running minima and maxima note which iteration chose, and computes only that once more"),
    pass("invariant", &[Before], "moves loops and library calls that are the same in every iteration out of loops"),
    pass("share", &[Before, After], "computes and reads once what is computed or read twice"),
    pass("settle", &[Before], "stores once what is stored and then corrected in branches"),
    pass("promote", &[Before], "keeps in a value what a loop does to one place in memory"),
    pass("sink", &[Before], "computes in a branch what only the branch uses"),
    required("points_to", &[Planning], "finds what pointers point to and what may be written where"),
    required("activity", &[Planning], "finds what has a derivative"),
    pass("call_sites", &[Planning], "uses what calls say about arguments that do not overlap"),
    pass("versions", &[Planning], "tests at run time that arguments do not overlap, if the plan gains by it"),
    required("sweep", &[Planning], "makes the forward sweep"),
    pass("fuse", &[Planning], "runs F of an iteration where its R is, if the adjoint of the loop's result is known before"),
    pass("exclusive", &[Planning], "reverses `place += amount` by reading the adjoint of the place only"),
    pass("reread", &[Planning], "reads again what memory still holds, rather than storing it"),
    pass("left", &[Planning], "reads computed values where the program itself leaves them in memory, rather than storing them"),
    pass("undo", &[Planning], "takes stores to local memory back on the way, so that loads before them can be read again"),
    pass("forwarding", &[Planning], "keeps once what a loop leaves in memory and a later one reads there, if the reverse sweep needs both"),
    pass("snapshots", &[Planning], "keeps a copy of an array that is overwritten instead of every value that was read from it"),
    pass("recompute", &[Planning], "computes again what is cheaper than storing it, by a minimum cut"),
    required("plan", &[Planning], "decides what the reverse sweep stores, reads again and computes again"),
    required("mirror", &[Planning], "makes the reverse sweep"),
    required("tangents", &[Planning], "makes a derivative in forward mode"),
    pass("algebra", &[After], "simplifies sums and products of adjoints, where rounding is ours to choose"),
    pass("narrow", &[After], "counts loops in the type of their bounds"),
    pass("unread", &[Before, After], "removes stack objects that are only written"),
    pass("seeds", &[After], "runs the forward sweep once for several adjoint seeds"),
    pass("unswitch", &[After], "takes tests that are the same in every iteration out of innermost loops"),
    pass("borders", &[After], "splits the share of a thread where a test for a border changes"),
    pass("loops", &[After], "takes loops apart whose iterations may run in any order, so that compilers vectorise them"),
    pass("jam", &[After], "runs four iterations of a loop together, so that they share what they access, or wait for their sums together"),
    pass("blocks", &[After], "runs iterations with memory of their own side by side, sixteen at a time"),
    pass("gather", &[After], "lets adjoints of neighbours in a row collect what they get, in one loop"),
    pass("count_up", &[After], "lets loops of the reverse sweep count up where their iterations may run in any order, though in no lanes"),
    pass("pieces", &[After], "copies arrays that are kept piece by piece while the loops that read them run"),
    pass("last_choice", &[After], "ends the reverse of a running minimum or maximum where the last choice was made"),
    pass("add_once", &[After], "adds up what an iteration adds to a sum of adjoints before it is added"),
    pass("late_stores", &[After], "stores at the end of iterations that run in lanes, behind what they read"),
    pass("zero_rows", &[After], "skips rows of tangents that are zero in all directions"),
    pass("skip", &[After], "skips what only adds zero to adjoints, since a branch was not taken"),
    pass("share_loads", &[After], "reads memory once in a derivative where nothing may have written it meanwhile"),
    pass("dead_stores", &[After], "removes stores to places that are written again before anything reads them"),
    pass("lend", &[After], "takes large blocks that the program allocates from what was used before"),
    pass("rooms", &[After], "lets small blocks that live until the end lie side by side in larger ones"),
    pass("dead_calls", &[After], "removes calls of the math library whose results nobody uses"),
    pass("rows", &[After], "computes where a row begins in front of the loop that goes along it"),
    required("verify", &[Front, After], "checks the IR"),
    required("emit", &[After], "writes C"),
];

/// The entry of a name.
pub fn find(name: &str) -> Option<&'static Listed> {
    LISTED.iter().find(|listed| listed.name == name)
}

/// All that can be switched off.
pub fn optional_names() -> impl Iterator<Item = &'static str> {
    let optional = LISTED.iter().filter(|l| l.kind == Kind::Optional);
    optional.map(|l| l.name)
}

#[derive(Default)]
struct State {
    off: BTreeSet<&'static str>,
    /// How often each ran, and for how long by itself; `None`: nobody wants to know.
    times: Option<BTreeMap<&'static str, (u64, Duration)>>,
    /// What is running: the time that what it calls took.
    running: Vec<Duration>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// What a name that cannot be switched off is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotSwitched {
    /// No pass has it.
    Unknown,
    /// What comes later relies on it.
    Required,
}

/// Switches a pass off, for everything that this thread makes from now on.
pub fn switch_off(name: &str) -> Result<(), NotSwitched> {
    let listed = find(name).ok_or(NotSwitched::Unknown)?;
    if listed.kind == Kind::Required {
        return Err(NotSwitched::Required);
    }
    STATE.with_borrow_mut(|state| state.off.insert(listed.name));
    Ok(())
}

/// Switches all passes on again.
pub fn switch_all_on() {
    STATE.with_borrow_mut(|state| state.off.clear());
}

/// Is a pass to run?
pub fn is_on(name: &'static str) -> bool {
    debug_assert!(
        find(name).is_some_and(|l| l.kind == Kind::Optional),
        "no optional pass is called {name}"
    );
    STATE.with_borrow(|state| !state.off.contains(name))
}

/// Runs a pass unless it is switched off.
pub fn optional<T: Default>(name: &'static str, work: impl FnOnce() -> T) -> T {
    match is_on(name) {
        true => step(name, work),
        false => T::default(),
    }
}

/// Runs something that cannot be left out, and times it if somebody wants to know.
pub fn step<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    debug_assert!(find(name).is_some(), "nothing is called {name}");
    let timed = STATE.with_borrow_mut(|state| {
        let timed = state.times.is_some();
        if timed {
            state.running.push(Duration::ZERO);
        }
        timed
    });
    if !timed {
        return work();
    }
    let begin = Instant::now();
    let result = work();
    let whole = begin.elapsed();
    STATE.with_borrow_mut(|state| {
        let inner = state.running.pop().unwrap_or_default();
        if let Some(outer) = state.running.last_mut() {
            *outer += whole;
        }
        if let Some(times) = &mut state.times {
            let (count, own) = times.entry(name).or_default();
            *count += 1;
            *own += whole.saturating_sub(inner);
        }
    });
    result
}

/// Begins to measure times on this thread, from zero.
pub fn measure_times() {
    STATE.with_borrow_mut(|state| {
        state.times = Some(BTreeMap::new());
        state.running.clear();
    });
}

/// How often something ran and how long it took by itself, without what it called.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// What.
    pub listed: &'static Listed,
    /// How often.
    pub count: u64,
    /// How long.
    pub own: Duration,
}

/// What was measured so far, in the order of [`LISTED`]; `None` if nothing is.
pub fn times() -> Option<Vec<Time>> {
    STATE.with_borrow(|state| {
        let times = state.times.as_ref()?;
        let of = |listed: &'static Listed| {
            let &(count, own) = times.get(listed.name)?;
            Some(Time { listed, count, own })
        };
        Some(LISTED.iter().filter_map(of).collect())
    })
}

/// The table of what was measured, as text.
pub fn time_table() -> Option<String> {
    let times = times()?;
    let total: Duration = times.iter().map(|t| t.own).sum();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let share = |time: Duration| 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
    let mut text = format!(
        "{:<12} {:<20} {:>6} {:>10} {:>6}\n",
        "", "stage", "runs", "ms", "%"
    );
    for time in &times {
        let stages: Vec<&str> = time.listed.stages.iter().map(|s| s.name()).collect();
        text.push_str(&format!(
            "{:<12} {:<20} {:>6} {:>10.3} {:>6.1}\n",
            time.listed.name,
            stages.join(" "),
            time.count,
            milliseconds(time.own),
            share(time.own)
        ));
    }
    text.push_str(&format!(
        "{:<12} {:<20} {:>6} {:>10.3} {:>6.1}\n",
        "total",
        "",
        "",
        milliseconds(total),
        100.0
    ));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_their_own() {
        for (k, listed) in LISTED.iter().enumerate() {
            assert!(!listed.about.is_empty() && !listed.stages.is_empty());
            assert!(LISTED[..k].iter().all(|other| other.name != listed.name));
        }
    }

    #[test]
    fn what_is_off_does_not_run() {
        assert_eq!(optional("prune", || 1), 1);
        assert_eq!(switch_off("prune"), Ok(()));
        assert_eq!(optional("prune", || 1), 0);
        assert_eq!(step("lower", || 1), 1);
        switch_all_on();
        assert_eq!(optional("prune", || 1), 1);
        assert_eq!(switch_off("lower"), Err(NotSwitched::Required));
        assert_eq!(switch_off("no such"), Err(NotSwitched::Unknown));
    }

    #[test]
    fn times_are_without_what_is_called() {
        assert!(times().is_none());
        measure_times();
        let wait = Duration::from_millis(20);
        step("prepare", || step("points_to", || std::thread::sleep(wait)));
        let times = times().expect("measured");
        let names: Vec<&str> = times.iter().map(|t| t.listed.name).collect();
        assert_eq!(names, ["prepare", "points_to"]);
        assert!(times[0].own < wait && times[1].own >= wait);
        assert!(time_table().is_some_and(|t| t.contains("points_to")));
    }
}
