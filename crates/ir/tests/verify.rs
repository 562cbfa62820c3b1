//! The verifier rejects broken modules, invariant by invariant, and says which one.

use adjoin_ir::ctype::{EnumData, Record, TagScope};
use adjoin_ir::verify::INVARIANTS;
use adjoin_ir::*;

/// A module in which everything that the tests break is right.
const GOOD: &str = r#"
file "good.c"
typedef real = double
enum color: unsigned int {
  RED = 0
}
struct s size 24 align 8 {
  +0 a: [2]double
  +16 bits: unsigned int bits 2:3
  +20 c: enum color
}
struct flexible size 4 align 4 {
  +0 n: int
  +4 data: []char
}
global @table: [4]long static = hex "0100" reloc 8 @f reloc 16 @table + 8
global @tail: struct flexible = hex "01000000 616263"
func @f(n, x): (int, *real) -> double !0:1:1
(v0 "n": i32 as int, v1 "x": ptr as *real) {
  v2: i32 = const 0
  v3: i32 = const 1
  v4: f64 = const 0.5
  v5: i32, v6: f64 = for ^L0 v2 lt v0 step v3 with v4 (v7: i32, v8: f64) {
    v9: ptr = addr v1 as real [v7]
    v10: f64 = load v9 !0:2:2
    v11: bool = lt v10, v8
    if v11 {
      break ^L0 v10
    } else {
      yield
    }
    v12: f64 = add v8, v10
    yield v12
  }
  v13: ptr = slot struct s "s"
  v14: ptr = addr v13 as struct s .bits
  v15: u32 = load_bits struct s .bits 2:3 v14
  v16: f64 = call @g(v6)
  return v16
}
func @g(y): (double) -> double static
func @MPI_Barrier(_): (int) -> int
func @make(): () -> struct s
func @printf(): (*const char, ...) -> int
func @old(): ?() -> int
"#;

fn good() -> Module {
    parse_module(GOOD).unwrap_or_else(|e| panic!("{e}"))
}

fn invariants(module: &Module) -> Vec<u32> {
    match verify_module(module) {
        Ok(()) => Vec::new(),
        Err(errors) => {
            assert!(errors.iter().all(|e| !e.to_string().is_empty()));
            errors.iter().map(|e| e.invariant).collect()
        }
    }
}

/// Breaks the good module and expects the invariant to be named, first.
fn breaks(invariant: u32, change: impl FnOnce(&mut Module)) {
    let mut module = good();
    change(&mut module);
    let found = invariants(&module);
    assert_eq!(found.first(), Some(&invariant), "{found:?}");
}

/// Changes the text of the good module and expects the invariant to be named.
#[track_caller]
fn breaks_text(invariant: u32, from: &str, to: &str) {
    assert!(GOOD.contains(from), "the good module has no `{from}`");
    let text = GOOD.replacen(from, to, 1);
    let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found = invariants(&module);
    assert_eq!(found.first(), Some(&invariant), "{found:?} for `{to}`");
}

/// Puts instructions at the start of `f` and expects the invariant to be named. They can use v0: i32, v1: ptr.
#[track_caller]
fn breaks_inst(invariant: u32, insts: &str) {
    let start = "v1 \"x\": ptr as *real) {";
    breaks_text(invariant, start, &format!("{start}\n{insts}\n"));
}

/// As `breaks_inst`, but nothing is broken.
#[track_caller]
fn holds_inst(insts: &str) {
    let start = "v1 \"x\": ptr as *real) {";
    let text = GOOD.replacen(start, &format!("{start}\n{insts}\n"), 1);
    let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = verify_module(&module) {
        panic!("{}", errors[0]);
    }
}

fn body(module: &mut Module) -> &mut Body {
    let f = module.find_func("f").expect("f is there");
    module.funcs[f].body.as_mut().expect("f has a body")
}

