//! OpenMP in random programs: loops and regions that have no race and whose result does not depend on the team, so that their serial reading is right.
//!
//! A region writes only arrays and numbers that are made for it in front of it: elements of its own in worksharing loops, anything in `single`; sums and
//! products through reductions, atomics and critical sections. It reads whatever is not being written. What threads keep to themselves is code like any
//! other. Afterwards what was made is used by the rest of the program.

use super::{SIZE, Scope, Writer};

/// What a region makes.
#[derive(Default)]
struct Team {
    /// Arrays that are written by element, and may be read if not pending.
    arrays: Vec<String>,
    /// Arrays written since the last barrier.
    pending: Vec<String>,
    /// Numbers that collect, and are not read in the region.
    sums: Vec<String>,
    /// Products likewise.
    products: Vec<String>,
    /// Numbers that `single` writes and all may read.
    numbers: Vec<String>,
}

impl Writer {
    /// A parallel construct, and what it made in the scope.
    pub(super) fn team(&mut self, scope: &mut Scope) {
        let mut team = Team::default();
        let outside = self.readable(scope);
        if self.chance(40) {
            let made = self.construct_alone(&outside);
            let target = self.place(scope);
            self.line(&format!("{target} = 0.5 * {target} + 0.3 * {made};"));
            return;
        }
        for _ in 0..1 + self.below(2) {
            team.arrays.push(self.fresh_array(scope));
        }
        team.sums.push(self.fresh_number(scope));
        if self.chance(40) {
            team.products.push(self.fresh_number(scope));
        }
        if self.chance(45) {
            self.loop_alone(&outside, &team);
        } else if self.chance(30) {
            self.tasks(&outside, &team);
        } else {
            team.numbers.push(self.fresh_number(scope));
            let arrays = team.arrays.clone();
            let exchanged = arrays.len() > 1 && self.chance(50);
            if exchanged {
                team.arrays = self.pointers_to(&arrays);
            }
            self.region(&outside, &mut team, exchanged);
            team.arrays = arrays;
        }
        // What it made reaches the results, so that its derivatives are seen.
        let (array, sum) = (team.arrays[0].clone(), team.sums[0].clone());
        let (k, target) = (self.below(SIZE as u64), self.place(scope));
        self.line(&format!(
            "{target} = 0.5 * {target} + 0.3 * {sum} + 0.2 * {array}[{k}];"
        ));
        scope.arrays.append(&mut team.arrays);
        scope.numbers.append(&mut team.sums);
        scope.numbers.append(&mut team.products);
        scope.numbers.append(&mut team.numbers);
    }

    /// The scope as the threads of a team see it: nothing can be written.
    fn readable(&mut self, scope: &Scope) -> Scope {
        let mut inner = Scope {
            constants: scope.constants.clone(),
            integers: scope.integers.clone(),
            shared: scope.arrays.clone(),
            team: true,
            ..Default::default()
        };
        inner.constants.extend(scope.numbers.iter().cloned());
        inner
    }

    fn fresh_array(&mut self, scope: &Scope) -> String {
        let name = self.name("w");
        let value = self.expression(scope, 1);
        match self.below(3) {
            0 => {
                self.line(&format!(
                    "double *{name} = alloca({SIZE} * sizeof *{name});"
                ));
                self.line(&format!(
                    "for (int i = 0; i < {SIZE}; i++) {name}[i] = {value} / (i + 1);"
                ));
            }
            _ => self.line(&format!("double {name}[{SIZE}] = {{{value}, 0.5, 0.25}};")),
        }
        name
    }

    fn fresh_number(&mut self, scope: &Scope) -> String {
        let name = self.name("s");
        let value = self.atom(scope);
        self.line(&format!("double {name} = {value};"));
        name
    }

