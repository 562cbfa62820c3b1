//! What an object file carries for differentiation at link time: the IR of its unit, in a section that the final link leaves out.
//!
//! The derivative of a function may need things of another unit that C gives no name outside of it: `static` variables, and `static` functions
//! whose address is taken. They get hidden aliases, and the carried IR knows them by those. `static` functions that are only called are copied.

use crate::derive::{Pending, statics};
use crate::failure::Failure;
use adjoin_ir::{Global, Linkage, Module, Op, RelocTarget};
use object::{Object, ObjectSection};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The section's name.
pub const SECTION: &str = ".adjoin.ir";
/// What each piece of the section starts with; then its length and a line end.
const MAGIC: &str = "adjoin-ir-1 ";

/// Everything but the IR.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// Tells this unit from others; part of an identifier.
    pub unit: String,
    /// The compiler's flags that matter to code generation.
    pub flags: Vec<String>,
    /// What is to be made at link time.
    pub pending: Vec<Pending>,
    /// Functions that have no IR, and why.
    pub refusals: Vec<(String, String)>,
}

/// What one unit carries.
#[derive(Clone, PartialEq, Debug)]
pub struct Carried {
    /// Everything but the IR.
    pub header: Header,
    /// The IR as it was lowered.
    pub module: Module,
}

/// A name for a unit: the same for the same text at the same place.
pub fn unit_name(path: &str, text: &[u8]) -> String {
    // FNV-1a
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in path.as_bytes().iter().chain(text) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("u{hash:016x}")
}

/// Gives what is `static` and may be needed elsewhere an alias; returns the C text that makes the aliases.
///
/// Functions that derivatives are asked of at link time are needed, too. A `static` local that could not be moved to file scope has no name outside of its
/// function: its value is copied if it is constant, else the functions that use it stay behind, which `refusals` says.
pub fn export_statics(
    module: &mut Module,
    unit: &str,
    pending: &mut [Pending],
    refusals: &mut Vec<(String, String)>,
) -> String {
    keep_static_locals(module, refusals);
    let mut text = String::new();
    let mut globals: BTreeSet<Global> = BTreeSet::new();
    let mut addressed = BTreeSet::new();
    for function in module.funcs.values() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| match &body.insts[inst].op {
            Op::GlobalAddr(g) => drop(globals.insert(*g)),
            Op::FuncAddr(f) => drop(addressed.insert(*f)),
            _ => {}
        });
    }
    let targets: Vec<RelocTarget> = module
        .globals
        .values()
        .flat_map(|g| {
            g.init
                .iter()
                .flat_map(|i| i.relocs.iter().map(|r| r.target))
        })
        .collect();
    for target in targets {
        match target {
            RelocTarget::Global(g) => drop(globals.insert(g)),
            RelocTarget::Func(f) => drop(addressed.insert(f)),
        }
    }
    for wanted in pending.iter() {
        addressed.extend(module.find_func(&wanted.function));
    }
    let mut alias = |name: &str, thread_local: bool| {
        let new = format!("{}{unit}_{name}", adjoin_ad::HIDDEN);
        let thread = if thread_local { "__thread " } else { "" };
        text.push_str(&format!(
            "extern {thread}__typeof__({name}) {new} __attribute__((alias(\"{name}\"), visibility(\"hidden\")));\n"
        ));
        new
    };
    for g in globals {
        let data = &mut module.globals[g];
        if data.linkage == Linkage::Static && data.init.is_some() {
            data.name = alias(&data.name, data.thread_local);
            data.linkage = Linkage::External;
        }
    }
    for f in addressed {
        let function = &mut module.funcs[f];
        if function.linkage == Linkage::Static && function.body.is_some() {
            let new = alias(&function.name, false);
            for wanted in pending.iter_mut().filter(|p| p.function == function.name) {
                wanted.function.clone_from(&new);
            }
            function.name = new;
            function.linkage = Linkage::External;
        }
    }
    text
}

