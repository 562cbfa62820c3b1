//! Modules, functions, regions and instructions.

use crate::checkpoint::Checkpoint;
use crate::ctype::{CTy, CTypes};
use crate::op::Op;
use crate::types::Type;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::BTreeMap;

/// A function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Func(u32);
entity_impl!(Func, "fn");

/// A global variable of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Global(u32);
entity_impl!(Global, "g");

/// An SSA value of a function body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// An instruction of a function body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Inst(u32);
entity_impl!(Inst, "i");

/// A region of a function body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(u32);
entity_impl!(Region, "r");

/// A place in the source. Line 0 means unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Span {
    /// Index into [`Module::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub col: u32,
}

/// A translation unit, or a program of several.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Module {
    /// Names of source files, for spans.
    pub files: Vec<String>,
    /// C types.
    pub types: CTypes,
    /// Global variables, string literals and static locals.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// Functions, declared and defined.
    pub funcs: PrimaryMap<Func, Function>,
    /// Loops that the user wants to be checkpointed, by their source place.
    pub checkpoints: BTreeMap<Span, Checkpoint>,
}

/// Linkage of a function or global.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Linkage {
    #[default]
    External,
    /// `static` at file scope.
    Static,
    /// A static local: its name is only known inside `GlobalData::owner`.
    StaticLocal,
    /// A string or compound literal: printed in place, or given a name.
    Literal,
}

/// A global variable.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalData {
    /// Name in C (for literals: a made-up unique name).
    pub name: String,
    /// Declared type.
    pub ctype: CTy,
    /// Linkage.
    pub linkage: Linkage,
    /// The function that a static local (or a literal in its body) belongs to.
    pub owner: Option<Func>,
    /// Initial bytes, if it is defined here.
    pub init: Option<Init>,
    /// `_Thread_local`, or `threadprivate`.
    pub thread_local: bool,
    /// Alignment beyond the type's (0: none).
    pub align: u64,
    /// Where it is declared.
    pub span: Span,
}

/// Initial contents of a global: bytes with addresses in them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Init {
    /// The bytes; shorter than the object means that the rest is zero.
    pub bytes: Vec<u8>,
    /// 8-byte addresses that replace the bytes at their offsets, in order of offset.
    pub relocs: Vec<Reloc>,
}

/// An address in an initialiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// Where in the object.
    pub offset: u64,
    /// Address of what.
    pub target: RelocTarget,
    /// Plus this many bytes.
    pub addend: i64,
}

/// What an address in an initialiser refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RelocTarget {
    Global(Global),
    Func(Func),
}

/// A function: its C signature and, if it is defined and could be lowered, its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Name in C.
    pub name: String,
    /// Its C function type.
    pub ctype: CTy,
    /// The names of the parameters.
    pub param_names: Vec<Option<String>>,
    /// External or static.
    pub linkage: Linkage,
    /// `inline`
    pub inline: bool,
    /// Never returns.
    pub noreturn: bool,
    /// Where it is declared or defined.
    pub span: Span,
    /// The body.
    pub body: Option<Body>,
}

/// How the names of functions begin that must have a frame of their own: they are never inlined by a C compiler.
pub const FRAMED: &str = "adjoin_framed_";

/// The body of a function: its entry region's arguments are the parameters. A parameter of aggregate type is the address of the callee's own
/// copy. An aggregate return value is returned by its address.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// All values.
    pub values: PrimaryMap<Value, ValueData>,
    /// All instructions (those not in a region's list are dead).
    pub insts: PrimaryMap<Inst, InstData>,
    /// All regions.
    pub regions: PrimaryMap<Region, RegionData>,
    /// The outermost region.
    pub entry: Region,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th result of an instruction.
    Result(Inst, u32),
    /// The n-th argument of a region.
    Arg(Region, u32),
}

/// What is known of a value.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Where it comes from.
    pub def: ValueDef,
    /// How C would declare it: for a pointer the pointer type, else a (typedef'd) arithmetic type.
    pub ctype: Option<CTy>,
    /// The name of the variable whose value it is.
    pub name: Option<String>,
}

/// A region: a list of instructions, the last of which is a terminator.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RegionData {
    /// Arguments.
    pub args: Vec<Value>,
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// The instruction that holds it; `None` for the entry region.
    pub parent: Option<Inst>,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct InstData {
    /// The operation and its attributes.
    pub op: Op,
    /// Operands.
    pub args: Vec<Value>,
    /// Results.
    pub results: Vec<Value>,
    /// Regions.
    pub regions: Vec<Region>,
    /// The region whose list holds it (kept by the builder; checked by the verifier).
    pub parent: Region,
    /// Source place.
    pub span: Span,
}

