//! The calls between generated C text and the differentiator.
//!
//! A derivative is asked for through C text that is parsed behind the user's own: an *adapter* that takes everything active by pointer, a prototype
//! of its derivative, and the public function, which calls that prototype. After lowering, a [`Wish`] per prototype says what the
//! differentiator is to put in its place. So loops over directions, copies and seeds are written in C, not built by hand.

use super::names::Names;
use super::roles::Roles;
use super::target::{Holds, Param, Returns, Target};
use adjoin_ad::Activity;
use adjoin_ir::CTy;

/// What a derivative is taken of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A function of the text.
    Function(String),
    /// The derivative that an earlier prototype stands for.
    Made(String),
}

/// A prototype in the text, and the derivative to put in its place.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The prototype's name.
    pub declared: String,
    /// What is differentiated.
    pub subject: Subject,
    /// The function that all this is about.
    pub function: String,
    /// The name of the derivative, should it be seen.
    pub name: String,
    /// Reverse mode?
    pub reverse: bool,
    /// One per parameter of the subject.
    pub params: Vec<Activity>,
    /// The subject's result is active, and its seed the last argument (reverse mode).
    pub active_return: bool,
    /// The result is returned.
    pub primal_return: bool,
    /// How many directions.
    pub width: u32,
}

/// The names that belong to a parameter or to the result.
#[derive(Clone, Debug)]
pub struct Shadows {
    /// Its tangent.
    pub dot: String,
    /// Its adjoint.
    pub bar: String,
    /// The tangent of its adjoint.
    pub bar_dot: String,
}

/// Makes the text of one derivative.
#[derive(Debug)]
pub struct Writer<'a> {
    /// The function.
    pub target: Target,
    /// Who is what.
    pub roles: &'a Roles,
    /// Names of the file.
    pub names: &'a mut Names,
    /// Names of parameters and local variables.
    pub local: Names,
    /// Per parameter.
    pub shadows: Vec<Shadows>,
    /// The names of the addresses of numbers: the numbers themselves have the parameters'.
    at: Vec<String>,
    /// Of the result.
    pub result: Shadows,
    /// A local variable for the result.
    pub value: String,
    /// The text so far.
    pub text: String,
    /// The derivatives that it needs.
    pub wishes: Vec<Wish>,
    /// Functions of the text that only the tail calls.
    pub internal: Vec<String>,
    /// C text behind everything else, which does not become IR: directives for the compiler are kept as they are.
    pub tail: String,
}

