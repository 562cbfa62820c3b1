//! How attributes are written and read, one after the other. Those of parallel constructs are in `par_text`.

use crate::attr::*;
use crate::ctype::{CTy, Record};
use crate::lex::Token;
use crate::module::{Func, Global, Inst, Value};
use crate::parse::Reader;
use crate::path::Path;
use crate::print::Writer;
use crate::text::{Attribute, IdMap, TextResult, Words};

/// `const 5`, `const 1.5`, `const -inf`, `const nan 0x7ff8000000000000`, `const 0.1 "0.1000000000000000000001"`
impl Attribute for Const {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        match self {
            Const::Int(n) => out.word(n),
            Const::Wide(n) => out.word(n),
            Const::Float { bits, text } => {
                let value = f64::from_bits(*bits);
                if value.is_nan() {
                    out.word(format_args!("nan {bits:#018x}"));
                } else {
                    // The shortest form that reads back as the same double, with a point or an exponent.
                    out.word(format_args!("{value:?}"));
                }
                if let Some(text) = text {
                    out.string(text);
                }
            }
        }
        out.operands(operands);
    }

    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let mut bits = None;
        let token = input.take().clone();
        match token {
            Token::Word("inf") => bits = Some(f64::INFINITY.to_bits()),
            Token::Word("-inf") => bits = Some(f64::NEG_INFINITY.to_bits()),
            Token::Word("nan") => match input.take().clone() {
                Token::Number(n) => {
                    let hex = n
                        .strip_prefix("0x")
                        .and_then(|h| u64::from_str_radix(h, 16).ok());
                    let nan = hex.filter(|&b| f64::from_bits(b).is_nan());
                    bits = Some(
                        nan.ok_or_else(|| input.error_value("the bits of a NaN are expected"))?,
                    );
                }
                _ => return input.error_before("the bits of a NaN are expected"),
            },
            Token::Number(n) if n.contains(['.', 'e', 'E']) => match n.parse::<f64>() {
                Ok(value) => bits = Some(value.to_bits()),
                Err(_) => return input.error_before("not a number"),
            },
            Token::Number(n) => {
                if let Ok(value) = n.parse() {
                    input.operands(operands)?;
                    return Ok(Const::Int(value));
                }
                if let Ok(value) = n.parse() {
                    input.operands(operands)?;
                    return Ok(Const::Wide(value));
                }
            }
            _ => {}
        }
        let Some(bits) = bits else {
            return input.error_before("a constant is expected");
        };
        let text = input.optional_string()?;
        input.operands(operands)?;
        Ok(Const::Float { bits, text })
    }
}

/// `global @x`
impl Attribute for Global {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.global(*self);
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let global = input.global()?;
        input.operands(operands)?;
        Ok(global)
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.global(self);
    }
}

/// `func @f`
impl Attribute for Func {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.func(*self);
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let func = input.func()?;
        input.operands(operands)?;
        Ok(func)
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.func(self);
    }
}

/// `slot [3]int "a" align 16`
impl Attribute for SlotAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.ctype(self.ctype);
        if let Some(name) = &self.name {
            out.string(name);
        }
        if self.align != 0 {
            out.word(format_args!("align {}", self.align));
        }
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let ctype = input.ctype()?;
        let name = input.optional_string()?;
        let align = if input.accept_word("align") {
            input.unsigned()?
        } else {
            0
        };
        input.operands(operands)?;
        Ok(SlotAttr { ctype, name, align })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.ctype(&mut self.ctype);
    }
}

