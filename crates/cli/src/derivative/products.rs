//! The public functions of `grad`, `vjp`, `jvp` and `hvp`: one call of the derivative each.

use super::public::{Public, What};
use super::request::{Passage, Writer, by_value, list};
use super::roles::Role;
use super::target::Returns;

impl Writer<'_> {
    /// An argument of the derivative: the parameter, or its address.
    pub fn own(&self, k: usize) -> String {
        let name = &self.target.params[k].name;
        if self.by_address(k) {
            format!("&{name}")
        } else {
            name.clone()
        }
    }

    /// The parameters of the function itself.
    pub fn own_parameters(&self, public: &mut Public) {
        for k in 0..self.target.params.len() {
            let p = &self.target.params[k];
            public.add(
                self.parameter(k),
                &p.name,
                What::of(p, self.roles.params[k]),
            );
        }
    }

    /// `grad`: the adjoints of the inputs, the seed being 1.
    pub fn grad(&mut self, name: &str) -> Public {
        let wish = self.ask_reverse(1);
        let scalar = self.roles.scalar_output();
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let mut before = String::new();
        let mut args = Vec::new();
        for k in 0..self.target.params.len() {
            args.push(self.own(k));
            if !self.roles.params[k].active() {
                continue;
            }
            let bar = self.shadows[k].bar.clone();
            if Some(k) == scalar {
                let element = self.target.params[k]
                    .number
                    .unwrap_or(self.target.params[k].ctype);
                let declared = self.target.declare(element, &bar);
                before = format!("    {declared} = 1;\n");
                args.push(format!("&{bar}"));
            } else {
                self.bar_parameter(&mut public, k);
                args.push(bar);
            }
        }
        let passage = self.passage("1", false);
        args.extend(passage.args.clone());
        let call = format!("{}({})", wish.declared, args.join(", "));
        self.finish_scalar(public, &before, &call, &passage)
    }

    /// Adds the adjoint of an active parameter.
    fn bar_parameter(&mut self, public: &mut Public, k: usize) {
        let p = self.target.params[k].clone();
        let shadow = if by_value(&p) {
            self.target.pointer(p.ctype)
        } else {
            p.shadow
        };
        let bar = self.shadows[k].bar.clone();
        let what = What::adjoint(&p, self.roles.params[k]);
        public.add(self.target.declare(shadow, &bar), &bar, what);
    }

    /// Ends a function whose result is the primal's: the value, or what its one output holds.
    fn finish_scalar(
        &mut self,
        mut public: Public,
        before: &str,
        call: &str,
        passage: &Passage,
    ) -> Public {
        let ret = self.return_type();
        let (head, body) = match (self.target.returns, self.roles.scalar_output()) {
            (Returns::Void, Some(k)) => {
                let p = &self.target.params[k];
                let element = p.number.unwrap_or(p.ctype);
                (
                    self.target.declare(element, ""),
                    format!("    {call};\n    return *{};\n", p.name),
                )
            }
            (Returns::Void, None) => ("void".to_string(), format!("    {call};\n")),
            _ if passage.value.is_some() => (
                self.target.declare(ret, ""),
                format!("    {call};\n    return {};\n", self.value),
            ),
            _ => (
                self.target.declare(ret, ""),
                format!("    return {call};\n"),
            ),
        };
        public.returns = head;
        public.returns_value = true;
        self.define(&public, &format!("{before}{}{body}", passage.before));
        public
    }

    /// Writes the definition of a public function.
    pub fn define(&mut self, public: &Public, body: &str) {
        let params: Vec<String> = public
            .params
            .iter()
            .map(|p| p.declaration.clone())
            .collect();
        self.text.push_str(&format!(
            "{} {}({})\n{{\n{body}}}\n",
            public.returns,
            public.name,
            list(&params)
        ));
    }

    /// The function itself under another name.
    pub fn primal(&mut self, name: &str) -> Public {
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let ret = self.return_type();
        public.returns = self.target.declare(ret, "");
        public.returns_value = self.target.returns != Returns::Void;
        let call = self.primal_call(|k| self.target.params[k].name.clone());
        let word = if public.returns_value { "return " } else { "" };
        self.define(&public, &format!("    {word}{call};\n"));
        public
    }

    /// `vjp`: seeds in, adjoints out.
    pub fn vjp(&mut self, name: &str) -> Public {
        let wish = self.ask_reverse(1);
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let mut args = Vec::new();
        for k in 0..self.target.params.len() {
            args.push(self.own(k));
            if self.roles.params[k].active() {
                self.bar_parameter(&mut public, k);
                args.push(self.shadows[k].bar.clone());
            }
        }
        let ret = self.return_type();
        let seed = self.result.bar.clone();
        let head = self.target.declare(ret, "");
        let mut from = seed.clone();
        if let Some(t) = self.active_result() {
            if let Returns::Record(_) = self.target.returns {
                let pointer = self.target.const_pointer(t);
                public.add(self.target.declare(pointer, &seed), &seed, What::SeedAt);
                from = format!("*{seed}");
            } else {
                public.add(self.target.declare(t, &seed), &seed, What::Seed);
            }
        }
        let passage = self.passage(&from, false);
        args.extend(passage.args.clone());
        let body = match &passage.value {
            Some(value) => format!(
                "{}    {}({});\n    return {value};\n",
                passage.before,
                wish.declared,
                args.join(", ")
            ),
            None if self.target.returns == Returns::Void => {
                format!("    {}({});\n", wish.declared, args.join(", "))
            }
            None => format!("    return {}({});\n", wish.declared, args.join(", ")),
        };
        public.returns = head;
        public.returns_value = self.target.returns != Returns::Void;
        self.define(&public, &body);
        public
    }

    /// `jvp`: tangents in, tangents out, `width` at once.
    pub fn jvp(&mut self, name: &str, width: u32) -> Public {
        let wish = self.ask_forward(width);
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let mut args = Vec::new();
        for k in 0..self.target.params.len() {
            args.push(self.own(k));
            if self.roles.params[k].active() {
                self.dot_parameter(&mut public, k, width);
                let dot = self.shadows[k].dot.clone();
                let address = if by_value(&self.target.params[k]) {
                    "&"
                } else {
                    ""
                };
                // The derivative only reads what it does not write.
                let plain = self.plain_shadow(k);
                for i in 0..width {
                    args.push(if width == 1 {
                        format!("({plain}){address}{dot}")
                    } else {
                        format!("({plain}){address}{dot}[{i}]")
                    });
                }
            }
        }
        let value = self.value.clone();
        let ret = self.return_type();
        let head = self.target.declare(ret, "");
        let body = match self.active_result() {
            Some(t) => {
                let dot = self.result.dot.clone();
                let declared = if width == 1 {
                    let pointer = self.target.pointer(t);
                    self.target.declare(pointer, &dot)
                } else {
                    self.target.declare(t, &format!("{dot}[{width}]"))
                };
                public.add(declared, &dot, What::ResultTangent(width));
                args.push(format!("&{value}"));
                for i in 0..width {
                    args.push(if width == 1 {
                        dot.clone()
                    } else {
                        format!("&{dot}[{i}]")
                    });
                }
                format!(
                    "    {};\n    {}({});\n    return {value};\n",
                    self.target.declare(t, &value),
                    wish.declared,
                    args.join(", ")
                )
            }
            None if self.target.returns == Returns::Void => {
                format!("    {}({});\n", wish.declared, args.join(", "))
            }
            None => format!("    return {}({});\n", wish.declared, args.join(", ")),
        };
        public.returns = head;
        public.returns_value = self.target.returns != Returns::Void;
        self.define(&public, &body);
        public
    }

    fn plain_shadow(&mut self, k: usize) -> String {
        let p = self.target.params[k].clone();
        let t = if by_value(&p) {
            self.target.pointer(p.ctype)
        } else {
            p.shadow
        };
        self.target.declare(t, "")
    }

    /// Adds the tangent of an active parameter.
    fn dot_parameter(&mut self, public: &mut Public, k: usize, width: u32) {
        let p = self.target.params[k].clone();
        let role = self.roles.params[k];
        let dot = self.shadows[k].dot.clone();
        let reads_only = role == Role::Input && !p.access.written;
        let t = match (by_value(&p), reads_only) {
            (true, _) => p.ctype,
            (false, true) => {
                let pointee = self.target.types.pointee(p.shadow).unwrap_or(p.shadow);
                self.target.const_pointer(pointee)
            }
            (false, false) => p.shadow,
        };
        let declared = match (width, by_value(&p)) {
            (1, _) => self.target.declare(t, &dot),
            (_, true) => format!(
                "const {}",
                self.target.declare(t, &format!("{dot}[{width}]"))
            ),
            (_, false) => self.target.declare(t, &format!("const {dot}[{width}]")),
        };
        public.add(declared, &dot, What::tangent(&p, role, width));
    }

    /// `hvp`: the tangents of the adjoints.
    pub fn hvp(&mut self, name: &str) -> Public {
        let wish = self.ask_forward_over_reverse(1);
        let scalar = self.roles.scalar_output();
        let mut public = Public::new(name);
        self.own_parameters(&mut public);
        let active: Vec<usize> = (0..self.target.params.len())
            .filter(|&k| self.roles.params[k].active() && Some(k) != scalar)
            .collect();
        for &k in &active {
            self.dot_parameter(&mut public, k, 1);
        }
        for &k in &active {
            self.bar_parameter(&mut public, k);
        }
        for &k in &active {
            let p = self.target.params[k].clone();
            let shadow = if by_value(&p) {
                self.target.pointer(p.ctype)
            } else {
                p.shadow
            };
            let bar_dot = self.shadows[k].bar_dot.clone();
            let what = What::second(&p, self.roles.params[k]);
            public.add(self.target.declare(shadow, &bar_dot), &bar_dot, what);
        }
        let mut before = String::new();
        let mut args = Vec::new();
        for k in 0..self.target.params.len() {
            args.push(self.own(k));
            if !self.roles.params[k].active() {
                continue;
            }
            let s = self.shadows[k].clone();
            if Some(k) == scalar {
                let p = &self.target.params[k];
                let element = p.number.unwrap_or(p.ctype);
                for (name, start) in [(&s.dot, 0), (&s.bar, 1), (&s.bar_dot, 0)] {
                    let declared = self.target.declare(element, name);
                    before.push_str(&format!("    {declared} = {start};\n"));
                    args.push(format!("&{name}"));
                }
            } else {
                let plain = self.plain_shadow(k);
                let address = if by_value(&self.target.params[k]) {
                    "&"
                } else {
                    ""
                };
                args.push(format!("({plain}){address}{}", s.dot));
                args.extend([s.bar, s.bar_dot]);
            }
        }
        let passage = self.passage("1", true);
        args.extend(passage.args.clone());
        let call = format!("{}({})", wish.declared, args.join(", "));
        self.finish_scalar(public, &before, &call, &passage)
    }
}
