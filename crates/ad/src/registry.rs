//! What the user says about functions and globals: custom derivatives, functions that behave as known ones, what is inactive, allocators.

use crate::AdError;
use crate::activity::{bytewise, carriers, crossing, holds_data, holds_pointer};
use crate::only_read::OnlyRead;
use crate::points_to::called::Calls;
use crate::points_to::heap_globals;
use crate::prepare::kept_as::KeptAs;
use crate::prepare::targets::Passed;
use crate::rules::system_calls;
use adjoin_ir::ctype::Record;
use adjoin_ir::{
    Body, CTy, CTypeKind, CTypes, Func, Global, GlobalData, Init, Linkage, Module, Op, RelocTarget,
    Span, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A custom reverse derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gradient {
    /// Takes primal and shadow arguments; returns nothing, the tape, the primal result, or a struct of tape, primal result and its shadow.
    pub augmented: Func,
    /// Takes the same arguments, the seed of the result if it is active, and the tape if there is one; returns the adjoints of active numbers by value.
    pub reverse: Func,
}

/// A custom allocator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocator {
    /// Which argument is the size in bytes.
    pub size: usize,
    /// Which arguments of the allocation (or -1: its result) the free function receives.
    pub free_arguments: Vec<i32>,
    /// What frees.
    pub free: Option<Func>,
}

/// Annotations by function and by global.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Custom reverse derivatives.
    pub gradients: BTreeMap<Func, Gradient>,
    /// Custom forward derivatives.
    pub derivatives: BTreeMap<Func, Func>,
    /// Functions that are differentiated as a known one.
    pub like: BTreeMap<Func, String>,
    /// Functions without derivatives.
    pub inactive: BTreeSet<Func>,
    /// Globals without derivatives.
    pub inactive_globals: BTreeSet<Global>,
    /// Allocation functions.
    pub allocators: BTreeMap<Func, Allocator>,
    /// The module is the whole program: no other file names its variables.
    pub whole: bool,
    /// All that can be known is: a store of active data to memory without a shadow ends the program when it runs.
    pub(crate) late: bool,
    /// The bodies of inactive functions are not looked into: one of them cannot be differentiated.
    pub(crate) taken_at_word: bool,
    /// Globals that are named where there is no IR.
    pub unseen: BTreeSet<Global>,
    /// There are no functions without IR: all calls of functions that only the program calls are there.
    pub all_seen: bool,
    /// A call through a pointer reaches only functions of its very type.
    pub(crate) exact: bool,
    /// What is found out about the program when its first derivative is made.
    found: Option<Rc<Found>>,
    /// What functions touch, as far as somebody has asked.
    pub(crate) calls: Calls,
    /// Stands for all memory that was there before the call and that nobody gave a shadow. Active data in it is an active global, whose shadow is the table of
    /// shadows (`rules/support/outside.c`). None: no pointers at file scope lead anywhere.
    pub(crate) outside: Option<Global>,
}

/// What is found out about a program.
#[derive(Debug)]
struct Found {
    only_read: OnlyRead,
    with_blocks: BTreeSet<Global>,
    shared: BTreeSet<Global>,
    passed: Passed,
    kept_as: KeptAs,
    /// Are there calls through pointers?
    indirect: bool,
    /// Structs of bytes that numbers travel in.
    carriers: BTreeSet<Record>,
    /// What functions write as integers.
    bytewise: bytewise::Written,
    /// What becomes of the bits of numbers in functions that are given or return them as integers.
    crossings: crossing::Crossings,
}

/// The kinds of registration arrays, by what their names start with.
const KINDS: &[(&str, Kind)] = &[
    ("__enzyme_register_gradient", Kind::Gradient),
    ("__enzyme_register_derivative", Kind::Derivative),
    ("__enzyme_register_splitderivative", Kind::Unsupported),
    ("__enzyme_function_like", Kind::Like),
    ("__enzyme_inactivefn", Kind::Inactive),
    ("__enzyme_inactive_global", Kind::InactiveGlobal),
    ("__enzyme_allocation_like", Kind::Allocator),
    ("__enzyme_nofree", Kind::Hint),
    ("__enzyme_shouldrecompute", Kind::Hint),
    ("__enzyme_sparse_accumulate", Kind::Hint),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gradient,
    Derivative,
    Like,
    Inactive,
    InactiveGlobal,
    Allocator,
    Hint,
    Unsupported,
}

/// Is a global of this name a registration?
pub fn is_registration(name: &str) -> bool {
    KINDS.iter().any(|(word, _)| name.starts_with(word))
}

