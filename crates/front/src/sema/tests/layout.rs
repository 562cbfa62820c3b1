//! Record layout against the C compiler: many random structs, their sizes, offsets, and the bits that each bit-field occupies.

use super::super::*;
use super::*;
use std::fmt::Write as _;
use std::process::Command;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

const PLAIN: &[(Basic, &str)] = &[
    (Basic::Char, "char"),
    (Basic::Short, "short"),
    (Basic::Int, "int"),
    (Basic::Long, "long"),
    (Basic::Float, "float"),
    (Basic::Double, "double"),
    (Basic::LongDouble, "long double"),
    (Basic::ComplexFloat, "float _Complex"),
];

const BITS: &[(Basic, &str)] = &[
    (Basic::UChar, "unsigned char"),
    (Basic::UShort, "unsigned short"),
    (Basic::UInt, "unsigned"),
    (Basic::ULong, "unsigned long"),
    (Basic::Bool, "_Bool"),
    (Basic::Int, "int"),
];

/// What our layout says, and the C text that asks the compiler.
struct Generated {
    text: String,
    checks: String,
    expected: String,
}

fn one_record(s: &mut Sema, random: &mut Random, number: usize, out: &mut Generated) -> CTy {
    let is_union = random.chance(15);
    let packed = random.chance(20);
    let align = if random.chance(10) {
        1 << random.below(6)
    } else {
        0
    };
    s.pack = if random.chance(15) {
        1 << random.below(4)
    } else {
        0
    };
    let mut fields = Vec::new();
    let mut packed_fields = Vec::new();
    let mut body = String::new();
    for i in 0..random.below(7) {
        let field_align = if random.chance(8) {
            1 << random.below(5)
        } else {
            0
        };
        let field_packed = random.chance(8);
        let mut attributes = String::new();
        if field_align != 0 {
            let _ = write!(attributes, " __attribute__((aligned({field_align})))");
        }
        if field_packed {
            packed_fields.push(format!("f{i}"));
            attributes += " __attribute__((packed))";
        }
        let mut decl = if random.chance(50) {
            let (basic, name) = BITS[random.below(BITS.len() as u64) as usize];
            let ty = s.basic(basic);
            let limit = if basic == Basic::Bool {
                1
            } else {
                basic.size() * 8
            };
            let width = random.below(limit + 1) as u32;
            let unnamed = width == 0 || random.chance(10);
            let field_name = if unnamed {
                String::new()
            } else {
                format!("f{i}")
            };
            let _ = writeln!(body, "  {name} {field_name} : {width}{attributes};");
            bits(&field_name, ty, width)
        } else {
            let (basic, name) = PLAIN[random.below(PLAIN.len() as u64) as usize];
            let mut ty = s.basic(basic);
            let mut suffix = String::new();
            if random.chance(20) {
                let n = random.below(4);
                suffix = format!("[{n}]");
                ty = s.unit.types.array(ty, Some(n));
            }
            let _ = writeln!(body, "  {name} f{i}{suffix}{attributes};");
            field(&format!("f{i}"), ty)
        };
        decl.align = field_align;
        decl.packed = field_packed;
        fields.push(decl);
    }
    let word = if is_union { "union" } else { "struct" };
    let tag = format!("{word} r{number}");
    let mut attributes = String::new();
    if packed {
        attributes += " __attribute__((packed))";
    }
    if align != 0 {
        let _ = write!(attributes, " __attribute__((aligned({align})))");
    }
    if s.pack != 0 {
        let _ = writeln!(out.text, "#pragma pack(push, {})", s.pack);
    }
    let _ = writeln!(out.text, "{tag} {{\n{body}}}{attributes};");
    if s.pack != 0 {
        let _ = writeln!(out.text, "#pragma pack(pop)");
    }
    let r = s.unit.types.records.push(adjoin_ir::ctype::RecordData {
        is_union,
        tag: Some(format!("r{number}")),
        scope: Default::default(),
        typedef_name: None,
        fields: None,
        size: 0,
        align: 1,
        packed,
    });
    s.complete_record(r, fields, packed, align, AT);
    let ty = s.unit.types.intern(CTypeKind::Record(r));
    let data = s.unit.types.records[r].clone();
    let _ = writeln!(
        out.checks,
        "  printf(\"r{number} %d %d\\n\", (int)sizeof({tag}), (int)_Alignof({tag}));"
    );
    let _ = writeln!(out.expected, "r{number} {} {}", data.size, data.align);
    for f in data.fields.iter().flatten() {
        let Some(name) = &f.name else { continue };
        let Some((bit, width)) = f.bits else {
            let _ = writeln!(
                out.checks,
                "  printf(\"{name} %d\\n\", (int)__builtin_offsetof({tag}, {name}));"
            );
            let _ = writeln!(out.expected, "{name} {}", f.offset);
            continue;
        };
        let _ = writeln!(
            out.checks,
            "  {{ {tag} v; memset(&v, 0, sizeof v); v.{name} = -1; show(\"{name}\", &v, sizeof v); }}"
        );
        let mut bytes = vec![0u8; data.size as usize];
        for k in u64::from(bit)..u64::from(bit + width) {
            bytes[(f.offset + k / 8) as usize] |= 1 << (k % 8);
        }
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let _ = writeln!(out.expected, "{name} {hex}");
        // Unless packed, the field lies inside one aligned unit of its type.
        if !packed && s.pack == 0 && !packed_fields.contains(name) {
            let unit = s.unit.types.size_of(f.ty).expect("an integer");
            assert!(
                f.offset % unit == 0 && u64::from(bit + width) <= unit * 8,
                "{name}"
            );
            assert!(f.offset + unit <= data.size, "{name}");
        }
    }
    ty
}

