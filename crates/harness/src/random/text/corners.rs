//! Corners of random programs: loops that count without a sign or not at all, values that make no sense where nobody uses them, work that is forgotten, buffers that go round and that grow. As
//! everywhere, numbers stay bounded, where they are used.

use super::{SIZE, Scope, Writer};

impl Writer {
    /// One of them.
    pub(super) fn corner(&mut self, scope: &Scope) {
        match self.below(6) {
            0 | 1 => self.unsigned(scope),
            2 => self.sometimes(scope),
            3 if scope.loops < 2 => self.forgotten(scope),
            4 => self.ring(scope),
            _ if scope.loops < 2 => self.grown(scope),
            _ => self.next_time(scope),
        }
    }

    fn unsigned(&mut self, scope: &Scope) {
        let i = self.name("i");
        let head = match self.below(6) {
            0 => format!("for (unsigned {i} = (unsigned)n; {i}-- > 0;) {{"),
            1 => format!("for (size_t {i} = 0; {i} + 1 < (size_t)n; {i}++) {{"),
            2 => format!("for (unsigned char {i} = 1; {i} <= n; {i} += 2) {{"),
            3 => format!("for (unsigned {i} = (unsigned)n - 1; {i} < (unsigned)n; {i}--) {{"),
            4 => format!(
                "for (unsigned {i} = (unsigned)n; {i} < {}; {i}++) {{",
                SIZE - 2
            ),
            _ => format!("for (size_t {i} = (size_t)n; {i} >= 2; {i} -= 2) {{"),
        };
        self.line(&head);
        let mut inner = scope.clone();
        inner.integers.push(i);
        inner.loops += 1;
        let n = 1 + self.below(3);
        self.block(&inner, n);
        self.line("}");
    }

    /// A quotient, a logarithm or a root that is infinite or no number, unless a condition holds; it is used where it does.
    fn sometimes(&mut self, scope: &Scope) {
        let (fits, d, q) = (self.name("fits"), self.name("d"), self.name("q"));
        let condition = self.condition(scope);
        let (a, b) = (self.atom(scope), self.atom(scope));
        let value = match self.below(4) {
            0 => format!("log({d})"),
            1 => format!("sqrt({d} - 1.0 + 1e-3) * {a}"),
            _ => format!("{a} / {d}"),
        };
        self.line(&format!("int {fits} = {condition};"));
        self.line(&format!(
            "double {d} = {fits} ? 1.0 + {b} * {b} : NONE({b});"
        ));
        self.line(&format!("double {q} = {value};"));
        let place = self.place(scope);
        let text = match self.below(5) {
            0 => format!("if ({fits}) {place} = 0.5 * sin({q});"),
            1 => format!("for (int i = 0; i < {fits}; i++) {place} += 0.1 * sin({q});"),
            2 => format!(
                "switch ({fits}) {{ case 1: {place} = 0.6 * sin({q}); break; default: {place} *= 0.5; }}"
            ),
            3 => format!("for (int i = 0; {fits} && i < 2; i++) {place} += 0.1 * sin({q});"),
            _ => format!("{place} = {fits} ? sin({q}) : 0.5 * {place};"),
        };
        self.line(&text);
    }

    /// What an iteration computes for the next one, which the last one has not.
    fn next_time(&mut self, scope: &Scope) {
        let r = self.name("r");
        let (a, b) = (self.atom(scope), self.atom(scope));
        let place = self.place(scope);
        let trips = 1 + self.below(4);
        self.line(&format!("double {r} = 0.5;"));
        self.line(&format!("for (int i = 0; i < {trips}; i++) {{"));
        self.line(&format!("    {place} += 0.1 * {r};"));
        let last = trips - 1;
        self.line(&format!(
            "    {r} = sin({a}) / (i < {last} ? 1.0 + {b} * {b} : NONE({b}));"
        ));
        self.line("}");
    }

    /// Numbers that overflow when nothing reads them any more.
    fn forgotten(&mut self, scope: &Scope) {
        let h = self.name("h");
        let value = self.expression(scope, 1);
        let (place, index) = (self.place(scope), self.index(scope));
        let heap = self.chance(50);
        self.line("{");
        self.depth += 1;
        match heap {
            true => self.line(&format!("double *{h} = malloc({SIZE} * sizeof *{h});")),
            false => self.line(&format!("double {h}[{SIZE}];")),
        }
        self.line(&format!("for (int i = 0; i < {SIZE}; i++)"));
        self.line(&format!("    {h}[i] = sin({value}) * (i + 1) / {SIZE};"));
        self.line(&format!("{place} = 0.5 * {place} + 0.2 * {h}[{index}];"));
        self.line(&format!("for (int i = 0; i < {SIZE}; i++)"));
        self.line(&format!("    {h}[i] = exp(MUCH + {h}[i]) * {h}[i];"));
        if heap {
            self.line(&format!("free({h});"));
        }
        self.depth -= 1;
        self.line("}");
    }

    fn ring(&mut self, scope: &Scope) {
        let (r, h) = (self.name("ring"), self.name("h"));
        let (a, b) = (self.atom(scope), self.atom(scope));
        let place = self.place(scope);
        let ahead = 1 + self.below(3);
        self.line(&format!("double {r}[4] = {{ {a}, {b} }};"));
        self.line(&format!("int {h} = 0;"));
        self.line(&format!("for (int i = 0; i < {SIZE} + 2; i++) {{"));
        self.line(&format!(
            "    {r}[{h}] = 0.5 * sin({r}[({h} + {ahead}) & 3]) + 0.3 * {b};"
        ));
        self.line(&format!("    {h} = ({h} + 1) & 3;"));
        self.line(&format!("    {place} = 0.8 * {place} + 0.2 * {r}[{h}];"));
        self.line("}");
    }

    /// A list that grows, and is sometimes cut.
    fn grown(&mut self, scope: &Scope) {
        let (g, k, room) = (self.name("g"), self.name("k"), self.name("room"));
        let a = self.atom(scope);
        let (place, condition) = (self.place(scope), self.condition(scope));
        self.line("{");
        self.depth += 1;
        self.line(&format!("double *{g} = NULL;"));
        self.line(&format!("int {k} = 0, {room} = 0;"));
        self.line(&format!("for (int i = 0; i < {SIZE} + 3; i++) {{"));
        self.line(&format!("    if ({k} == {room})"));
        self.line(&format!(
            "        {g} = realloc({g}, (size_t)({room} = 2 * {room} + 1) * sizeof *{g});"
        ));
        self.line(&format!(
            "    {g}[{k}] = 0.4 * sin({a} + i) + ({k} ? 0.5 * {g}[({k} - 1) / 2] : 0.1);"
        ));
        self.line(&format!("    {k}++;"));
        self.line(&format!("    if ({k} > 2 && {condition}) {k} -= 2;"));
        self.line("}");
        self.line(&format!("while ({k}-- > 0)"));
        self.line(&format!("    {place} = 0.7 * {place} + 0.2 * {g}[{k}];"));
        self.line(&format!("free({g});"));
        self.depth -= 1;
        self.line("}");
    }
}