/// One element of a registration array.
#[derive(Clone, Debug)]
enum Element {
    Func(Func),
    Global(Global),
    Text(String),
    Number(i64),
}

impl Registry {
    /// Looks at a program before its first derivative is made: what derivatives add to it does to its variables what it does itself.
    pub(crate) fn look(&mut self, module: &mut Module) {
        if self.found.is_none() {
            crate::mpi::before::look_up_buffers(module);
            crate::mpi::order::mirror_barriers(module);
            self.outside = outside(module);
            let only_read = OnlyRead::of(module, self);
            let with_blocks = heap_globals::with_blocks(module, self);
            let indirect = calls_through_pointers(module);
            let carriers = carriers::find(module, self);
            let bytewise = bytewise::find(module, self);
            let crossings = crossing::find(module, self);
            self.found = Some(Rc::new(Found {
                shared: heap_globals::with_shared_blocks(module, &only_read, &with_blocks),
                only_read,
                with_blocks,
                passed: Passed::default(),
                kept_as: KeptAs::of(module),
                indirect,
                carriers,
                bytewise,
                crossings,
            }));
            // Which tables nothing writes is known now.
            let passed = Passed::of(module, self, self.all_seen);
            if let Some(found) = self.found.as_mut().and_then(Rc::get_mut) {
                found.passed = passed;
            }
        }
    }

    /// Functions of the program that derivatives would take for their own by their names. Those of generated files are `static`, and take no numbers where derivatives
    /// know them; those of several files put together have names of their own (`HIDDEN`).
    pub(crate) fn refuse_taken_names(&self, module: &Module) -> Result<(), AdError> {
        if self.found.is_some() {
            return Ok(());
        }
        const MEANT: [&str; 6] = [
            "adjoin_part",
            "adjoin_give_memory",
            "adjoin_resize_",
            "adjoin_allocate_",
            "adjoin_free_",
            "adjoin_stop",
        ];
        let is_number =
            |&t: &CTy| matches!(module.types.shape(t), CTypeKind::Basic(b) if b.is_float());
        let takes_numbers = |ctype: CTy| match module.types.shape(ctype) {
            CTypeKind::Function { ret, params, .. } => params.iter().chain([ret]).any(is_number),
            _ => false,
        };
        let taken = module.funcs.values().find(|f| {
            f.body.is_some()
                && f.name.starts_with("adjoin_")
                && !f.name.starts_with(crate::HIDDEN)
                && (f.linkage == Linkage::External
                    || MEANT.iter().any(|m| f.name.starts_with(m)) && takes_numbers(f.ctype))
        });
        match taken {
            Some(f) => Err(AdError::new(
                f.span,
                format!(
                    "a program that defines '{}': names that begin with 'adjoin_' belong to generated code",
                    f.name
                ),
            )),
            None => Ok(()),
        }
    }

    /// The functions that a pointer in a body of a function can be, if the program shows it.
    pub(crate) fn targets(
        &self,
        module: &Module,
        func: Func,
        body: &Body,
        pointer: Value,
    ) -> Option<BTreeSet<Func>> {
        let nothing = Passed::default();
        let passed = self.found.as_ref().map_or(&nothing, |f| &f.passed);
        passed.targets(module, self, func, body, pointer)
    }

    /// The types of the places where the address of a function is kept, but for its own.
    pub(crate) fn kept_as(&self, func: Func) -> impl Iterator<Item = CTy> {
        let found = self.found.as_ref();
        found.into_iter().flat_map(move |f| f.kept_as.types(func))
    }

    /// Are there calls through pointers?
    pub(crate) fn has_indirect_calls(&self) -> bool {
        self.found.as_ref().is_some_and(|f| f.indirect)
    }

    /// Is it a global that nothing writes?
    pub(crate) fn is_unwritten(&self, g: Global) -> bool {
        self.found.as_ref().is_some_and(|f| f.only_read.global(g))
    }

    /// May numbers travel as bytes in an object of this type?
    pub(crate) fn carries_bytes(&self, types: &CTypes, t: CTy) -> bool {
        let found = self.found.as_ref();
        found.is_some_and(|f| carriers::are_in(&f.carriers, types, t))
    }

    /// Through which parameters a function writes integers, whatever lies there.
    pub(crate) fn written_as_integers(&self, func: Func) -> bytewise::Through {
        let found = self.found.as_ref().and_then(|f| f.bytewise.get(&func));
        found.copied().unwrap_or_default()
    }

