//! The module under construction: functions and static data are declared when lowered code first mentions them.

use crate::function::FunctionLowerer;
use crate::{Lowered, Refusal};
use adjoin_front::ast::{self, FuncDecl, FuncId, Storage, StrId, Unit, VarId};
use adjoin_front::source::SourceMap;
use adjoin_ir::ctype::{Field, Record};
use adjoin_ir::{
    Basic, CTy, CTypeKind, CTypes, Func, Function, Global, GlobalData, Init, Linkage, Module, Span,
};
use std::collections::{HashMap, HashSet};

/// Lowers functions of one unit into one module.
pub(crate) struct ModuleLowerer<'a> {
    pub unit: &'a Unit,
    source: &'a SourceMap,
    module: Module,
    funcs: HashMap<FuncId, Func>,
    globals: HashMap<VarId, Global>,
    strings: HashMap<StrId, Global>,
    /// Globals whose initial bytes are still to be computed.
    pending: Vec<(VarId, Global)>,
    literals: u32,
    /// Functions whose type has something that Adjoin cannot represent: what the tree says of it is not what the user wrote.
    pub unreadable: HashSet<FuncId>,
    /// What of the function that is being lowered is read as one of the ways it may run.
    pub reading: Option<crate::Refused>,
    /// Which threads may use atomic objects.
    pub threads: Threads,
}

/// Which threads may use the atomic objects of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// None: they are plain objects.
    None,
    /// Those of OpenMP's teams alone.
    Teams,
    /// Perhaps others.
    Unknown,
}

impl<'a> ModuleLowerer<'a> {
    /// An empty module with the unit's types.
    pub fn new(unit: &'a Unit, source: &'a SourceMap) -> Self {
        let module = Module {
            files: source.files.clone(),
            types: unit.types.clone(),
            ..Default::default()
        };
        let in_signature = |u: &&ast::Unsupported| {
            let body = u.func.and_then(|f| unit.funcs[f].body.as_ref());
            body.is_some_and(|b| u.span.start < b.range.start)
        };
        let unreadable = unit.unsupported.iter().filter(in_signature);
        let unreadable = unreadable.filter_map(|u| u.func).collect();
        ModuleLowerer {
            unreadable,
            unit,
            source,
            module,
            funcs: HashMap::new(),
            globals: HashMap::new(),
            strings: HashMap::new(),
            pending: Vec::new(),
            literals: 0,
            reading: None,
            threads: threads(unit, &source.text),
        }
    }

