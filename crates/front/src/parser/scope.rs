//! Scopes: what a name means here. Ordinary names and tags have a namespace each; both are stacks with a table that leads from
//! a name to its innermost entry, so that looking up and leaving a scope cost what they must.

use crate::ast::{FuncId, Span, VarId};
use crate::token::Symbol;
use adjoin_ir::ctype::{Basic, CTy, Enum, Record};

/// What an ordinary name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    Typedef(CTy),
    Var(VarId),
    Func(FuncId),
    /// An enumerator.
    Constant(i128, Basic),
    /// A parameter in a list that is being read: position in `Parser::parameters`.
    Parameter(u32),
    /// A declaration that could not be read: position in `Parser::broken`.
    Broken(u32),
}

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Record(Record),
    Enum(Enum),
}

/// A name in a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<B> {
    pub binding: B,
    pub symbol: Symbol,
    /// The scope's depth; 0 is the file.
    pub depth: u32,
    pub span: Span,
    shadowed: u32,
}

const NONE: u32 = u32::MAX;
/// The depth of what is around the file.
const OUTSIDE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Namespace<B> {
    entries: Vec<Entry<B>>,
    latest: Vec<u32>,
}

impl<B: Copy> Namespace<B> {
    fn new(names: usize) -> Self {
        Namespace {
            entries: Vec::new(),
            latest: vec![NONE; names],
        }
    }

    pub fn get(&self, symbol: Symbol) -> Option<&Entry<B>> {
        self.entries
            .get(*self.latest.get(symbol.0 as usize)? as usize)
    }

    fn bind(&mut self, symbol: Symbol, binding: B, depth: u32, span: Span) {
        let Some(latest) = self.latest.get_mut(symbol.0 as usize) else {
            return;
        };
        let shadowed = *latest;
        if let Some(entry) = self.entries.get_mut(shadowed as usize)
            && entry.depth == depth
        {
            (entry.binding, entry.span) = (binding, span);
            return;
        }
        *latest = self.entries.len() as u32;
        self.entries.push(Entry {
            binding,
            symbol,
            depth,
            span,
            shadowed,
        });
    }

    fn truncate(&mut self, length: usize) {
        while self.entries.len() > length {
            if let Some(entry) = self.entries.pop() {
                self.latest[entry.symbol.0 as usize] = entry.shadowed;
            }
        }
    }

    /// All entries, innermost last.
    pub fn entries(&self) -> &[Entry<B>] {
        &self.entries
    }
}

/// Both namespaces, and where each open scope starts in them.
#[derive(Debug)]
pub(crate) struct Scopes {
    pub ordinary: Namespace<Binding>,
    pub tags: Namespace<Tag>,
    marks: Vec<(usize, usize)>,
}

impl Scopes {
    pub fn new(names: usize) -> Self {
        Scopes {
            ordinary: Namespace::new(names),
            tags: Namespace::new(names),
            marks: Vec::new(),
        }
    }

    pub fn push(&mut self) {
        self.marks
            .push((self.ordinary.entries.len(), self.tags.entries.len()));
    }

    pub fn pop(&mut self) {
        if let Some((ordinary, tags)) = self.marks.pop() {
            self.ordinary.truncate(ordinary);
            self.tags.truncate(tags);
        }
    }

    /// 0 at file scope.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn bind(&mut self, symbol: Symbol, binding: Binding, span: Span) {
        self.ordinary.bind(symbol, binding, self.depth(), span);
    }

    /// A name that is known without a declaration, unless the program declares it.
    pub fn bind_outside(&mut self, symbol: Symbol, binding: Binding) {
        self.ordinary
            .bind(symbol, binding, OUTSIDE, Span::default());
    }

    pub fn bind_tag(&mut self, symbol: Symbol, tag: Tag, span: Span) {
        self.tags.bind(symbol, tag, self.depth(), span);
    }

    /// What the current scope holds.
    pub fn contents(&self) -> (&[Entry<Binding>], &[Entry<Tag>]) {
        let (ordinary, tags) = self.marks.last().copied().unwrap_or((0, 0));
        (
            &self.ordinary.entries[ordinary..],
            &self.tags.entries[tags..],
        )
    }

    /// The entry of a name in the current scope.
    pub fn here(&self, symbol: Symbol) -> Option<&Entry<Binding>> {
        self.ordinary
            .get(symbol)
            .filter(|e| e.depth == self.depth())
    }

    pub fn tag_here(&self, symbol: Symbol) -> Option<&Entry<Tag>> {
        self.tags.get(symbol).filter(|e| e.depth == self.depth())
    }
}