/// `addr v1 as body [v2] .pos [v3 * 8] [v4 by v5] + -16`: what follows from the C types (strides, the record and the offset of
/// a member) is left out.
impl Attribute for AddrAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        let mut operands = operands.iter();
        out.push(" ");
        out.value(operands.next());
        out.push(" as ");
        out.ctype(self.pointee);
        let mut path = Path::new(&out.module.types, self.pointee);
        for step in &self.steps {
            match *step {
                Step::Index { stride } => {
                    out.push(" [");
                    out.value(operands.next());
                    if path.stride() != Some(stride) {
                        out.word(format_args!("* {stride}"));
                    }
                    out.push("]");
                }
                Step::IndexDyn => {
                    out.push(" [");
                    out.value(operands.next());
                    out.push(" by ");
                    out.value(operands.next());
                    out.push("]");
                }
                Step::Field {
                    record,
                    field,
                    offset,
                } => {
                    out.push(" .");
                    if path.record() != Some(record) {
                        out.push("(");
                        out.record(record);
                        out.push(")");
                    }
                    out.member(record, field);
                    if field_offset(&out.module.types, record, field) != Some(offset) {
                        out.push(&format!("@{offset}"));
                    }
                }
                Step::Bytes(n) => out.word(format_args!("+ {n}")),
            }
            path.step(step);
        }
        out.operands(operands.as_slice());
    }

    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        operands.push(input.value()?);
        input.expect_word("as")?;
        let pointee = input.ctype()?;
        let mut steps = Vec::new();
        // The path borrows the types, which the input owns: only its state is kept between steps.
        let mut at = Some(pointee);
        let mut first = true;
        loop {
            let mut path = Path::at(&input.module.types, at, first);
            let (stride, record) = (path.stride(), path.record());
            let step = match input.peek() {
                Token::Mark(b'[') => parse_index(input, operands, stride)?,
                Token::Mark(b'.') => parse_field(input, record)?,
                Token::Mark(b'+') => {
                    input.take();
                    Step::Bytes(input.integer()?)
                }
                _ => break,
            };
            path = Path::at(&input.module.types, at, first);
            path.step(&step);
            at = path.at;
            first = false;
            steps.push(step);
        }
        input.operands(operands)?;
        Ok(AddrAttr { pointee, steps })
    }

    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.ctype(&mut self.pointee);
        for step in &mut self.steps {
            if let Step::Field { record, .. } = step {
                map.record(record);
            }
        }
    }
}

fn field_offset(types: &crate::ctype::CTypes, record: Record, field: u32) -> Option<u64> {
    let fields = types.records.get(record)?.fields.as_ref()?;
    Some(fields.get(field as usize)?.offset)
}

fn parse_index(
    input: &mut Reader<'_>,
    operands: &mut Vec<Value>,
    stride: Option<u64>,
) -> TextResult<Step> {
    input.mark(b'[')?;
    operands.push(input.value()?);
    let step = if input.accept_word("by") {
        operands.push(input.value()?);
        Step::IndexDyn
    } else if input.accept(b'*') {
        Step::Index {
            stride: input.unsigned()?,
        }
    } else {
        match stride {
            Some(stride) => Step::Index { stride },
            None => return input.error("a stride is needed: it does not follow from the C type"),
        }
    };
    input.mark(b']')?;
    Ok(step)
}

fn parse_field(input: &mut Reader<'_>, record: Option<Record>) -> TextResult<Step> {
    input.mark(b'.')?;
    let record = if input.accept(b'(') {
        let record = input.record()?;
        input.mark(b')')?;
        Some(record)
    } else {
        record
    };
    let Some(record) = record else {
        return input.error("not a struct or union: the record must be named");
    };
    let field = input.member(record)?;
    let offset = if input.accept(b'@') {
        Some(input.unsigned()?)
    } else {
        field_offset(&input.module.types, record, field)
    };
    match offset {
        Some(offset) => Ok(Step::Field {
            record,
            field,
            offset,
        }),
        None => input.error("an offset is needed: the record has no such member"),
    }
}

/// `ptrdiff 8 v1, v2`
impl Attribute for u64 {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.word(self);
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let n = input.unsigned()?;
        input.operands(operands)?;
        Ok(n)
    }
}

/// `load volatile v1`
impl Attribute for MemAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        if self.volatile {
            out.word("volatile");
        }
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let volatile = input.accept_word("volatile");
        input.operands(operands)?;
        Ok(MemAttr { volatile })
    }
}

/// `load_bits volatile struct s .flags 3:2 v1`
impl Attribute for BitsAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        if self.volatile {
            out.word("volatile");
        }
        out.push(" ");
        out.record(self.record);
        out.push(" .");
        out.member(self.record, self.field);
        out.word(format_args!("{}:{}", self.first, self.width));
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let volatile = input.accept_word("volatile");
        let record = input.record()?;
        input.mark(b'.')?;
        let field = input.member(record)?;
        let first = input.small()?;
        input.mark(b':')?;
        let width = input.small()?;
        input.operands(operands)?;
        Ok(BitsAttr {
            first,
            width,
            volatile,
            record,
            field,
        })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.record(&mut self.record);
    }
}

/// `copy 24 as struct s v1, v2`
impl Attribute for CopyAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.word(self.bytes);
        if let Some(t) = self.ctype {
            out.push(" as ");
            out.ctype(t);
        }
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let bytes = input.unsigned()?;
        let ctype = if input.accept_word("as") {
            Some(input.ctype()?)
        } else {
            None
        };
        input.operands(operands)?;
        Ok(CopyAttr { bytes, ctype })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        if let Some(t) = &mut self.ctype {
            map.ctype(t);
        }
    }
}