    /// What functions do with integers that are the bits of numbers.
    pub(crate) fn crossings(&self) -> Option<&crossing::Crossings> {
        self.found.as_ref().map(|f| &f.crossings)
    }

    /// May pointers in memory lead to a global?
    pub(crate) fn is_exposed(&self, g: Global) -> bool {
        self.found
            .as_ref()
            .is_some_and(|f| f.only_read.is_exposed(g))
    }

    /// May pointers elsewhere lead to what pointers in a global lead to?
    pub(crate) fn is_shared(&self, g: Global) -> bool {
        self.found
            .as_ref()
            .is_some_and(|f| f.only_read.is_shared(g) || f.shared.contains(&g))
    }

    /// The variables with numbers or pointers that pointers may lead to, and their sizes.
    pub(crate) fn noted(&self, module: &Module) -> Vec<(Global, u64)> {
        let all = module.globals.iter().filter(|(g, data)| {
            self.is_exposed(*g)
                && data.linkage != Linkage::Literal
                && !data.thread_local
                && !is_registration(&data.name)
                && holds_data(&module.types, data.ctype)
        });
        all.filter_map(|(g, data)| Some((g, module.types.size_of(data.ctype)?)))
            .collect()
    }

    /// Does a function only read what an operand of its calls leads to?
    pub(crate) fn reads_only(&self, module: &Module, func: Func, operand: usize) -> bool {
        let found = self.found.as_ref();
        found.is_some_and(|f| f.only_read.operand(module, func, operand))
    }

    /// Does a function only load and store integers where an operand of its calls leads to?
    pub(crate) fn only_integers(&self, func: Func, operand: usize) -> bool {
        let found = self.found.as_ref().and_then(|f| f.bytewise.get(&func));
        operand < 64 && found.is_some_and(|t| t.other & 1 << operand == 0)
    }

    /// The variables that hold nothing but starts of heap blocks.
    pub(crate) fn with_blocks(&self, module: &Module) -> BTreeSet<Global> {
        match &self.found {
            Some(found) => found.with_blocks.clone(),
            None => heap_globals::with_blocks(module, self),
        }
    }

    /// Does a variable at file scope hold nothing but starts of heap blocks?
    pub(crate) fn keeps_blocks(&self, g: Global) -> bool {
        let found = self.found.as_ref();
        found.is_some_and(|f| f.with_blocks.contains(&g))
    }

    /// Is a function with a body said to be inactive?
    pub(crate) fn says_inactive(&self, module: &Module) -> bool {
        self.inactive
            .iter()
            .any(|&f| module.funcs[f].body.is_some())
    }

    /// Is a function differentiated by what is said about it, not by its body?
    pub fn is_special(&self, func: Func) -> bool {
        self.gradients.contains_key(&func)
            || self.derivatives.contains_key(&func)
            || self.like.contains_key(&func)
            || self.inactive.contains(&func)
            || self.allocators.contains_key(&func)
            || self.allocators.values().any(|a| a.free == Some(func))
    }

    /// Reads the registration arrays of a module. What cannot be understood comes back with its place.
    pub fn read(&mut self, module: &Module) -> Vec<(Span, String)> {
        let mut errors = Vec::new();
        self.know_openmp_memory(module);
        self.inactive.extend(system_calls::of(module));
        for data in module.globals.values() {
            let Some(&(_, kind)) = KINDS.iter().find(|(word, _)| data.name.starts_with(word))
            else {
                continue;
            };
            let Some(init) = &data.init else {
                errors.push((
                    data.span,
                    format!("what '{}' registers is not known", data.name),
                ));
                continue;
            };
            let size = module.types.size_of(data.ctype).unwrap_or(0);
            let elements = elements(module, init, size);
            if let Err(expected) = self.register(kind, &elements) {
                errors.push((data.span, format!("'{}' {expected}", data.name)));
            }
        }
        errors
    }

    /// Memory of OpenMP's own allocators goes back the same way, with the allocator that it came from.
    fn know_openmp_memory(&mut self, module: &Module) {
        let Some(free) = module.find_func("omp_free") else {
            return;
        };
        for (name, size) in [("omp_alloc", 0), ("omp_aligned_alloc", 1)] {
            if let Some(f) = module.find_func(name)
                && module.funcs[f].body.is_none()
            {
                let free_arguments = vec![-1, size + 1];
                let allocator = Allocator {
                    size: size as usize,
                    free_arguments,
                    free: Some(free),
                };
                self.allocators.insert(f, allocator);
            }
        }
    }

