//! Patterns of rules: read from text, matched against instructions, and made into instructions.

use crate::edit;
use adjoin_ir::{Body, Const, Inst, Op, Span, Type, Value};

/// A side of a rule.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// A value, by its letter.
    Value(char),
    /// A constant, by its letter.
    Constant(char),
    /// A number.
    Number(f64),
    /// Its negative.
    Neg(Box<Pattern>),
    /// `+`, `-`, `*` or `/` of two.
    Binary(char, Box<Pattern>, Box<Pattern>),
}

/// What the letters of a pattern stand for.
#[derive(Clone, Default, Debug)]
pub struct Bound {
    values: Vec<(char, Value)>,
    constants: Vec<(char, f64)>,
    /// The instructions inside that a match went through.
    pub through: Vec<Inst>,
}

/// Reads a pattern. Rules are ours: one that cannot be read is `None`, and a test.
pub fn parse(text: &str) -> Option<Pattern> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut at = 0;
    let pattern = sum(&letters, &mut at)?;
    (at == letters.len()).then_some(pattern)
}

fn sum(text: &[char], at: &mut usize) -> Option<Pattern> {
    chain(text, at, ['+', '-'], product)
}

fn product(text: &[char], at: &mut usize) -> Option<Pattern> {
    chain(text, at, ['*', '/'], unary)
}

fn chain(
    text: &[char],
    at: &mut usize,
    operators: [char; 2],
    next: fn(&[char], &mut usize) -> Option<Pattern>,
) -> Option<Pattern> {
    let mut left = next(text, at)?;
    while let Some(&op) = text.get(*at).filter(|c| operators.contains(c)) {
        *at += 1;
        left = Pattern::Binary(op, Box::new(left), Box::new(next(text, at)?));
    }
    Some(left)
}

fn unary(text: &[char], at: &mut usize) -> Option<Pattern> {
    let &c = text.get(*at)?;
    *at += 1;
    Some(match c {
        '-' => match unary(text, at)? {
            Pattern::Number(x) => Pattern::Number(-x),
            other => Pattern::Neg(Box::new(other)),
        },
        '(' => {
            let inner = sum(text, at)?;
            (text.get(*at) == Some(&')')).then_some(())?;
            *at += 1;
            inner
        }
        '0'..='9' => Pattern::Number(f64::from(c.to_digit(10)?)),
        'c' | 'd' => Pattern::Constant(c),
        'x' | 'y' => Pattern::Value(c),
        _ => return None,
    })
}

/// The floating-point constant that a value is.
pub fn constant(body: &Body, v: Value) -> Option<f64> {
    match &body.insts[body.def_inst(v)?].op {
        // What has a text of its own has more digits than a double.
        Op::Const(Const::Float { bits, text: None }) => Some(f64::from_bits(*bits)),
        _ => None,
    }
}

fn operator(op: &Op) -> Option<char> {
    Some(match op {
        Op::Add => '+',
        Op::Sub => '-',
        Op::Mul => '*',
        Op::Div => '/',
        _ => return None,
    })
}

impl Bound {
    /// Does an instruction look like a pattern? `inside` says of inner instructions whether they may be taken apart.
    pub fn matches(
        body: &Body,
        pattern: &Pattern,
        inst: Inst,
        inside: &dyn Fn(Inst) -> bool,
    ) -> Option<Bound> {
        let mut found = None;
        let mut accept = |bound: &Bound| {
            found = Some(bound.clone());
            true
        };
        let matcher = Matcher { body, inside };
        matcher.inst(pattern, inst, &Bound::default(), &mut accept);
        found
    }

    fn value(&self, letter: char) -> Option<Value> {
        let found = self.values.iter().find(|(c, _)| *c == letter);
        found.map(|&(_, v)| v)
    }

    fn number(&self, letter: char) -> Option<f64> {
        let found = self.constants.iter().find(|(c, _)| *c == letter);
        found.map(|&(_, x)| x)
    }

    /// The value of a pattern of constants, rounded as its type is.
    fn folded(&self, pattern: &Pattern, ty: Type) -> Option<f64> {
        let exact = match pattern {
            Pattern::Value(_) => return None,
            Pattern::Constant(c) => self.number(*c)?,
            Pattern::Number(x) => *x,
            Pattern::Neg(a) => -self.folded(a, ty)?,
            Pattern::Binary(op, a, b) => {
                let (a, b) = (self.folded(a, ty)?, self.folded(b, ty)?);
                evaluate(*op, a, b)
            }
        };
        Some(match ty {
            Type::F32 => f64::from(exact as f32),
            _ => exact,
        })
    }

