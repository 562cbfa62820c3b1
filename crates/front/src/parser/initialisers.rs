//! Initialisers: expressions and braced lists with designators, as written. Semantic analysis flattens them.

use super::{Parser, Result};
use crate::ast::Span;
use crate::sema::{Designator, ParsedInit};
use crate::token::T;

impl Parser<'_> {
    pub(super) fn initialiser(&mut self) -> Result<ParsedInit> {
        if self.at(T::LBrace) {
            return self.braced_initialiser();
        }
        Ok(ParsedInit::Expr(self.assignment()?))
    }

    /// `{ … }`
    pub(super) fn braced_initialiser(&mut self) -> Result<ParsedInit> {
        self.enter()?;
        let open = self.advance().span;
        let mut items = Vec::new();
        while !matches!(self.kind(), T::RBrace | T::Eof) {
            let designators = self.designators()?;
            let item = self.initialiser()?;
            items.push((designators, item));
            if !self.accept(T::Comma) {
                break;
            }
        }
        let close = self.expect_close(T::RBrace, open)?;
        self.leave();
        Ok(ParsedInit::List(items, open.to(close)))
    }

    fn designators(&mut self) -> Result<Vec<Designator>> {
        let mut designators = Vec::new();
        // The old GNU form `name: value`.
        if self.at(T::Ident) && self.ahead(1).kind == T::Colon {
            let token = self.advance();
            self.advance();
            designators.push(Designator::Field(
                self.name(token.symbol).into_owned(),
                token.span,
            ));
            return Ok(designators);
        }
        loop {
            match self.kind() {
                T::Dot => {
                    let dot = self.advance().span;
                    let token = self.identifier()?;
                    designators.push(Designator::Field(
                        self.name(token.symbol).into_owned(),
                        dot.to(token.span),
                    ));
                }
                T::LBracket => {
                    let open = self.advance().span;
                    let low = self.designator_index()?;
                    let high = if self.accept(T::Ellipsis) {
                        self.designator_index()?
                    } else {
                        low
                    };
                    let span = open.to(self.expect_close(T::RBracket, open)?);
                    if high < low {
                        self.error(span, "the range of the designator is empty");
                    }
                    designators.push(Designator::Index(low, high.max(low), span));
                }
                _ => break,
            }
        }
        // `[3] value` without `=` is old GNU style.
        if !designators.is_empty()
            && !self.accept(T::Assign)
            && !matches!(designators.last(), Some(Designator::Index(..)))
        {
            return Err(self.expected("'='"));
        }
        Ok(designators)
    }

    fn designator_index(&mut self) -> Result<u64> {
        let value = self.conditional()?;
        let span: Span = value.span;
        match self.sema.const_int(&value) {
            Some(n) if (0..=i64::MAX as i128).contains(&n) => Ok(n as u64),
            Some(_) => {
                self.error(span, "the array index of a designator is out of range");
                Ok(0)
            }
            None => {
                if !self.sema.is_error(&value) {
                    self.error(
                        span,
                        "the array index of a designator is not an integer constant",
                    );
                }
                Ok(0)
            }
        }
    }
}