    fn register(&mut self, kind: Kind, elements: &[Element]) -> Result<(), &'static str> {
        use Element::{Func as F, Global as G, Number, Text};
        match (kind, elements) {
            (Kind::Hint, _) => {}
            (Kind::Gradient, &[F(f), F(augmented), F(reverse), ..]) => {
                self.gradients.insert(f, Gradient { augmented, reverse });
            }
            (Kind::Gradient, _) => {
                return Err(
                    "must hold a function, its augmented forward function and its gradient",
                );
            }
            (Kind::Derivative, &[F(f), F(derivative), ..]) => {
                self.derivatives.insert(f, derivative);
            }
            (Kind::Derivative, _) => return Err("must hold a function and its derivative"),
            (Kind::Like, [F(f), Text(name), ..]) => {
                self.like.insert(*f, name.clone());
            }
            (Kind::Like, _) => return Err("must hold a function and the name of a known one"),
            (Kind::Inactive, [F(_), ..]) => {
                for element in elements {
                    if let F(f) = element {
                        self.inactive.insert(*f);
                    }
                }
            }
            (Kind::Inactive, _) => return Err("must hold a function"),
            (Kind::InactiveGlobal, [G(_), ..]) => {
                for element in elements {
                    if let G(g) = element {
                        self.inactive_globals.insert(*g);
                    }
                }
            }
            (Kind::InactiveGlobal, _) => return Err("must hold the address of a global"),
            (Kind::Allocator, [F(f), Number(size), rest @ ..]) if *size >= 0 => {
                let free_arguments = match rest.first() {
                    Some(Text(list)) => list
                        .split(',')
                        .filter_map(|word| word.trim().parse().ok())
                        .collect(),
                    Some(Number(n)) => vec![*n as i32],
                    _ => vec![-1],
                };
                let free = match rest.get(1) {
                    Some(F(free)) => Some(*free),
                    _ => None,
                };
                self.allocators.insert(
                    *f,
                    Allocator {
                        size: *size as usize,
                        free_arguments,
                        free,
                    },
                );
            }
            (Kind::Allocator, _) => {
                return Err(
                    "must hold a function, which of its arguments is the size, what the free function receives, and the free function",
                );
            }
            (Kind::Unsupported, _) => return Err("is not supported yet"),
        }
        Ok(())
    }
}

/// The global that stands for memory outside, if any variable can lead there.
fn outside(module: &mut Module) -> Option<Global> {
    let types = &module.types;
    let leads = |g: &GlobalData| {
        g.linkage != Linkage::Literal
            && !is_registration(&g.name)
            && types.size_of(g.ctype).is_some()
            && holds_pointer(types, g.ctype)
    };
    if !module.globals.values().any(leads) {
        return None;
    }
    let void = module.types.void();
    let ctype = module.types.pointer(void);
    Some(module.globals.push(GlobalData {
        name: "adjoin_outside".to_string(),
        ctype,
        linkage: Linkage::Static,
        owner: None,
        thread_local: true,
        align: 0,
        init: Some(Init::default()),
        span: Span::default(),
    }))
}

fn elements(module: &Module, init: &Init, size: u64) -> Vec<Element> {
    let mut list = Vec::new();
    for offset in (0..size).step_by(8) {
        let reloc = init.relocs.iter().find(|r| r.offset == offset);
        list.push(match reloc.map(|r| r.target) {
            Some(RelocTarget::Func(f)) => Element::Func(f),
            Some(RelocTarget::Global(g)) => match text(module, g) {
                Some(text) => Element::Text(text),
                None => Element::Global(g),
            },
            None => {
                let mut bytes = [0; 8];
                for (k, byte) in bytes.iter_mut().enumerate() {
                    *byte = init.bytes.get(offset as usize + k).copied().unwrap_or(0);
                }
                Element::Number(i64::from_le_bytes(bytes))
            }
        });
    }
    list
}

/// The text of a string: a literal, or an array of characters.
fn text(module: &Module, g: Global) -> Option<String> {
    let data = &module.globals[g];
    let element = module.types.element(data.ctype)?;
    let is_text = data.linkage == Linkage::Literal || module.types.size_of(element) == Some(1);
    let bytes = &data.init.as_ref().filter(|_| is_text)?.bytes;
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// Are there calls through pointers?
fn calls_through_pointers(module: &Module) -> bool {
    let mut found = false;
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        body.walk(|inst| found |= matches!(body.insts[inst].op, Op::CallIndirect(_)));
    }
    found
}