    pub(super) fn schedule(&mut self) -> String {
        let chunk = 1 + self.below(3);
        match self.below(10) {
            0 => " schedule(static)".into(),
            1 => format!(" schedule(static, {chunk})"),
            2 => " schedule(dynamic)".into(),
            3 => format!(" schedule(dynamic, {chunk})"),
            4 => " schedule(guided)".into(),
            5 => format!(" schedule(guided, {chunk})"),
            6 => " schedule(runtime)".into(),
            _ => String::new(),
        }
    }

    fn threads(&mut self) -> String {
        match self.below(6) {
            0 => format!(" num_threads({})", 1 + self.below(4)),
            1 => " if (n > 3)".into(),
            _ => String::new(),
        }
    }

    /// `parallel for` with its clauses.
    fn loop_alone(&mut self, outside: &Scope, team: &Team) {
        let mut clauses = self.schedule() + &self.threads();
        let mut inner = outside.clone();
        let mut reduced = Vec::new();
        for (list, operator) in [(&team.sums, '+'), (&team.products, '*')] {
            for name in list {
                if self.chance(70) {
                    clauses += &format!(" reduction({operator} : {name})");
                    reduced.push((name.clone(), operator));
                }
            }
        }
        let last = self.chance(30).then(|| self.name("l"));
        if let Some(last) = &last {
            self.line(&format!("double {last} = 0.0;"));
            clauses += &format!(" lastprivate({last})");
        }
        let first = outside.constants.iter().find(|c| plain(c)).cloned();
        if let Some(first) = first.filter(|_| self.chance(30)) {
            clauses += &format!(" firstprivate({first})");
        }
        self.line(&format!("#pragma omp parallel for{clauses}"));
        self.workshare(&mut inner, team, &team.arrays, &reduced, last.as_deref());
        if let Some(last) = last {
            let sum = team.sums[0].clone();
            self.line(&format!("{sum} += 0.1 * {last};"));
        }
    }