/// The first instruction of `f` with that name.
fn find(module: &mut Module, name: &str) -> Inst {
    let body = body(module);
    let mut found = None;
    body.walk(|i| {
        if found.is_none() && body.insts[i].op.name() == name {
            found = Some(i);
        }
    });
    found.unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn the_good_module_is_good() {
    assert_eq!(invariants(&good()), []);
}

#[test]
fn i1_types() {
    breaks(1, |m| {
        m.types.pointer(CTy::from_u32(1000));
    });
    breaks(1, |m| {
        m.types.intern(CTypeKind::Record(Record::from_u32(99)));
    });
    breaks(1, |m| {
        let int = m.types.basic(Basic::Int);
        m.types.intern(CTypeKind::Qualified {
            quals: Quals::default(),
            inner: int,
        });
    });
    breaks(1, |m| {
        let mut t = m.types.basic(Basic::Int);
        for is_const in [true, false] {
            let quals = Quals {
                is_const,
                is_volatile: true,
                ..Quals::default()
            };
            t = m.types.intern(CTypeKind::Qualified { quals, inner: t });
        }
    });
    breaks(1, |m| {
        let mut t = m.types.basic(Basic::Int);
        for _ in 0..1000 {
            t = m.types.pointer(t);
        }
    });
    // Twice as long with each step.
    breaks(1, |m| {
        let mut t = m.types.basic(Basic::Int);
        for _ in 0..60 {
            t = m.types.intern(CTypeKind::Function {
                ret: t,
                params: vec![t],
                variadic: false,
                prototyped: true,
            });
        }
    });
}

#[test]
fn i2_layout() {
    breaks_text(2, "size 24 align 8", "size 23 align 8");
    breaks_text(2, "size 24 align 8", "size 24 align 3");
    breaks_text(2, "bits 2:3", "bits 2:33");
    breaks_text(2, "+0 a: [2]double", "+18446744073709551615 a: [2]double");
    breaks_text(2, "+0 n: int", "+0 n: () -> void");
    breaks(2, |m| {
        let record = m.types.records.keys().next().expect("a record");
        if let Some(fields) = &mut m.types.records[record].fields {
            fields[0].ty = CTy::from_u32(1000);
        }
    });
    breaks(2, |m| {
        m.types.enums.push(EnumData {
            tag: None,
            scope: TagScope::File,
            typedef_name: None,
            constants: vec![],
            underlying: Basic::Double,
            complete: true,
        });
    });
}

#[test]
fn i3_globals() {
    breaks_text(3, "global @table: [4]long", "global @table: short");
    breaks_text(3, "global @table: [4]long", "global @table: []long");
    breaks_text(3, "reloc 8", "reloc 9");
    breaks_text(3, "reloc 16 @table", "reloc 26 @table");
    breaks_text(3, "static = hex", "static align 3 = hex");
    breaks_text(3, "static = hex", "static_local = hex");
    let first = |m: &mut Module| m.globals.keys().next().expect("a global");
    breaks(3, |m| {
        let g = first(m);
        m.globals[g].ctype = CTy::from_u32(1000);
    });
    breaks(3, |m| {
        let g = first(m);
        m.globals[g].owner = Some(Func::from_u32(99));
    });
    breaks(3, |m| {
        let g = first(m);
        let init = m.globals[g].init.as_mut().expect("initialised");
        init.relocs[0].target = RelocTarget::Global(Global::from_u32(99));
    });
}

#[test]
fn i4_functions() {
    breaks_text(4, "-> double static", "-> double literal");
    breaks_text(
        4,
        "func @f(n, x): (int, *real)",
        "func @f(n, x): (long, *real)",
    );
    breaks_text(4, "func @f(n, x): (int, *real)", "func @f(n, x): (int)");
    breaks_text(
        4,
        "func @g(y): (double) -> double static",
        "func @g(y): double static",
    );
    breaks_text(
        4,
        "func @f(n, x): (int, *real) -> double",
        "func @f(n, x): (int, void) -> double",
    );
    breaks(4, |m| {
        let g = m.find_func("g").expect("g");
        m.funcs[g].ctype = CTy::from_u32(1000);
    });
}

#[test]
fn i5_places() {
    breaks_text(5, "!0:1:1", "!1:1:1");
    breaks_text(5, "!0:2:2", "!7:2:2");
    breaks_text(
        5,
        "global @tail: struct flexible = hex \"01000000 616263\"",
        "global @tail: int !9:1:1",
    );
}

#[test]
fn i6_ids() {
    breaks(6, |m| {
        let add = find(m, "add");
        body(m).insts[add].args[0] = Value::from_u32(1000);
    });
    breaks(6, |m| {
        let add = find(m, "add");
        body(m).insts[add].results[0] = Value::from_u32(1000);
    });
    breaks(6, |m| {
        let holder = find(m, "if");
        body(m).insts[holder].regions[0] = Region::from_u32(1000);
    });
    breaks(6, |m| {
        let add = find(m, "add");
        body(m).insts[add].parent = Region::from_u32(1000);
    });
    breaks(6, |m| {
        let entry = body(m).entry;
        body(m).regions[entry].insts.push(Inst::from_u32(1000));
    });
    breaks(6, |m| body(m).entry = Region::from_u32(1000));
}

#[test]
fn i7_tree() {
    breaks(7, |m| {
        let add = find(m, "add");
        let entry = body(m).entry;
        body(m).regions[entry].insts.insert(0, add);
    });
    breaks(7, |m| {
        let add = find(m, "add");
        let entry = body(m).entry;
        body(m).insts[add].parent = entry;
    });
    breaks(7, |m| {
        let holder = find(m, "if");
        let first = body(m).insts[holder].regions[0];
        body(m).insts[holder].regions[1] = first;
    });
    breaks(7, |m| {
        let holder = find(m, "if");
        let first = body(m).insts[holder].regions[0];
        body(m).regions[first].parent = None;
    });
    // A cycle: the entry region inside itself.
    breaks(7, |m| {
        let holder = find(m, "if");
        let entry = body(m).entry;
        body(m).insts[holder].regions[1] = entry;
    });
}

#[test]
fn i8_definitions() {
    breaks(8, |m| {
        let (add, load) = (find(m, "add"), find(m, "load"));
        let v = body(m).result(add);
        body(m).insts[load].results[0] = v;
    });
    breaks(8, |m| {
        let add = find(m, "add");
        let v = body(m).result(add);
        body(m).values[v].def = ValueDef::Result(add, 1);
    });
    breaks_text(8, "v0 \"n\": i32 as int", "v0 \"n\": i32 as long");
    breaks_text(8, "v12: f64 = add", "v12: f64 as *double = add");
}

#[test]
fn i9_terminators() {
    breaks_text(9, "    yield v12\n", "");
    breaks_text(9, "      yield\n", "");
    breaks_text(9, "  return v16\n", "  return v16\n  return v16\n");
}

#[test]
fn i10_visibility() {
    // A value of an inner region.
    breaks_text(10, "return v16", "return v12");
    breaks_text(10, "return v16", "return v8");
    // Its own result.
    breaks_text(10, "yield v12", "yield v6");
    // A value that comes later.
    breaks(10, |m| {
        let (add, call) = (find(m, "add"), find(m, "call"));
        let later = body(m).result(call);
        body(m).insts[add].args[0] = later;
    });
    // A value of the other arm.
    breaks_inst(
        10,
        "v100: bool = const 1 if v100 { v101: f64 = const 1.0 yield } else { v102: f64 = neg v101 yield }",
    );
}

#[test]
fn i11_attributes() {
    breaks(11, |m| {
        let call = find(m, "call");
        body(m).insts[call].op = Op::Call(CallAttr {
            func: Func::from_u32(99),
            extra: vec![],
        });
    });
    breaks(11, |m| {
        let constant = find(m, "const");
        body(m).insts[constant].op = Op::GlobalAddr(Global::from_u32(99));
    });
    breaks(11, |m| {
        let slot = find(m, "slot");
        let ctype = CTy::from_u32(1000);
        body(m).insts[slot].op = Op::Slot(SlotAttr {
            ctype,
            name: None,
            align: 0,
        });
    });
    breaks(11, |m| {
        let bits = find(m, "load_bits");
        if let Op::LoadBits(attr) = &mut body(m).insts[bits].op {
            attr.record = Record::from_u32(99);
        }
    });
    breaks(11, |m| {
        let exit = find(m, "break");
        body(m).insts[exit].op = Op::Break(Inst::from_u32(1000));
    });
    breaks_inst(
        11,
        "v100: ptr = slot struct s v101: ptr = addr v100 as struct s .#9@0",
    );
    breaks_inst(
        11,
        "v100: ptr = slot struct s v101: u32 = load_bits struct s .#9 0:1 v100",
    );
}

#[test]
fn i12_counts() {
    breaks_text(12, "add v8, v10", "add v8");
    breaks_text(
        12,
        "v12: f64 = add v8, v10",
        "v12: f64, v99: f64 = add v8, v10",
    );
    breaks_text(
        12,
        "v13: ptr = slot struct s \"s\"",
        "v13: ptr = slot struct s \"s\" v2",
    );
    breaks_inst(12, "loop { unreachable } { unreachable }");
    breaks_inst(12, "v100: bool = const 1 if v100 { yield }");
}

#[test]
fn i13_rules() {
    let values = "v100: f64 = const 1.0 v101: i32 = const 1 v102: bool = const 1 v103: u32 = const 1
        v104: ptr = const 0 v105: c64 = complex v100, v100 v106: f32 = const 1.0 v107: f80 = const 1.0 v108: u64 = const 1";
    let wrong = [
        "f64 = add v100, v101",
        "f32 = add v100, v100",
        "bool = add v102, v102",
        "ptr = add v104, v104",
        "i32 = mul v101, v103",
        "f64 = rem v100, v100",
        "bool = rem v102, v102",
        "bool = neg v102",
        "f64 = and v100, v100",
        "f64 = not v100",
        "bool = shl v102, v101",
        "i32 = shl v101, v102",
        "u32 = shr v101, v101",
        "i32 = lt v100, v100",
        "bool = lt v105, v105",
        "bool = lt v101, v103",
        "i32 = eq v100, v100",
        "bool = eq v100, v106",
        "f64 = select v101, v100, v100",
        "f64 = select v102, v100, v106",
        "f32 = select v102, v100, v100",
        "c64 = complex v106, v106",
        "c64 = complex v100, v106",
        "c64 = complex v101, v101",
        "f32 = real v105",
        "f64 = imag v100",
        "ptr = cast v100",
        "f64 = cast v104",
        "c64 = cast v104",
        "i64 = global @table",
        "i64 = func @f",
        "u64 = slot int",
        "i64 = addr v104 as int",
        "ptr = alloca v101",
        "u64 = alloca v108",
        "i32 = ptrdiff 4 v104, v104",
        "i64 = ptrdiff 0 v104, v104",
        "i64 = ptrdiff 4 v104, v108",
    ];
    for inst in wrong {
        breaks_inst(13, &format!("{values} v110: {inst}"));
    }
    let right = [
        "c64 = add v105, v105",
        "bool = and v102, v102",
        "bool = not v102",
        "i32 = shl v101, v108",
        "bool = eq v105, v105",
        "bool = lt v104, v104",
        "bool = lt v102, v102",
        "bool = cast v104",
        "bool = cast v105",
        "i32 = cast v104",
        "f32 = cast v105",
        "c80 = complex v107, v107",
        "ptr = select v102, v104, v104",
    ];
    for inst in right {
        holds_inst(&format!("{values} v110: {inst}"));
    }
}

#[test]
fn i14_constants() {
    let wrong = [
        "i8 = const 128",
        "u8 = const -1",
        "u8 = const 256",
        "bool = const 2",
        "bool = const -1",
        "ptr = const -1",
        "ptr = const 18446744073709551616",
        "i32 = const 2147483648",
        "i64 = const -9223372036854775809",
        "u64 = const 18446744073709551616",
        "u128 = const -1",
        "i128 = const 340282366920938463463374607431768211455",
        "f64 = const 1",
        "i32 = const 1.0",
        "c64 = const 1.0",
        "f32 = const 0.1",
        "f32 = const 1e300",
        "f16 = const 0.1",
        "f16 = const 65520.0",
        "f16 = const 2.9802322387695312e-8",
        "f64 = const 0.1 \"0.1\"",
        "f80 = const 0.1 \"\"",
        "f80 = const 0.1 \"x; }\"",
    ];
    for inst in wrong {
        breaks_inst(14, &format!("v100: {inst}"));
    }
    let right = [
        "i8 = const -128",
        "u8 = const 255",
        "i128 = const -170141183460469231731687303715884105728",
        "u128 = const 340282366920938463463374607431768211455",
        "ptr = const 18446744073709551615",
        "f32 = const 0.10000000149011612",
        "f32 = const inf",
        "f32 = const nan 0x7ff8000000000001",
        "f16 = const 65504.0",
        "f16 = const 5.960464477539063e-8",
        "f16 = const -inf",
        "f80 = const 0.1 \"0.1\"",
        "f80 = const -0.1 \"-0x1.8p-3\"",
        "f128 = const 0.1 \"0.1\"",
    ];
    for inst in right {
        holds_inst(&format!("v100: {inst}"));
    }
    // A wide constant that would fit is not canonical.
    breaks(14, |m| {
        let constant = find(m, "const");
        body(m).insts[constant].op = Op::Const(Const::Wide(5));
    });
}

#[test]
fn i15_objects_and_addresses() {
    let values = "v100: u64 = const 1 v101: f64 = const 1.0 v102: ptr = const 0";
    let wrong = [
        "slot []int",
        "slot void",
        "slot () -> void",
        "slot int align 3",
        "slot [?1]int",
        "slot_vla int v0",
        "slot_vla int v101",
        "addr v0 as int",
        "addr v1 as int [v101]",
        "addr v1 as int [v0 * 8]",
        "addr v1 as int [v0] [v0 * 4]",
        "addr v1 as int [v0] v0",
        "addr v1 as struct s .(struct flexible)n",
        "addr v1 as struct s .bits@8",
        "addr v1 as [?1]int [v0 by v0]",
        "addr v1 as [?1]int [v0 * 4]",
        "addr v1 as int [v0] [v0 by v100]",
    ];
    for inst in wrong {
        breaks_inst(15, &format!("{values} v110: ptr = {inst}"));
    }
    let right = [
        "slot_vla int v100",
        "addr v1 as [3][4]int [v0] [v0] [v100]",
        "addr v1 as [4]int",
        "addr v1 as void [v0]",
        "addr v1 as () -> void [v0]",
        "addr v1 as int + 3 [v0 * 7]",
        "addr v1 as int + 8 .(struct s)a [v0]",
        "addr v1 as [?1]int [v0 by v100] [v0]",
        "addr v1 as struct flexible .data [v0]",
        "addr v1 as __vector[4] float [v0] [v0]",
    ];
    for inst in right {
        holds_inst(&format!("{values} v110: ptr = {inst}"));
    }
    breaks(15, |m| {
        let addr = find(m, "addr");
        body(m).insts[addr].args.pop();
    });
}

#[test]
fn i16_memory() {
    let values = "v100: u64 = const 1 v101: f64 = const 1.0";
    let wrong = [
        "v110: f64 = load v100",
        "store v0, v101",
        "v110: u32 = load_bits struct s .bits 2:3 v100",
        "v110: u32 = load_bits struct s .bits 2:4 v1",
        "v110: u32 = load_bits struct s .c 0:32 v1",
        "v110: f64 = load_bits struct s .bits 2:3 v1",
        "v110: bool = load_bits struct s .bits 2:3 v1",
        "store_bits struct s .bits 2:3 v1, v101",
        "copy 24 v1, v0",
        "copy 23 as struct s v1, v1",
        "zero 8 as int v1",
        "zero 8 v101",
    ];
    for inst in wrong {
        breaks_inst(16, &format!("{values} {inst}"));
    }
    holds_inst("copy 24 as struct s v1, v1 zero 5 v1 store_bits struct s .bits 2:3 v1, v0");
}

#[test]
fn i17_calls() {
    let values = "v100: f64 = const 1.0 v101: i64 = const 1 v102: ptr = const 0";
    let wrong = [
        "v110: f64 = call @g()",
        "v110: f64 = call @g(v0)",
        "v110: f64 = call @g(v100, v100)",
        "v110: f64 = call @g(v100, v100: double)",
        "call @g(v100)",
        "v110: f32 = call @g(v100)",
        "v110: f64, v111: f64 = call @g(v100)",
        "call @make()",
        "call @make(v0)",
        "v110: ptr = call @make(v1)",
        "v110: i32 = call @printf()",
        "v110: i32 = call @printf(v1, v100)",
        "v110: i32 = call @printf(v1, v0: double)",
        "v110: i32 = call @printf(v1, v0: void)",
        "v110: i32 = call @old(v0)",
        "v110: f64 = call_indirect v0 (v100) as (double) -> double",
        "v110: f64 = call_indirect v1 (v0) as (double) -> double",
        "v110: f64 = call_indirect v1 (v100) as double",
        "v110: i32 = mpi @MPI_Barrier()",
        "v110: f64 = mpi @g(v100)",
        "v110: i32 = mpi @MPI_Barrier(v101)",
        "va_start v0",
        "va_end v100",
        "va_copy v1, v0",
        "v110: f64 = va_arg int v1",
        "v110: i32 = va_arg int v0",
        "v110: ptr = va_arg struct s v1",
    ];
    for inst in wrong {
        breaks_inst(17, &format!("{values} {inst}"));
    }
    let right = [
        "call @make(v1)",
        "v110: i32 = call @printf(v1)",
        "v110: i32 = call @printf(v1, v0: int, v102: struct s, v100: real)",
        "v110: i32 = call @old(v0: int)",
        "v110: i32 = mpi @MPI_Barrier(v0)",
        "call_indirect v1 (v102, v0) as (int) -> struct s",
        "v110: f64 = va_arg real v1",
    ];
    for inst in right {
        holds_inst(&format!("{values} {inst}"));
    }
}

#[test]
fn i18_if_and_block() {
    breaks_inst(18, "if v0 { yield } else { yield }");
    breaks_inst(
        18,
        "v100: bool = const 1 if v100 (v101: i32) { yield } else { yield }",
    );
    breaks_inst(18, "block (v101: i32) { yield }");
}

#[test]
fn i19_for() {
    let values = "v100: i64 = const 1 v101: f64 = const 1.0 v102: ptr = const 0";
    let wrong = [
        "v110: i32 = for v0 lt v100 step v0 (v111: i32) { yield }",
        "v110: i32 = for v0 lt v0 step v100 (v111: i32) { yield }",
        "v110: f64 = for v101 lt v101 step v101 (v111: f64) { yield }",
        "v110: ptr = for v102 lt v102 step v102 (v111: ptr) { yield }",
        "v110: i64 = for v0 lt v0 step v0 (v111: i32) { yield }",
        "v110: i32 = for v0 lt v0 step v0 (v111: i64) { yield }",
        "v110: i32 = for v0 lt v0 step v0 { yield }",
        "v110: i32 = for v0 lt v0 step v0 with v101 (v111: i32) { yield }",
        "v110: i32, v112: f32 = for v0 lt v0 step v0 with v101 (v111: i32, v113: f64) { yield v113 }",
    ];
    for inst in wrong {
        breaks_inst(19, &format!("{values} {inst}"));
    }
}

#[test]
fn i20_loop() {
    breaks_inst(20, "loop v0 { unreachable }");
    breaks_inst(20, "loop v0 (v100: i64) { unreachable }");
    breaks_inst(20, "loop (v100: i64) { unreachable }");
}

#[test]
fn i21_switch() {
    let values = "v100: bool = const 1 v101: u8 = const 1";
    let wrong = [
        "switch v100 default { yield }",
        "switch v1 default { yield }",
        "switch v0 case 1 { yield }",
        "switch v0 default { yield } default { yield }",
        "switch v0 case 1 { yield } case 1, default { yield }",
        "switch v0 case 1..5 { yield } case 3, default { yield }",
        "switch v0 case 5..1 { yield } default { yield }",
        "switch v101 case 256 { yield } default { yield }",
        "switch v0 default (v102: i32) { yield }",
        "switch v0 with v100 default { yield }",
    ];
    for inst in wrong {
        breaks_inst(21, &format!("{values} {inst}"));
    }
    holds_inst(
        "switch ^L9 v0 case 1..2, 4 { fallthrough ^L9 } case { yield } case 3, default { break ^L9 }",
    );
    breaks(21, |m| {
        let slot = find(m, "slot");
        let region = body(m).insts[slot].parent;
        let mut b = Builder::before(body(m), slot);
        let value = b.int(Type::I32, 1);
        let case = Case {
            values: vec![],
            default: true,
        };
        let (_, regions) = b.switch(value, &[], vec![case.clone()], &[]);
        b.inside(regions[0], |b| b.yield_(&[]));
        assert_eq!(b.cursor.region, region);
        let switch = find(m, "switch");
        let cases = vec![case, Case::default()];
        body(m).insts[switch].op = Op::Switch(SwitchAttr { cases });
    });
}

#[test]
fn i22_par() {
    let values = "v100: bool = const 1 v101: u64 = const 1 v102: f64 = const 1.0";
    let wrong = [
        "par parallel { yield } { yield }",
        "par parallel",
        "par barrier { yield }",
        "par parallel v0 { yield }",
        "par parallel (v110: ptr) { yield }",
        "par parallel [private \"x\" double v1] { yield }",
        "par parallel [private \"x\" double v0] (v110: ptr) { yield }",
        "par parallel [private \"x\" double v1] (v110: f64) { yield }",
        "par parallel [reduction add \"x\" double v1 count v0] (v110: ptr) { yield }",
        "par parallel [num_threads v102] { yield }",
        "par parallel [if v0] { yield }",
        "par task [final v101] { yield }",
        "par for [schedule static v1] { yield }",
        "par section { yield }",
        "par sections { block { par section { yield } yield } yield }",
    ];
    for inst in wrong {
        breaks_inst(22, &format!("{values} {inst}"));
    }
    let right = [
        "par parallel [reduction add \"x\" double v1 count v101, if v100] (v110: ptr) { yield }",
        "par parallel_sections { par section { yield } par section { yield } yield }",
        "par parallel { v110: i32 = for ^L9 v0 lt v0 step v0 (v111: i32) { continue ^L9 } yield }",
        "par task [final v100, priority v0] { unreachable }",
    ];
    for inst in right {
        holds_inst(&format!("{values} {inst}"));
    }
    breaks(22, |m| {
        let slot = find(m, "slot");
        let clauses = vec![Clause::NumThreads];
        Builder::before(body(m), slot).par_alone(Directive::Barrier, clauses, vec![]);
    });
}

#[test]
fn i23_yield() {
    breaks_text(23, "yield v12", "yield");
    breaks_text(23, "yield v12", "yield v7");
    breaks_text(23, "return v16", "yield v16");
    breaks_inst(
        23,
        "v100: bool = const 1 v101: i32 = if v100 { yield } else { yield v0 }",
    );
    breaks_inst(23, "v100: i32 = block { yield }");
    breaks_inst(23, "par parallel { yield v0 }");
    breaks_inst(23, "loop v0 (v100: i32) { yield }");
    breaks_inst(23, "v100: i32 = switch v0 default { yield v1 }");
}

#[test]
fn i24_exits() {
    breaks_text(24, "break ^L0 v10", "break ^L0");
    breaks_text(24, "break ^L0 v10", "break ^L0 v7, v10");
    breaks_text(24, "break ^L0 v10", "continue ^L0 v7");
    breaks_text(24, "break ^L0 v10", "fallthrough ^L0 v10");
    breaks_inst(
        24,
        "v100: bool = const 1 if ^L9 v100 { break ^L9 } else { yield }",
    );
    breaks_inst(24, "block ^L9 { continue ^L9 }");
    breaks_inst(24, "switch ^L9 v0 default { fallthrough ^L9 }");
    breaks_inst(
        24,
        "switch ^L9 v0 with v1 case 1 (v100: ptr) { fallthrough ^L9 } default (v101: ptr) { yield }",
    );
    breaks_inst(
        24,
        "switch ^L9 v0 case 1 { loop { fallthrough ^L9 } yield } default { yield }",
    );
    // An instruction that is not around it.
    breaks(24, |m| {
        let (exit, last) = (find(m, "break"), find(m, "return"));
        body(m).insts[last].op = body(m).insts[exit].op.clone();
    });
}

#[test]
fn i25_leaving_par() {
    breaks_inst(25, "par parallel { v100: f64 = const 1.0 return v100 }");
    breaks_inst(25, "block ^L9 { par parallel { break ^L9 } yield }");
    breaks_inst(25, "loop ^L9 { par critical { continue ^L9 } yield }");
    breaks_inst(
        25,
        "switch ^L9 v0 case 1 { par critical { fallthrough ^L9 } yield } default { yield }",
    );
    holds_inst("par parallel { block ^L9 { break ^L9 } yield }");
}

#[test]
fn i26_return() {
    breaks_text(26, "return v16", "return");
    breaks_text(26, "return v16", "return v5");
    breaks_text(26, "return v16", "return v16, v16");
    let aggregate = "func @h(): () -> struct s { v0: ptr = slot struct s return v0 } func @make()";
    let text = GOOD.replace("func @make()", aggregate);
    assert_eq!(invariants(&parse_module(&text).expect("parses")), []);
    breaks_text(
        26,
        "func @make()",
        &aggregate.replace("return v0", "return"),
    );
    breaks_text(
        26,
        "func @make()",
        "func @h(): () -> void { v0: i32 = const 1 return v0 } func @make()",
    );
}

/// There is a test per invariant above.
#[test]
fn all_invariants_are_tested() {
    let source = include_str!("verify.rs");
    for n in 1..=INVARIANTS.len() {
        assert!(source.contains(&format!("\nfn i{n}_")), "invariant {n}");
    }
}

#[test]
fn errors_say_where() {
    let text = GOOD.replace("return v16", "return v5");
    let module = parse_module(&text).expect("parses");
    let errors = verify_module(&module).expect_err("broken");
    let found = errors[0].to_string();
    assert!(found.starts_with("function `f`: i"), "{found}");
    let expected = "returns [I32] instead of Some(F64) (invariant 26: a `return` gives what the function returns)";
    assert!(found.ends_with(expected), "{found}");
    assert_eq!(errors[0].func, module.find_func("f"));
    assert!(verify_function(&module, module.find_func("g").expect("g")).is_ok());
    let inst = errors[0].inst.expect("an instruction");
    assert_eq!(
        print_inst(&module, errors[0].func.expect("a function"), inst),
        "return v5"
    );
}