fn keep_static_locals(module: &mut Module, refusals: &mut Vec<(String, String)>) {
    let mut hidden: BTreeSet<Global> = BTreeSet::new();
    let types = &module.types;
    for (g, data) in module.globals.iter_mut() {
        if data.linkage != Linkage::StaticLocal {
            continue;
        }
        if types.quals(statics::element(types, data.ctype)).is_const {
            data.linkage = Linkage::Literal;
            data.owner = None;
        } else {
            hidden.insert(g);
        }
    }
    for function in module.funcs.values_mut() {
        let Some(body) = &function.body else { continue };
        let mut found = None;
        body.walk(|inst| {
            if let Op::GlobalAddr(g) = body.insts[inst].op
                && hidden.contains(&g)
            {
                found = Some(g);
            }
        });
        if let Some(g) = found {
            let name = &module.globals[g].name;
            refusals.push((
                function.name.clone(),
                format!("its static local '{name}' cannot be reached from another file"),
            ));
            function.body = None;
        }
    }
}

impl Carried {
    /// The section's contents for this unit.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        let mut piece = serde_json::to_vec(&self.header)
            .map_err(|error| Failure::new(format!("cannot write the unit's header: {error}")))?;
        piece.push(b'\n');
        piece.extend_from_slice(adjoin_ir::print_module(&self.module).as_bytes());
        let mut bytes = format!("{MAGIC}{}\n", piece.len()).into_bytes();
        bytes.append(&mut piece);
        Ok(bytes)
    }

    /// Reads a section, in which a linker may have put several units one after the other.
    fn read_section(bytes: &[u8]) -> Result<Vec<Carried>, String> {
        let mut units = Vec::new();
        let mut rest = bytes;
        loop {
            // Alignment may put zeros between the pieces.
            while let [0, tail @ ..] = rest {
                rest = tail;
            }
            if rest.is_empty() {
                return Ok(units);
            }
            let line = rest.iter().position(|&b| b == b'\n').ok_or("cut short")?;
            let length: usize = std::str::from_utf8(&rest[..line])
                .ok()
                .and_then(|head| head.strip_prefix(MAGIC))
                .and_then(|length| length.parse().ok())
                .ok_or("made by another version of Adjoin")?;
            let piece = rest.get(line + 1..line + 1 + length).ok_or("cut short")?;
            rest = &rest[line + 1 + length..];
            let line = piece.iter().position(|&b| b == b'\n').ok_or("cut short")?;
            let header = serde_json::from_slice(&piece[..line]).map_err(|e| e.to_string())?;
            let text = std::str::from_utf8(&piece[line + 1..]).map_err(|e| e.to_string())?;
            let module = adjoin_ir::parse_module(text).map_err(|e| e.to_string())?;
            units.push(Carried { header, module });
        }
    }
}

/// The units that an object carries. Other files carry none.
pub fn of_object(bytes: &[u8]) -> Result<Vec<Carried>, String> {
    let Ok(object) = object::File::parse(bytes) else {
        return Ok(Vec::new());
    };
    let Some(data) = object
        .section_by_name(SECTION)
        .and_then(|section| section.data().ok())
    else {
        return Ok(Vec::new());
    };
    Carried::read_section(data)
}

/// The C text that puts a file into the section.
pub fn include_text(file: &Path) -> String {
    let name = file
        .to_string_lossy()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    // For the C string, then for the assembler's.
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "__asm__(\".pushsection {SECTION},\\\"e\\\",@progbits\\n.incbin \\\"{name}\\\"\\n.popsection\\n\");\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_of_two_units_reads_back() {
        let module = adjoin_ir::parse_module(
            "file \"a.c\"\nfunc @f(x): (double) -> double\n(v0 \"x\": f64 as double) {\n  return v0\n}\n",
        )
        .expect("well formed");
        let one = Carried {
            header: Header {
                unit: "u1".into(),
                flags: vec!["-O2".into()],
                ..Default::default()
            },
            module: module.canonical(),
        };
        let bytes = one.to_bytes().expect("writes");
        let both = [&bytes[..], &[0, 0], &bytes].concat();
        assert_eq!(
            Carried::read_section(&both).expect("reads"),
            [one.clone(), one]
        );
        assert!(Carried::read_section(b"adjoin-ir-0 3\nabc").is_err());
    }
}
