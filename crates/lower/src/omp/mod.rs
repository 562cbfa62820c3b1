//! OpenMP directives.

use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{Omp, Span};

impl<'a> FunctionLowerer<'_, 'a> {
    /// A directive.
    pub fn omp(&mut self, omp: &'a Omp, span: Span) -> Lower<()> {
        refuse(span, format!("'#pragma omp {}'", omp.directive))
    }
}