    /// The loop of a worksharing construct: it writes its own elements of some arrays.
    fn workshare(
        &mut self,
        scope: &mut Scope,
        team: &Team,
        writes: &[String],
        reduced: &[(String, char)],
        last: Option<&str>,
    ) {
        let i = self.name("i");
        let head = match self.below(7) {
            3 => format!("for (int {i} = 0; {i} < {}; {i}++) {{", 1 + self.below(2)),
            4 => format!("for (int {i} = n - 2; {i} < n; {i}++) {{"),
            0 => format!("for (int {i} = {}; {i} >= 0; {i}--) {{", SIZE - 1),
            1 => format!("for (int {i} = 1; {i} < n; {i} += 2) {{"),
            2 => format!("for (int {i} = 0; {i} < n - 1; {i}++) {{"),
            _ => format!("for (int {i} = 0; {i} < n; {i}++) {{"),
        };
        self.line(&head);
        self.depth += 1;
        let mut inner = scope.clone();
        inner.integers.push(i.clone());
        // Elements of its own can be read as well.
        for array in writes {
            inner.constants.push(format!("{array}[{i}]"));
        }
        let own = self.name("v");
        let value = self.expression(&inner, 2);
        self.line(&format!("double {own} = {value};"));
        inner.numbers.push(own.clone());
        self.private_code(&mut inner);
        for array in writes {
            let value = self.expression(&inner, 2);
            let text = match self.below(3) {
                0 => format!("{array}[{i}] += 0.5 * ({value});"),
                1 => format!("{array}[{i}] = 0.5 * {array}[{i}] + {value};"),
                _ => format!("{array}[{i}] = {value};"),
            };
            self.line(&text);
        }
        for (name, operator) in reduced {
            self.collect(&inner, name, *operator);
        }
        if let Some(last) = last {
            let value = self.expression(&inner, 1);
            self.line(&format!("{last} = {value};"));
        }
        let is_reduced = |name: &String| reduced.iter().any(|(r, _)| r == name);
        let free: Vec<(String, char)> = (team.sums.iter().map(|s| (s.clone(), '+')))
            .chain(team.products.iter().map(|p| (p.clone(), '*')))
            .filter(|(name, _)| !is_reduced(name))
            .collect();
        for (name, operator) in free {
            if self.chance(50) {
                self.guarded(&inner, &name, operator);
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    /// Statements on what a thread has to itself.
    fn private_code(&mut self, scope: &mut Scope) {
        if self.chance(40) {
            let own = self.name("v");
            let value = self.atom(scope);
            self.line(&format!("double {own}[{SIZE}] = {{{value}, 0.3}};"));
            scope.arrays.push(own);
        }
        for _ in 0..self.below(3) {
            self.statement(scope);
        }
    }

    fn collect(&mut self, scope: &Scope, name: &str, operator: char) {
        let value = self.expression(scope, 1);
        match operator {
            '*' => self.line(&format!("{name} *= 0.9 + 0.1 * cos({value});")),
            _ => self.line(&format!("{name} += 0.1 * ({value});")),
        }
    }

    /// A shared number is changed by one thread at a time, everywhere in the same way: a critical section does not keep out what is atomic.
    fn guarded(&mut self, scope: &Scope, name: &str, operator: char) {
        let number: u64 = (name.bytes().filter(u8::is_ascii_digit))
            .map(u64::from)
            .sum();
        match number % 3 {
            0 => {
                self.line(&format!("#pragma omp critical({name}_lock)"));
                self.line("{");
                self.depth += 1;
                self.collect(scope, name, operator);
                self.depth -= 1;
                self.line("}");
            }
            _ => {
                self.line("#pragma omp atomic");
                self.collect(scope, name, operator);
            }
        }
    }

    /// Variables that point to arrays, for regions that exchange them.
    fn pointers_to(&mut self, arrays: &[String]) -> Vec<String> {
        let each = arrays.iter().map(|array| {
            let pointer = self.name("p");
            self.line(&format!("double *{pointer} = {array};"));
            pointer
        });
        each.collect()
    }

    /// One thread exchanges the first two arrays for all, and may count.
    fn exchange(&mut self, team: &Team, scope: &Scope) {
        let (a, b) = (&team.arrays[0], &team.arrays[1]);
        let one = ["single", "master"][self.below(2) as usize];
        self.line("#pragma omp barrier");
        self.line(&format!("#pragma omp {one}"));
        self.line("{");
        self.depth += 1;
        if self.chance(30) {
            let value = self.atom(scope);
            self.line(&format!("{a}[1] = 0.5 * {b}[2] + 0.1 * {value};"));
        }
        self.line(&format!("double *gone = {a};"));
        self.line(&format!("{a} = {b};"));
        self.line(&format!("{b} = gone;"));
        self.depth -= 1;
        self.line("}");
        if one == "master" {
            self.line("#pragma omp barrier");
        }
    }

    /// `parallel` with several constructs inside.
    fn region(&mut self, outside: &Scope, team: &mut Team, exchanged: bool) {
        let clauses = self.threads();
        let reduced = match team.sums[0].clone() {
            sum if self.chance(30) => Some(sum),
            _ => None,
        };
        let reduction = reduced
            .as_ref()
            .map_or(String::new(), |sum| format!(" reduction(+ : {sum})"));
        self.line(&format!("#pragma omp parallel{clauses}{reduction}"));
        self.line("{");
        self.depth += 1;
        let mut scope = outside.clone();
        let mine = self.name("m");
        self.line(&format!("double {mine} = 0.0;"));
        if self.chance(50) {
            let own = self.name("t");
            let value = self.expression(&scope, 2);
            self.line(&format!("double {own} = {value};"));
            scope.constants.push(own);
        }
        let around = exchanged || self.chance(30);
        if around {
            let k = self.name("k");
            let times = 2 + self.below(2);
            self.line(&format!("for (int {k} = 0; {k} < {times}; {k}++) {{"));
            self.depth += 1;
            scope.integers.push(k);
        }
        for _ in 0..1 + self.below(4) {
            self.construct(&scope, team, &mine, reduced.as_deref());
        }
        if exchanged {
            self.exchange(team, &scope);
        }
        if around {
            self.line("#pragma omp barrier");
            team.pending.clear();
            self.depth -= 1;
            self.line("}");
        }
        let sum = team.sums[0].clone();
        match reduced {
            Some(sum) => self.line(&format!("{sum} += {mine};")),
            None => {
                let guard = ["atomic", "critical"][self.below(2) as usize];
                self.line(&format!("#pragma omp {guard}"));
                self.line(&format!("{sum} += {mine};"));
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    /// One thread makes tasks, which all run.
    fn tasks(&mut self, outside: &Scope, team: &Team) {
        let clauses = self.threads();
        self.line(&format!("#pragma omp parallel{clauses}"));
        let one = ["single", "master", "single nowait"][self.below(3) as usize];
        self.line(&format!("#pragma omp {one}"));
        self.line("{");
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            let group = self.chance(30);
            if group {
                self.line("#pragma omp taskgroup");
                self.line("{");
                self.depth += 1;
            }
            self.some_tasks(outside, team);
            if group {
                self.depth -= 1;
                self.line("}");
            } else {
                self.line("#pragma omp taskwait");
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    /// Tasks that do not know of each other: each writes an array, or an element, of its own.
    fn some_tasks(&mut self, outside: &Scope, team: &Team) {
        let array = team.arrays[0].clone();
        let others: Vec<String> = team.arrays[1..].to_vec();
        let mut inner = outside.clone();
        inner.shared.extend(others.iter().cloned());
        match self.below(3) {
            0 => {
                for array in &team.arrays {
                    let clause = ["", " if (n > 3)", " untied", " final (n > 9)"];
                    let clause = clause[self.below(4) as usize];
                    self.line(&format!("#pragma omp task{clause}"));
                    self.line("{");
                    self.depth += 1;
                    let mut own = outside.clone();
                    if self.chance(40) {
                        // A task in a task.
                        let part = self.name("q");
                        let value = self.expression(&own, 2);
                        self.line(&format!("double {part} = 0.0;"));
                        self.line(&format!("#pragma omp task shared({part})"));
                        self.line(&format!("{part} = {value};"));
                        let meanwhile = self.expression(&own, 2);
                        self.line(&format!("{array}[1] += 0.1 * ({meanwhile});"));
                        self.line("#pragma omp taskwait");
                        own.constants.push(part);
                    }
                    own.arrays.push(array.clone());
                    self.block(&own, 2);
                    self.guarded(&own, &team.sums[0], '+');
                    self.depth -= 1;
                    self.line("}");
                }
            }
            1 => {
                let i = self.name("i");
                self.line(&format!("for (int {i} = 0; {i} < n; {i}++) {{"));
                self.depth += 1;
                inner.integers.push(i.clone());
                let given = self.name("g");
                let value = self.expression(&inner, 2);
                self.line(&format!("double {given} = {value};"));
                inner.constants.push(given);
                inner.constants.push(format!("{array}[{i}]"));
                self.line("#pragma omp task");
                self.line("{");
                self.depth += 1;
                let value = self.expression(&inner, 2);
                self.line(&format!("{array}[{i}] = 0.5 * {array}[{i}] + {value};"));
                self.guarded(&inner, &team.sums[0], '+');
                self.depth -= 1;
                self.line("}");
                self.depth -= 1;
                self.line("}");
            }
            _ => {
                let clause = ["", " grainsize(2)", " num_tasks(3)", " nogroup"];
                let clause = clause[self.below(4) as usize];
                self.line(&format!("#pragma omp taskloop{clause}"));
                let sums = Team {
                    sums: team.sums.clone(),
                    ..Default::default()
                };
                self.workshare(&mut inner, &sums, &[array], &[], None);
            }
        }
    }

    /// What may be read now: nothing that somebody may be writing.
    fn settled(&self, scope: &Scope, team: &Team) -> Scope {
        let mut inner = scope.clone();
        let settled = team.arrays.iter().filter(|a| !team.pending.contains(a));
        inner.shared.extend(settled.cloned());
        inner
    }

    fn construct(&mut self, scope: &Scope, team: &mut Team, mine: &str, reduced: Option<&str>) {
        match self.below(6) {
            0 => {
                // One thread, and what the others see of it.
                let mut inner = self.settled(scope, team);
                let writable = |a: &&String| !team.pending.contains(a);
                inner.arrays = team.arrays.iter().filter(writable).cloned().collect();
                inner.shared.retain(|a| !inner.arrays.contains(a));
                inner.numbers = team.numbers.clone();
                let master = self.chance(40);
                self.line("#pragma omp barrier");
                team.pending.clear();
                self.line(if master {
                    "#pragma omp master"
                } else {
                    "#pragma omp single"
                });
                self.line("{");
                self.block(&inner, 2);
                self.line("}");
                if master {
                    self.line("#pragma omp barrier");
                }
            }
            1 => {
                self.line("#pragma omp barrier");
                team.pending.clear();
            }
            2 if team.arrays.len() > 1 && team.pending.is_empty() => {
                let mut inner = self.settled(scope, team);
                inner.shared.retain(|a| !team.arrays.contains(a));
                self.line("#pragma omp sections");
                self.line("{");
                for array in team.arrays.clone() {
                    self.line("#pragma omp section");
                    self.line("{");
                    let mut own = inner.clone();
                    own.arrays.push(array);
                    self.block(&own, 2);
                    self.line("}");
                }
                self.line("}");
            }
            3 => {
                // Bounds from the thread's number, as in code that does not trust the runtime.
                let mut inner = self.settled(scope, team);
                let i = self.name("i");
                self.line("{");
                self.depth += 1;
                self.line("int me = 0, all = 1;\n#ifdef _OPENMP");
                self.line("me = omp_get_thread_num(), all = omp_get_num_threads();\n#endif");
                self.line(&format!("for (int {i} = me; {i} < {SIZE}; {i} += all) {{"));
                self.depth += 1;
                inner.integers.push(i);
                self.collect(&inner, mine, '+');
                self.depth -= 1;
                self.line("}");
                self.depth -= 1;
                self.line("}");
                self.line("#pragma omp barrier");
                team.pending.clear();
            }
            _ => {
                let k = self.below(team.arrays.len() as u64) as usize;
                let array = team.arrays[k].clone();
                if team.pending.contains(&array) {
                    self.line("#pragma omp barrier");
                    team.pending.clear();
                }
                // A loop that nobody waits for reads nothing that a later one might write.
                let wait = self.chance(70);
                let mut inner = match wait {
                    true => self.settled(scope, team),
                    false => scope.clone(),
                };
                inner.shared.retain(|a| *a != array);
                inner.constants.extend(team.numbers.iter().cloned());
                let mut clauses = self.schedule();
                let mut sums = vec![(mine.to_string(), '+')];
                // A sum of the loop's own, unless the region has it already.
                if let Some(product) = team.products.first().filter(|_| wait) {
                    clauses += &format!(" reduction(* : {product})");
                    sums.push((product.clone(), '*'));
                }
                if !wait {
                    clauses += " nowait";
                    team.pending.push(array.clone());
                }
                self.line(&format!("#pragma omp for{clauses}"));
                let guarded = Team {
                    sums: team.sums[reduced.map_or(0, |_| 1)..].to_vec(),
                    ..Default::default()
                };
                self.workshare(&mut inner, &guarded, &[array], &sums, None);
                if wait {
                    team.pending.clear();
                }
            }
        }
    }
}

/// Is this the name of a variable?
fn plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric())
        && !text.starts_with(|c: char| c.is_ascii_digit())
}
