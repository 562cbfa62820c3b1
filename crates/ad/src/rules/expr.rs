//! The little language of partials: an expression tree, its parser, an evaluator for tests, and what it needs.

/// A partial derivative as an expression in the parameters and the result.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A number with more digits than a double holds, as they are written.
    Constant(String),
    /// The n-th parameter.
    Param(usize),
    /// The function's own result.
    Result,
    /// Negation.
    Neg(Box<Expr>),
    /// Arithmetic or comparison.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`; the arm not chosen is not evaluated.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function of the math library, by its `double` name.
    Call(String, Vec<Expr>),
}

/// Operators of partials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Lt,
    Le,
    Gt,
    Ge,
    And,
}

impl BinOp {
    /// Is its result a truth value?
    pub fn is_condition(self) -> bool {
        !matches!(self, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div)
    }
}

impl Expr {
    /// Visits every node.
    pub fn visit(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Number(_) | Expr::Constant(_) | Expr::Param(_) | Expr::Result => {}
            Expr::Neg(a) => a.visit(f),
            Expr::Binary(_, a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Expr::Choose(c, a, b) => {
                c.visit(f);
                a.visit(f);
                b.visit(f);
            }
            Expr::Call(_, args) => args.iter().for_each(|a| a.visit(f)),
        }
    }

    /// Does it mention the n-th parameter?
    pub fn needs_param(&self, n: usize) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= *e == Expr::Param(n));
        found
    }

    /// Does it mention the result?
    pub fn needs_result(&self) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= *e == Expr::Result);
        found
    }

    /// Its value, with `call` to evaluate library functions (comparisons give 0 or 1).
    pub fn eval(&self, params: &[f64], result: f64, call: &dyn Fn(&str, &[f64]) -> f64) -> f64 {
        let go = |e: &Expr| e.eval(params, result, call);
        let truth = |b: bool| if b { 1.0 } else { 0.0 };
        match self {
            Expr::Number(x) => *x,
            Expr::Constant(digits) => digits.parse().unwrap_or(f64::NAN),
            Expr::Param(n) => params[*n],
            Expr::Result => result,
            Expr::Neg(a) => -go(a),
            Expr::Binary(op, a, b) => {
                let (a, b) = (go(a), go(b));
                match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a * b,
                    BinOp::Div => a / b,
                    BinOp::Eq => truth(a == b),
                    BinOp::Lt => truth(a < b),
                    BinOp::Le => truth(a <= b),
                    BinOp::Gt => truth(a > b),
                    BinOp::Ge => truth(a >= b),
                    BinOp::And => truth(a != 0.0 && b != 0.0),
                }
            }
            Expr::Choose(c, a, b) => go(if go(c) != 0.0 { a } else { b }),
            Expr::Call(name, args) => call(name, &args.iter().map(go).collect::<Vec<_>>()),
        }
    }
}

/// Parses a partial; `params` are the parameters' names.
pub fn parse(text: &str, params: &[String]) -> Result<Expr, String> {
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
        params,
    };
    let e = parser.choose()?;
    parser.skip();
    if parser.at < parser.text.len() {
        return Err(format!("unexpected text in '{text}' at {}", parser.at));
    }
    Ok(e)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    params: &'a [String],
}

impl Parser<'_> {
    fn skip(&mut self) {
        while self
            .text
            .get(self.at)
            .is_some_and(|c| c.is_ascii_whitespace())
        {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        let found = self.text[self.at..].starts_with(token.as_bytes());
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("expected '{token}' at {}", self.at))
        }
    }

    fn choose(&mut self) -> Result<Expr, String> {
        let mut c = self.compare()?;
        while self.eat("&") {
            c = Expr::Binary(BinOp::And, Box::new(c), Box::new(self.compare()?));
        }
        if !self.eat("?") {
            return Ok(c);
        }
        let a = self.choose()?;
        self.expect(":")?;
        let b = self.choose()?;
        Ok(Expr::Choose(Box::new(c), Box::new(a), Box::new(b)))
    }

    fn compare(&mut self) -> Result<Expr, String> {
        let a = self.sum()?;
        for (token, op) in [
            ("==", BinOp::Eq),
            ("<=", BinOp::Le),
            (">=", BinOp::Ge),
            ("<", BinOp::Lt),
            (">", BinOp::Gt),
        ] {
            if self.eat(token) {
                let b = self.sum()?;
                return Ok(Expr::Binary(op, Box::new(a), Box::new(b)));
            }
        }
        Ok(a)
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut a = self.product()?;
        loop {
            let op = if self.eat("+") {
                BinOp::Add
            } else if self.eat("-") {
                BinOp::Sub
            } else {
                return Ok(a);
            };
            a = Expr::Binary(op, Box::new(a), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, String> {
        let mut a = self.unary()?;
        loop {
            let op = if self.eat("*") {
                BinOp::Mul
            } else if self.eat("/") {
                BinOp::Div
            } else {
                return Ok(a);
            };
            a = Expr::Binary(op, Box::new(a), Box::new(self.unary()?));
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        if self.eat("-") {
            return Ok(match self.unary()? {
                Expr::Number(x) => Expr::Number(-x),
                Expr::Constant(digits) => Expr::Constant(format!("-{digits}")),
                e => Expr::Neg(Box::new(e)),
            });
        }
        if self.eat("(") {
            let e = self.choose()?;
            self.expect(")")?;
            return Ok(e);
        }
        self.skip();
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'.' || *c == b'_')
        {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at])
            .unwrap_or_default()
            .to_string();
        if word.is_empty() {
            return Err(format!("expected an expression at {start}"));
        }
        if word.as_bytes()[0].is_ascii_digit() {
            if word.len() > 18 {
                return Ok(Expr::Constant(word));
            }
            return word
                .parse()
                .map(Expr::Number)
                .map_err(|e| format!("{word}: {e}"));
        }
        if self.eat("(") {
            let mut args = vec![self.choose()?];
            while self.eat(",") {
                args.push(self.choose()?);
            }
            self.expect(")")?;
            return Ok(Expr::Call(word, args));
        }
        if word == "r" {
            return Ok(Expr::Result);
        }
        match self.params.iter().position(|p| *p == word) {
            Some(n) => Ok(Expr::Param(n)),
            None => Err(format!("unknown name '{word}'")),
        }
    }
}