impl<'a> Writer<'a> {
    /// A writer without text.
    pub fn new(target: &Target, roles: &'a Roles, names: &'a mut Names) -> Writer<'a> {
        let mut local = Names::default();
        for p in &target.params {
            local.take(&p.name);
        }
        local.take(&target.name);
        let mut shadows = |name: &str| Shadows {
            dot: local.fresh(&format!("{name}_dot")),
            bar: local.fresh(&format!("{name}_bar")),
            bar_dot: local.fresh(&format!("{name}_bar_dot")),
        };
        let per_param = target.params.iter().map(|p| shadows(&p.name)).collect();
        let result = shadows(&target.name);
        let value = local.fresh("value");
        let at = target.params.iter();
        let at = at.map(|p| local.fresh(&format!("{}_at", p.name))).collect();
        Writer {
            at,
            target: target.clone(),
            roles,
            names,
            local,
            shadows: per_param,
            result,
            value,
            text: String::new(),
            wishes: Vec::new(),
            internal: Vec::new(),
            tail: String::new(),
        }
    }

    /// The parameter is passed to adapters by its address.
    pub fn by_address(&self, k: usize) -> bool {
        self.roles.params[k].active() && by_value(&self.target.params[k])
    }

    /// The type of the result, where it is differentiated.
    pub fn active_result(&self) -> Option<CTy> {
        match self.target.returns {
            Returns::Number(t) | Returns::Record(t) if self.roles.result => Some(t),
            _ => None,
        }
    }

    /// What the function returns.
    pub fn return_type(&mut self) -> CTy {
        match self.target.returns {
            Returns::Void => self.target.types.void(),
            Returns::Number(t) | Returns::Record(t) | Returns::Passive(t) => t,
        }
    }

    /// A declaration of a parameter under its own name.
    pub fn parameter(&self, k: usize) -> String {
        let p = &self.target.params[k];
        self.target.declare(p.ctype, &p.name)
    }

    /// A call of the function with these names for its arguments.
    pub fn primal_call(&self, argument: impl Fn(usize) -> String) -> String {
        let args: Vec<String> = (0..self.target.params.len())
            .map(|k| {
                let text = argument(k);
                if self.target.params[k].flattened {
                    format!("(void *){text}")
                } else {
                    text
                }
            })
            .collect();
        format!("{}({})", self.target.name, args.join(", "))
    }

    /// The types of a parameter of an adapter: its own, and its shadow's.
    fn passed(&mut self, k: usize) -> (CTy, CTy) {
        let p = self.target.params[k].clone();
        if self.by_address(k) {
            (
                self.target.const_pointer(p.ctype),
                self.target.pointer(p.ctype),
            )
        } else {
            (p.ctype, p.shadow)
        }
    }

    /// Writes an adapter: active things come by address; the result goes to an address if `result_by_address`.
    fn adapter(&mut self, result_by_address: bool) -> String {
        let name = self
            .names
            .fresh(&format!("adjoin_{}_adapter", self.target.name));
        let mut params = Vec::new();
        for k in 0..self.target.params.len() {
            let (own, _) = self.passed(k);
            params.push(self.target.declare(own, &self.adapter_name(k)));
        }
        let call = self.primal_call(|k| {
            let name = self.adapter_name(k);
            if self.by_address(k) {
                format!("*{name}")
            } else {
                name
            }
        });
        let ret = self.return_type();
        let void = self.target.types.void();
        let value = self.value.clone();
        let (ret, body) = if result_by_address {
            let pointer = self.target.pointer(ret);
            params.push(self.target.declare(pointer, &format!("restrict {value}")));
            (void, format!("*{value} = {call};"))
        } else if self.target.returns == Returns::Void {
            (void, format!("{call};"))
        } else {
            (ret, format!("return {call};"))
        };
        let head = self.target.declare(ret, "");
        self.text.push_str(&format!(
            "static {head} {name}({})\n{{\n    {body}\n}}\n",
            list(&params)
        ));
        name
    }

    fn adapter_name(&self, k: usize) -> String {
        if self.by_address(k) {
            self.at[k].clone()
        } else {
            self.target.params[k].name.clone()
        }
    }

    /// The result of a reverse-mode derivative goes to an address, and its seed comes from one.
    pub fn result_by_address(&self) -> bool {
        self.roles.result && matches!(self.target.returns, Returns::Record(_))
    }

    /// How the result passes through a call of a reverse-mode derivative, or (`tangents`) of its forward-mode derivative.
    pub fn passage(&mut self, seed: &str, tangents: bool) -> Passage {
        let Some(t) = self.active_result() else {
            return Passage::default();
        };
        if !self.result_by_address() {
            return Passage {
                args: vec![seed.to_string()],
                ..Passage::default()
            };
        }
        let value = self.value.clone();
        let mut passage = Passage {
            before: format!("    {};\n", self.target.declare(t, &value)),
            args: vec![format!("&{value}")],
            value: Some(value),
        };
        let copy = self.local.fresh("seed");
        let mut add = |name: &str, start: &str| {
            let declared = self.target.declare(t, name);
            passage
                .before
                .push_str(&format!("    {declared} = {start};\n"));
            passage.args.push(format!("&{name}"));
        };
        if tangents {
            add(&self.local.fresh("value_dot"), "0");
        }
        add(&copy, seed);
        if tangents {
            add(&self.local.fresh("seed_dot"), "0");
        }
        passage
    }

    /// Asks for the reverse-mode derivative. The returned prototype takes, for each parameter, the parameter (or its address) and, if it is active, its
    /// adjoint's address; for a struct as the result its address and that of its seed; for a number as the result, the seed. With a `width`, there are so many
    /// adjoints and seeds.
    pub fn ask_reverse(&mut self, width: u32) -> Wish {
        let record = self.result_by_address();
        let number = !record && self.active_result().is_some();
        let adapter = self.adapter(record);
        let mut params = Vec::new();
        let mut activity = Vec::new();
        for k in 0..self.target.params.len() {
            let (own, shadow) = self.passed(k);
            params.push(self.target.declare(own, ""));
            activity.push(self.activity(k));
            if self.roles.params[k].active() {
                let shadow = self.target.declare(shadow, "");
                params.extend(std::iter::repeat_n(shadow, width as usize));
            }
        }
        let ret = self.return_type();
        if record {
            let pointer = self.target.pointer(ret);
            let text = self.target.declare(pointer, "");
            params.extend(std::iter::repeat_n(text, 1 + width as usize));
            activity.push(Activity::Dup);
        }
        if number {
            let seed = self.target.declare(ret, "");
            params.extend(std::iter::repeat_n(seed, width as usize));
        }
        let primal_return = !record && self.target.returns != Returns::Void;
        let head = if record {
            "void".to_string()
        } else {
            self.target.declare(ret, "")
        };
        let suffix = "vjp";
        self.declare(
            &head,
            &params,
            suffix,
            Wish {
                declared: String::new(),
                function: String::new(),
                subject: Subject::Function(adapter),
                name: String::new(),
                reverse: true,
                params: activity,
                active_return: number,
                primal_return,
                width,
            },
        )
    }

    /// Asks for the forward-mode derivative: as in reverse mode, with `width` tangents for each active parameter; the result's address and those of its tangents
    /// come last.
    pub fn ask_forward(&mut self, width: u32) -> Wish {
        let active = self.active_result();
        let adapter = self.adapter(active.is_some());
        let mut params = Vec::new();
        let mut activity = Vec::new();
        for k in 0..self.target.params.len() {
            let (own, shadow) = self.passed(k);
            params.push(self.target.declare(own, ""));
            activity.push(self.activity(k));
            let dot = if self.roles.params[k].active() {
                self.target.declare(shadow, "")
            } else {
                continue;
            };
            params.extend(std::iter::repeat_n(dot, width as usize));
        }
        let mut head = {
            let ret = self.return_type();
            self.target.declare(ret, "")
        };
        if let Some(t) = active {
            let pointer = self.target.pointer(t);
            let text = self.target.declare(pointer, "");
            params.extend(std::iter::repeat_n(text, 1 + width as usize));
            activity.push(Activity::Dup);
            head = "void".to_string();
        }
        let primal_return = active.is_none() && self.target.returns != Returns::Void;
        self.declare(
            &head,
            &params,
            "jvp",
            Wish {
                declared: String::new(),
                function: String::new(),
                subject: Subject::Function(adapter),
                name: String::new(),
                reverse: false,
                params: activity,
                active_return: false,
                primal_return,
                width,
            },
        )
    }

    /// Asks for the forward-mode derivative of a reverse-mode derivative: after each pointer of an active parameter its tangent, after its adjoint that
    /// one's. The seed has no tangent. With a `width`, there are so many tangents of each.
    pub fn ask_forward_over_reverse(&mut self, width: u32) -> Wish {
        let reverse = self.ask_reverse(1);
        let tangents = |shadow: &String| std::iter::repeat_n(shadow.clone(), width as usize);
        let mut params = Vec::new();
        let mut activity = Vec::new();
        for k in 0..self.target.params.len() {
            let (own, shadow) = self.passed(k);
            let own = self.target.declare(own, "");
            let shadow = self.target.declare(shadow, "");
            if self.roles.params[k].active() {
                params.push(own);
                params.extend(tangents(&shadow));
                params.push(shadow.clone());
                params.extend(tangents(&shadow));
                activity.extend([Activity::Dup, Activity::Dup]);
            } else {
                params.push(own);
                activity.push(Activity::Const);
            }
        }
        let ret = self.return_type();
        let mut head = self.target.declare(ret, "");
        if reverse.active_return {
            params.push(head.clone());
            activity.push(Activity::Const);
        } else if self.result_by_address() {
            let pointer = self.target.pointer(ret);
            let pointer = self.target.declare(pointer, "");
            params.extend(std::iter::repeat_n(pointer, 2 + 2 * width as usize));
            activity.extend([Activity::Dup, Activity::Dup]);
            head = "void".to_string();
        }
        let wish = Wish {
            declared: String::new(),
            function: String::new(),
            subject: Subject::Made(reverse.declared.clone()),
            name: String::new(),
            reverse: false,
            params: activity,
            active_return: false,
            primal_return: reverse.primal_return,
            width,
        };
        self.declare(&head, &params, "hvp", wish)
    }

    fn activity(&self, k: usize) -> Activity {
        if self.roles.params[k].active() {
            Activity::Dup
        } else {
            Activity::Const
        }
    }

    fn declare(&mut self, head: &str, params: &[String], suffix: &str, wish: Wish) -> Wish {
        let declared = self
            .names
            .fresh(&format!("adjoin_{}_{suffix}_wanted", self.target.name));
        let name = self.names.fresh(&format!("{}_{suffix}", self.target.name));
        self.text
            .push_str(&format!("{head} {declared}({});\n", list(params)));
        let wish = Wish {
            declared,
            name,
            function: self.target.name.clone(),
            ..wish
        };
        self.wishes.push(wish.clone());
        wish
    }
}

/// How the result passes through a call of a derivative.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// Declarations in front of the call.
    pub before: String,
    /// Arguments at the end of the call.
    pub args: Vec<String>,
    /// The result is in a variable of its own; otherwise the call returns it.
    pub value: Option<String>,
}

/// Is it passed by value?
pub fn by_value(p: &Param) -> bool {
    matches!(p.holds, Holds::Number | Holds::Record)
}

/// A parameter list.
pub fn list(params: &[String]) -> String {
    if params.is_empty() {
        "void".to_string()
    } else {
        params.join(", ")
    }
}