#[test]
fn layout_is_that_of_the_c_compiler() {
    let mut s = Sema::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut out = Generated {
        text: String::from("#include <stdio.h>\n#include <string.h>\n"),
        checks: String::new(),
        expected: String::new(),
    };
    for number in 0..1500 {
        one_record(&mut s, &mut random, number, &mut out);
    }
    assert!(s.errors().is_empty(), "{:?}", s.errors());
    let program = format!(
        "{}static void show(const char *name, const void *p, unsigned long n) {{\n\
         \x20 printf(\"%s \", name);\n\
         \x20 for (unsigned long i = 0; i < n; i++) printf(\"%02x\", ((const unsigned char *)p)[i]);\n\
         \x20 printf(\"\\n\");\n}}\nint main(void) {{\n{}  return 0;\n}}\n",
        out.text, out.checks
    );
    let folder = std::env::temp_dir().join(format!("adjoin-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let source = folder.join("layout.c");
    let binary = folder.join("layout");
    std::fs::write(&source, program).expect("the program is written");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-o"])
        .arg(&binary)
        .arg(&source)
        .output();
    if !compiled.is_ok_and(|c| c.status.success()) {
        println!("skipped: no gcc on this machine");
        return;
    }
    let run = Command::new(&binary).output().expect("the program runs");
    let actual = String::from_utf8_lossy(&run.stdout).into_owned();
    let _ = std::fs::remove_dir_all(&folder);
    let mut record = "";
    let mut wrong = Vec::new();
    for (ours, theirs) in out.expected.lines().zip(actual.lines()) {
        if ours.starts_with('r') {
            record = ours;
        }
        if ours != theirs {
            wrong.push(format!("{record}: we say '{ours}', gcc says '{theirs}'"));
        }
    }
    if let Some(first) = wrong.first() {
        let tag = first.split(' ').next().unwrap_or_default();
        let at = out.text.find(&format!(" {tag} {{")).unwrap_or(0);
        let shown: String = out.text[at.saturating_sub(30)..]
            .lines()
            .take(12)
            .collect::<Vec<_>>()
            .join("\n");
        panic!("{} differences; first: {first}\n{shown}", wrong.len());
    }
    assert_eq!(out.expected.lines().count(), actual.lines().count());
}