    /// The preprocessed text.
    pub fn text(&self) -> &'a [u8] {
        &self.source.text
    }

    /// The loop at a place is to be checkpointed.
    pub fn note_checkpoint(&mut self, place: adjoin_ir::Span, how: adjoin_ir::Checkpoint) {
        self.module.checkpoints.insert(place, how);
    }

    /// Lowers these functions; `every_global`: and the variables that other files can name.
    pub fn run(mut self, wanted: &[FuncId], every_global: bool) -> Lowered {
        let (mut refusals, mut readings) = (Vec::new(), Vec::new());
        for &id in wanted {
            self.function(id);
        }
        for &id in wanted {
            let decl = &self.unit.funcs[id];
            let Some(definition) = &decl.body else {
                continue;
            };
            let func = self.function(id);
            let refusal = |r: crate::Refused| Refusal {
                func: id,
                span: r.span,
                reason: r.reason,
            };
            let lowered = FunctionLowerer::lower(&mut self, decl, definition);
            let reading = self.reading.take();
            match lowered {
                Ok(body) => {
                    self.module.funcs[func].body = Some(body);
                    readings.extend(reading.map(refusal));
                }
                Err(r) => refusals.push(refusal(r)),
            }
        }
        // Registrations are arrays that no code mentions.
        for (id, var) in self.unit.vars.iter() {
            let global = matches!(var.storage, Storage::Global { .. });
            let named = every_global && matches!(var.storage, Storage::Global { is_static: false });
            if global && var.defined && (named || var.name.starts_with("__enzyme_")) {
                self.global(id);
            }
        }
        // Initialisers can mention further globals, whose initialisers are then pending too.
        while let Some((var, global)) = self.pending.pop() {
            let init = self.static_init(var);
            self.module.globals[global].init = init;
        }
        Lowered {
            module: self.module,
            refusals,
            readings,
        }
    }

    /// A function of a library, without parameters, that the program need not have declared.
    pub fn external(&mut self, name: &str, ret: Option<Basic>) -> Func {
        let declared = self.unit.funcs.iter().find(|(_, f)| f.name == name);
        if let Some((id, _)) = declared {
            return self.function(id);
        }
        if let Some(found) = self.module.find_func(name) {
            return found;
        }
        let types = &mut self.module.types;
        let ret = match ret {
            Some(basic) => types.basic(basic),
            None => types.void(),
        };
        let ctype = types.intern(CTypeKind::Function {
            ret,
            params: Vec::new(),
            variadic: false,
            prototyped: true,
        });
        self.module.funcs.push(adjoin_ir::Function {
            name: name.to_string(),
            ctype,
            param_names: Vec::new(),
            linkage: Linkage::External,
            inline: false,
            noreturn: name == "abort",
            span: adjoin_ir::Span::default(),
            body: None,
        })
    }

    /// The C types.
    pub fn types(&self) -> &CTypes {
        &self.module.types
    }

    /// A pointer type.
    pub fn pointer(&mut self, to: CTy) -> CTy {
        self.module.types.pointer(to)
    }

    /// A type.
    pub fn intern(&mut self, kind: CTypeKind) -> CTy {
        self.module.types.intern(kind)
    }

    /// A basic type.
    pub fn basic(&mut self, b: Basic) -> CTy {
        self.module.types.basic(b)
    }

    /// A member of a complete record.
    pub fn field(&self, record: Record, field: u32) -> Option<Field> {
        self.module.types.records[record]
            .fields
            .as_ref()?
            .get(field as usize)
            .cloned()
    }

    /// Where a span starts, in the user's files.
    pub fn place(&self, span: ast::Span) -> Span {
        let place = self.source.place(span);
        Span {
            file: place.file,
            line: place.line,
            col: place.col,
        }
    }

    /// The module's function for a function of the unit.
    pub fn function(&mut self, id: FuncId) -> Func {
        if let Some(&f) = self.funcs.get(&id) {
            return f;
        }
        let decl = &self.unit.funcs[id];
        let count = match self.types().shape(decl.ty) {
            CTypeKind::Function { params, .. } => params.len(),
            _ => 0,
        };
        let param_names = if decl.params.is_empty() {
            vec![None; count]
        } else {
            let name = |&v: &VarId| Some(self.unit.vars[v].name.clone()).filter(|n| !n.is_empty());
            decl.params.iter().map(name).collect()
        };
        let function = Function {
            name: decl.name.clone(),
            ctype: decl.ty,
            param_names,
            linkage: if decl.is_static {
                Linkage::Static
            } else {
                Linkage::External
            },
            inline: decl.inline,
            noreturn: decl.noreturn,
            span: self.place(decl.span),
            body: None,
        };
        let f = self.module.funcs.push(function);
        self.funcs.insert(id, f);
        f
    }

    /// The module's global for a variable of static storage.
    pub fn global(&mut self, var: VarId) -> Global {
        if let Some(&g) = self.globals.get(&var) {
            return g;
        }
        let v = &self.unit.vars[var];
        let mut name = v.name.clone();
        let (linkage, owner) = match v.storage {
            Storage::StaticLocal(f) => {
                let owner = self.function(f);
                let literal = name.is_empty();
                (
                    if literal {
                        Linkage::Literal
                    } else {
                        Linkage::StaticLocal
                    },
                    Some(owner),
                )
            }
            _ if name.is_empty() => (Linkage::Literal, None),
            Storage::Global { is_static: true } => (Linkage::Static, None),
            _ => (Linkage::External, None),
        };
        if linkage == Linkage::Literal {
            name = self.literal_name("lit");
        }
        let global = self.module.globals.push(GlobalData {
            name,
            ctype: v.ty,
            linkage,
            owner,
            init: None,
            thread_local: v.thread_local,
            align: v.align,
            span: self.place(v.span),
        });
        self.globals.insert(var, global);
        if v.defined || v.init.is_some() || !matches!(v.storage, Storage::Global { .. }) {
            self.pending.push((var, global));
        }
        global
    }

    /// The global that holds a string literal.
    pub fn string(&mut self, s: StrId, owner: Option<&FuncDecl>) -> Global {
        if let Some(&g) = self.strings.get(&s) {
            return g;
        }
        let literal = &self.unit.strings[s];
        let span = owner.map(|f| self.place(f.span)).unwrap_or_default();
        let data = GlobalData {
            name: self.literal_name("str"),
            ctype: literal.ty,
            linkage: Linkage::Literal,
            owner: None,
            init: Some(Init {
                bytes: literal.bytes.clone(),
                relocs: Vec::new(),
            }),
            thread_local: false,
            align: 0,
            span,
        };
        let global = self.module.globals.push(data);
        self.strings.insert(s, global);
        global
    }

    /// A name that no C program can use.
    fn literal_name(&mut self, stem: &str) -> String {
        let n = self.literals;
        self.literals += 1;
        format!("{stem}.{n}")
    }
}

/// Which threads may use the atomic objects of a file? Only where the program is in this file can one see that there are none.
fn threads(unit: &Unit, text: &[u8]) -> Threads {
    let count = |word: &[u8]| text.windows(word.len()).filter(|w| *w == word).count();
    // What a header declares is mentioned once.
    let starts = |name: &[u8]| count(name) > 1;
    let whole = unit
        .funcs
        .values()
        .any(|f| f.name == "main" && f.body.is_some());
    let own = starts(b"pthread_create") || starts(b"thrd_create");
    match count(b"#pragma omp") > 0 {
        _ if own => Threads::Unknown,
        true => Threads::Teams,
        false if whole => Threads::None,
        false => Threads::Unknown,
    }
}