/// The arguments of a call: `(v1, v2: double)`, those beyond the prototype with their C types.
fn print_arguments(out: &mut Writer<'_>, arguments: &[Value], extra: &[CTy]) {
    let fixed = arguments.len().saturating_sub(extra.len());
    out.push("(");
    for k in 0..arguments.len().max(extra.len()) {
        out.push(if k > 0 { ", " } else { "" });
        out.value(arguments.get(k));
        if k >= fixed {
            out.push(": ");
            out.ctype(extra[k - fixed]);
        }
    }
    out.push(")");
}

fn parse_arguments(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Vec<CTy>> {
    let mut extra = Vec::new();
    input.mark(b'(')?;
    while *input.peek() != Token::Mark(b')') {
        operands.push(input.value()?);
        if input.accept(b':') {
            extra.push(input.ctype()?);
        } else if !extra.is_empty() {
            return input.error("this argument needs a C type, as the one before it");
        }
        if !input.accept(b',') {
            break;
        }
    }
    input.mark(b')')?;
    Ok(extra)
}

/// `call @printf(v1, v2: double)`
impl Attribute for CallAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.func(self.func);
        print_arguments(out, operands, &self.extra);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let func = input.func()?;
        Ok(CallAttr {
            func,
            extra: parse_arguments(input, operands)?,
        })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.func(&mut self.func);
        self.extra.iter_mut().for_each(|t| map.ctype(t));
    }
}

/// `call_indirect v0 (v1, v2: double) as (int, ...) -> int`
impl Attribute for IndirectAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.value(operands.first());
        out.push(" ");
        print_arguments(out, operands.get(1..).unwrap_or(&[]), &self.extra);
        out.push(" as ");
        out.ctype(self.ctype);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        operands.push(input.value()?);
        let extra = parse_arguments(input, operands)?;
        input.expect_word("as")?;
        Ok(IndirectAttr {
            ctype: input.ctype()?,
            extra,
        })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.ctype(&mut self.ctype);
        self.extra.iter_mut().for_each(|t| map.ctype(t));
    }
}

/// `mpi @MPI_Barrier(v1)`
impl Attribute for MpiAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.func(self.func);
        print_arguments(out, operands, &[]);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let func = input.func()?;
        if !parse_arguments(input, operands)?.is_empty() {
            return input.error("an MPI call has no extra arguments");
        }
        Ok(MpiAttr { func })
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.func(&mut self.func);
    }
}

/// `va_arg double v1`
impl Attribute for CTy {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.ctype(*self);
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let t = input.ctype()?;
        input.operands(operands)?;
        Ok(t)
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.ctype(self);
    }
}

impl Words for Pred {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Pred::Lt, "lt"),
        (Pred::Le, "le"),
        (Pred::Gt, "gt"),
        (Pred::Ge, "ge"),
        (Pred::Ne, "ne"),
    ];
}

/// `for v0 lt v1 step v2 with v3, v4`
impl Attribute for ForAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        let mut operands = operands.iter();
        out.push(" ");
        out.value(operands.next());
        out.word(self.pred.word());
        out.push(" ");
        out.value(operands.next());
        out.word("step ");
        out.value(operands.next());
        if self.independent {
            out.word("independent");
        }
        if self.in_turn {
            out.word("in_turn");
        }
        if self.on_demand {
            out.word("on_demand");
        }
        print_carried(out, operands.as_slice());
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        operands.push(input.value()?);
        let pred = *input.choice::<Pred>("a comparison")?;
        operands.push(input.value()?);
        input.expect_word("step")?;
        operands.push(input.value()?);
        let independent = input.accept_word("independent");
        let in_turn = input.accept_word("in_turn");
        let on_demand = input.accept_word("on_demand");
        parse_carried(input, operands)?;
        Ok(ForAttr {
            pred,
            independent,
            in_turn,
            on_demand,
        })
    }
}

fn print_carried(out: &mut Writer<'_>, carried: &[Value]) {
    if !carried.is_empty() {
        out.word("with");
        out.operands(carried);
    }
}

fn parse_carried(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<()> {
    if input.accept_word("with") {
        input.operands(operands)
    } else {
        Ok(())
    }
}

/// `switch v0 with v1, v2`; the cases come before their regions.
impl Attribute for SwitchAttr {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.value(operands.first());
        print_carried(out, operands.get(1..).unwrap_or(&[]));
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        operands.push(input.value()?);
        parse_carried(input, operands)?;
        Ok(SwitchAttr { cases: Vec::new() })
    }
}

/// `break ^L0 v1, v2`
impl Attribute for Inst {
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]) {
        out.push(" ");
        out.label(*self);
        out.operands(operands);
    }
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self> {
        let target = input.label()?;
        input.operands(operands)?;
        Ok(target)
    }
    fn map_ids(&mut self, map: &mut dyn IdMap) {
        map.inst(self);
    }
}