impl Module {
    /// An empty module.
    pub fn new() -> Self {
        Self::default()
    }

    /// The function of that name.
    pub fn find_func(&self, name: &str) -> Option<Func> {
        self.funcs
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }
}

impl Default for Body {
    fn default() -> Self {
        let mut regions = PrimaryMap::new();
        let entry = regions.push(RegionData::default());
        Body {
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            regions,
            entry,
        }
    }
}

impl Body {
    /// A body with an empty entry region.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an argument to a region.
    pub fn add_arg(&mut self, region: Region, ty: Type) -> Value {
        let index = self.regions[region].args.len() as u32;
        let v = self.values.push(ValueData {
            ty,
            def: ValueDef::Arg(region, index),
            ctype: None,
            name: None,
        });
        self.regions[region].args.push(v);
        v
    }

    /// Adds a result to an instruction.
    pub fn add_result(&mut self, inst: Inst, ty: Type) -> Value {
        let index = self.insts[inst].results.len() as u32;
        let v = self.values.push(ValueData {
            ty,
            def: ValueDef::Result(inst, index),
            ctype: None,
            name: None,
        });
        self.insts[inst].results.push(v);
        v
    }

    /// A new region held by an instruction.
    pub fn add_region(&mut self, inst: Inst) -> Region {
        let r = self.regions.push(RegionData {
            parent: Some(inst),
            ..Default::default()
        });
        self.insts[inst].regions.push(r);
        r
    }

    /// Makes an instruction at the end of a region.
    pub fn append(&mut self, region: Region, op: Op, args: Vec<Value>, span: Span) -> Inst {
        let inst = self.make(region, op, args, span);
        self.regions[region].insts.push(inst);
        inst
    }

    /// Makes an instruction that belongs to a region but is not in its list yet.
    pub fn make(&mut self, region: Region, op: Op, args: Vec<Value>, span: Span) -> Inst {
        self.insts.push(InstData {
            op,
            args,
            results: Vec::new(),
            regions: Vec::new(),
            parent: region,
            span,
        })
    }

    /// The type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.values[v].ty
    }

    /// The instruction that defines a value, if one does.
    pub fn def_inst(&self, v: Value) -> Option<Inst> {
        match self.values[v].def {
            ValueDef::Result(i, _) => Some(i),
            ValueDef::Arg(..) => None,
        }
    }

    /// The region in which a value is defined.
    pub fn def_region(&self, v: Value) -> Region {
        match self.values[v].def {
            ValueDef::Result(i, _) => self.insts[i].parent,
            ValueDef::Arg(r, _) => r,
        }
    }

    /// The region around a region.
    pub fn parent_region(&self, r: Region) -> Option<Region> {
        self.regions[r].parent.map(|i| self.insts[i].parent)
    }

    /// Is `outer` the region itself or one around it?
    pub fn encloses(&self, outer: Region, mut inner: Region) -> bool {
        loop {
            if outer == inner {
                return true;
            }
            match self.parent_region(inner) {
                Some(p) => inner = p,
                None => return false,
            }
        }
    }

    /// The single result of an instruction.
    pub fn result(&self, inst: Inst) -> Value {
        self.insts[inst].results[0]
    }

    /// The last instruction of a region.
    pub fn terminator(&self, r: Region) -> Option<Inst> {
        self.regions[r].insts.last().copied()
    }

    /// The integer of a constant.
    pub fn const_int(&self, v: Value) -> Option<i128> {
        match &self.insts[self.def_inst(v)?].op {
            Op::Const(crate::attr::Const::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// Can doing an operation end the program: a division of integers by what may be zero, or by minus one?
    pub fn may_trap(&self, inst: Inst) -> bool {
        let data = &self.insts[inst];
        let divides = matches!(data.op, Op::Div | Op::Rem);
        divides
            && self.ty(data.args[0]).is_int()
            && self
                .const_int(data.args[1])
                .is_none_or(|n| n == 0 || n == -1)
    }

    /// Visits every live instruction in program order, outer before inner.
    pub fn walk(&self, mut visit: impl FnMut(Inst)) {
        let mut stack: Vec<(Region, usize)> = vec![(self.entry, 0)];
        while let Some((r, k)) = stack.pop() {
            if let Some(&inst) = self.regions[r].insts.get(k) {
                stack.push((r, k + 1));
                visit(inst);
                for &inner in self.insts[inst].regions.iter().rev() {
                    stack.push((inner, 0));
                }
            }
        }
    }
}