    /// Are the constants of a result of moderate size, so that nothing overflows that did not before?
    pub fn is_moderate(&self, pattern: &Pattern, ty: Type) -> bool {
        if let (Pattern::Binary(..), Some(x)) = (pattern, self.folded(pattern, ty)) {
            let (least, most) = match ty {
                Type::F32 => (1e-6, 1e6),
                _ => (1e-60, 1e60),
            };
            return x == 0.0 || (least..most).contains(&x.abs());
        }
        match pattern {
            Pattern::Neg(a) => self.is_moderate(a, ty),
            Pattern::Binary(_, a, b) => self.is_moderate(a, ty) && self.is_moderate(b, ty),
            _ => true,
        }
    }

    /// Makes the instructions of a pattern in front of one, all but the last: what it is to become.
    pub fn build(&self, body: &mut Body, before: Inst, pattern: &Pattern, ty: Type) -> Option<New> {
        if let Some(x) = self.folded(pattern, ty) {
            return Some(New::Inst(Op::Const(Const::float(x)), Vec::new()));
        }
        Some(match pattern {
            Pattern::Value(c) => New::Value(self.value(*c)?),
            Pattern::Neg(a) => New::Inst(Op::Neg, vec![self.operand(body, before, a, ty)?]),
            Pattern::Binary(op, a, b) => {
                let a = self.operand(body, before, a, ty)?;
                let b = self.operand(body, before, b, ty)?;
                let op = match op {
                    '+' => Op::Add,
                    '-' => Op::Sub,
                    '*' => Op::Mul,
                    _ => Op::Div,
                };
                New::Inst(op, vec![a, b])
            }
            Pattern::Constant(_) | Pattern::Number(_) => return None,
        })
    }

    fn operand(&self, body: &mut Body, before: Inst, p: &Pattern, ty: Type) -> Option<Value> {
        match self.build(body, before, p, ty)? {
            New::Value(v) => Some(v),
            New::Inst(op, args) => {
                let region = body.insts[before].parent;
                let span: Span = body.insts[before].span;
                let at = edit::position(body, before);
                let inst = body.make(region, op, args, span);
                let v = body.add_result(inst, ty);
                body.regions[region].insts.insert(at, inst);
                Some(v)
            }
        }
    }
}

/// What an instruction becomes.
#[derive(Clone, PartialEq, Debug)]
pub enum New {
    /// Its result is this value.
    Value(Value),
    /// It is this operation.
    Inst(Op, Vec<Value>),
}

fn evaluate(op: char, a: f64, b: f64) -> f64 {
    match op {
        '+' => a + b,
        '-' => a - b,
        '*' => a * b,
        _ => a / b,
    }
}

struct Matcher<'a> {
    body: &'a Body,
    inside: &'a dyn Fn(Inst) -> bool,
}

impl Matcher<'_> {
    /// Tries all ways to match, and hands each to `accept` until it is content.
    fn inst(
        &self,
        pattern: &Pattern,
        inst: Inst,
        bound: &Bound,
        accept: &mut dyn FnMut(&Bound) -> bool,
    ) -> bool {
        let data = &self.body.insts[inst];
        match pattern {
            Pattern::Neg(a) if matches!(data.op, Op::Neg) => {
                self.value(a, data.args[0], bound, accept)
            }
            Pattern::Binary(op, a, b) if operator(&data.op) == Some(*op) => {
                let (x, y) = (data.args[0], data.args[1]);
                let mut both = |x: Value, y: Value| {
                    let mut rest = |bound: &Bound| self.value(b, y, bound, accept);
                    self.value(a, x, bound, &mut rest)
                };
                both(x, y) || (matches!(op, '+' | '*') && both(y, x))
            }
            _ => false,
        }
    }

    fn value(
        &self,
        pattern: &Pattern,
        v: Value,
        bound: &Bound,
        accept: &mut dyn FnMut(&Bound) -> bool,
    ) -> bool {
        match pattern {
            Pattern::Number(x) => constant(self.body, v) == Some(*x) && accept(bound),
            Pattern::Constant(c) => {
                let Some(x) = constant(self.body, v) else {
                    return false;
                };
                match bound.number(*c) {
                    Some(old) => old == x && accept(bound),
                    None => {
                        let mut more = bound.clone();
                        more.constants.push((*c, x));
                        accept(&more)
                    }
                }
            }
            Pattern::Value(c) => match bound.value(*c) {
                Some(old) => old == v && accept(bound),
                // Constants have rules of their own.
                None if constant(self.body, v).is_some() => false,
                None => {
                    let mut more = bound.clone();
                    more.values.push((*c, v));
                    accept(&more)
                }
            },
            Pattern::Neg(_) | Pattern::Binary(..) => {
                let Some(inst) = self.body.def_inst(v).filter(|&i| (self.inside)(i)) else {
                    return false;
                };
                let mut more = bound.clone();
                more.through.push(inst);
                self.inst(pattern, inst, &more, accept)
            }
        }
    }
}
