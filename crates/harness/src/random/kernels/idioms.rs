//! What programs do with arrays besides numerical loops: sorting, stacks, queues, rings, blocks that grow, lists that lose nodes, rows of sparse matrices, tables that are gone back through, and loops whose bounds and steps
//! are changed while they run.

use super::{CAPACITY, Index, Scope, Writer};

impl Writer {
    pub(super) fn idiom(&mut self, scope: &Scope) {
        let (a, b) = (self.pick(&scope.arrays), self.pick(&scope.arrays));
        let s = self.pick(&scope.numbers);
        let i = self.name("i");
        let at = [Index {
            name: i.clone(),
            low: 0,
            high: 0,
        }];
        let reads = self.reads(scope, &at, &[]);
        let v = self.formula(&reads, 1);
        let c = self.condition(&reads, &at);
        let each = format!("for (int {i} = 0; {i} < n; {i}++)");
        let text = match self.below(18) {
            // Data decides what goes where.
            0 => format!(
                "for (int {i} = 1; {i} < n && {i} < 40; {i}++) {{
    double v = {a}[{i}];
    int k = {i};
    for (; k > 0 && {a}[k - 1] > v; k--) {a}[k] = {a}[k - 1];
    {a}[k] = v, {b}[{i}] += 0.1 * sin(v);
}}"
            ),
            1 => format!(
                "{{ double stack[{CAPACITY}]; int top = 0;
{each} {{
    if (top < 2 || {c}) stack[top++] = {v};
    else {{ double u = stack[--top]; stack[top - 1] = sin(u * stack[top - 1] + 0.2 * {v}); }}
}}
while (top > 0) {a}[--top] += 0.1 * stack[top]; }}"
            ),
            2 => {
                let m = 3 + self.below(3);
                format!(
                    "{{ double ring[{m}] = {{0.2, 0.1}}; int now = 0;
{each} {{
    double old = ring[now];
    ring[now] = {v};
    now = (now + 1) % {m};
    if ({c}) continue;
    {a}[{i}] = 0.5 * sin(old + ring[now] * ring[(now + 1) % {m}]);
}} }}"
                )
            }
            3 => format!(
                "{{ double *grown = NULL; int count = 0, room = 0;
{each} {{
    if ({c}) continue;
    if (count == room) {{ room = room ? 2 * room : 2; grown = realloc(grown, (size_t)room * sizeof *grown); }}
    grown[count++] = {v};
    if (count > 2) grown[count / 2] = sin(grown[count - 1] * grown[0]);
}}
for (int {i} = 0; {i} < count; {i}++) {a}[{i} / 2] += 0.1 * grown[{i}];
free(grown); }}"
            ),
            4 => format!(
                "{{ struct body *first = NULL;
for (int {i} = 0; {i} < n && {i} < 30; {i}++) {{
    struct body *q = malloc(sizeof *q);
    q->place = {v}, q->speed = {a}[{i}], q->next = first, first = q;
}}
for (struct body *q = first; q; q = q->next) {{
    if (q->next) q->place = sin(q->place + 0.5 * q->next->speed);
    if (q->next && q->place > 0.5) {{ struct body *gone = q->next; q->next = gone->next; {s} += 0.02 * gone->speed; free(gone); }}
}}
while (first) {{ struct body *q = first; first = q->next; {s} += 0.02 * q->place * q->speed; free(q); }} }}"
            ),
            5 => format!(
                "{{ int start[{CAPACITY} + 1], column[3 * {CAPACITY}], entries = 0; double entry[3 * {CAPACITY}];
{each} {{
    start[{i}] = entries;
    for (int k = 0; k < 3; k++)
        if (k < 2 || {c}) column[entries] = ({i} * 2 + k) % n, entry[entries++] = 0.3 * {v};
}}
start[n > 0 ? n : 0] = entries;
{each} {{
    double sum = 0.1;
    for (int k = start[{i}]; k < start[{i} + 1]; k++) sum += entry[k] * {b}[column[k]];
    {a}[{i}] = tanh(sum);
}} }}"
            ),
            6 => format!(
                "{{ int m = n < 14 ? n : 14; double cost[15][15]; char way[15][15];
for (int r = 0; r <= m; r++) for (int k = 0; k <= m; k++) {{
    way[r][k] = 0, cost[r][k] = 0.1 * (r + k);
    if (r == 0 || k == 0) continue;
    double least = cost[r - 1][k - 1], e = {a}[r - 1] - {b}[k - 1];
    if (cost[r - 1][k] < least) least = cost[r - 1][k], way[r][k] = 1;
    if (cost[r][k - 1] < least) least = cost[r][k - 1], way[r][k] = 2;
    cost[r][k] = least + 0.3 * e * e;
}}
for (int r = m, k = m; r > 0 && k > 0;) {{
    {s} += 0.01 * sin(cost[r][k]);
    switch (way[r][k]) {{ case 0: r--, k--; break; case 1: r--; break; default: k--; }}
}} }}"
            ),
            7 => format!(
                "{{ int kept = 0;
{each} if ({a}[{i}] > 0.6) {a}[kept++] = {a}[{i}];
for (; kept < n; kept++) {a}[kept] = 0.3 * {b}[kept]; }}"
            ),
            8 => {
                let w = 2 + self.below(3);
                format!(
                    "{{ double window = 0;
for (int {i} = 0; {i} < {w} && {i} < n; {i}++) window += {a}[{i}];
for (int {i} = {w}; {i} < n; {i}++) {{ {b}[{i} - {w}] = tanh(0.3 * window); window += {a}[{i}]; window -= {a}[{i} - {w}]; }}
{s} += 0.1 * tanh(window); }}"
                )
            }
            9 => format!(
                "for (int low = 0, high = n - 1; low < high;)
    if ({a}[low] > {b}[high]) {a}[low++] *= 0.8;
    else {b}[high--] += 0.1 * {s};"
            ),
            10 => format!(
                "{{ int end = n;
for (int {i} = 0; {i} < end; {i}++) {{
    {a}[{i}] = 0.5 * {a}[{i}] + 0.4 * sin({v});
    if ({c}) end--;
    if ({a}[{i}] > 1.2) {i}++;
}}
{s} += 0.01 * end; }}"
            ),
            11 => format!(
                "for (int step = 1; step < n; step *= 2)
    for (int {i} = n - 1; {i} >= step; {i}--)
        {a}[{i}] = 0.7 * {a}[{i}] + 0.3 * {a}[{i} - step] * {b}[{i}];"
            ),
            12 => format!(
                "{{ double heap[{CAPACITY}]; int m = 0;
{each} {{
    int k = m++;
    for (heap[k] = {v}; k > 0 && heap[(k - 1) / 2] > heap[k]; k = (k - 1) / 2) {{
        double t = heap[k];
        heap[k] = heap[(k - 1) / 2], heap[(k - 1) / 2] = t;
    }}
}}
for (int k = 0; k < m; k++) {a}[k] = 0.6 * {a}[k] + 0.3 * heap[k]; }}"
            ),
            13 => format!(
                "{{ double *to = {a}, *from = {b} + n;
for (int left = n; left--;) *to++ -= 0.2 * sin(*--from); }}"
            ),
            14 => {
                let (j, k) = (self.near(scope, &at[0]), self.near(scope, &at[0]));
                format!("{each} *({c} ? &{a}[{j}] : &{b}[{k}]) += 0.1 * {v};")
            }
            15 => format!(
                "if (n > 0) {{ int queue[{CAPACITY}], head = 0, tail = 0; char seen[{CAPACITY}] = {{0}};
queue[tail++] = n / 2, seen[n / 2] = 1;
while (head < tail) {{
    int u = queue[head++], near[2] = {{ (u * 2 + 1) % n, (u + 3) % n }};
    for (int k = 0; k < 2; k++) {{
        {a}[near[k]] = 0.6 * {a}[near[k]] + 0.3 * sin({a}[u] + {b}[u]);
        if (!seen[near[k]] && {a}[near[k]] > 0.2) seen[near[k]] = 1, queue[tail++] = near[k];
    }}
}} }}"
            ),
            16 => format!(
                "{{ int state = 0; double level = 0.2;
{each} {{
    switch (state) {{
    case 0: level = 0.6 * level + 0.3 * {v}; state = level > 0.5; break;
    case 1: {a}[{i}] = level; state = {a}[{i}] > 0.7 ? 2 : 0; break;
    default: level = sin(level * {a}[{i}]); state = {i} & 1; continue;
    }}
    {b}[{i}] += 0.1 * level;
}}
{s} += 0.1 * level; }}"
            ),
            _ => format!(
                "{{ double y0 = 0.5 * {s}, t = 0, h = 0.3; int steps = 0;
while (t < 1 && steps++ < 12) {{
    if (t + h > 1) h = 1 - t;
    double k1 = sin(y0 + t), k2 = sin(y0 + h * k1 + t + h), error = fabs(k2 - k1) * h;
    if (error > 0.08) {{ h *= 0.5; continue; }}
    y0 += 0.5 * h * (k1 + k2), t += h;
    if (error < 0.01) h *= 1.5;
}}
{s} = sin({s} + 0.3 * y0); }}"
            ),
        };
        for line in text.lines() {
            self.line(line);
        }
    }
}
