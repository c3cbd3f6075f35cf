/* The page of a report.  Findings are in the document already; this draws what the data says beside them. */
(() => {
const { $, el, draw, number, short, base, paint, chart, words, bars, ticks, curves, legend, figure, changeTheme } = Draw;
const D = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
root.classList.add("has-js");
$("theme").addEventListener("click", changeTheme);

/* ---- sources ---- */
const WORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short " +
  "signed sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool _Thread_local bool true false NULL").split(" "));
const TOKEN = /\/\*.*?\*\/|\/\/.*|\/\*.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|[A-Za-z_]\w*|\d[\w.]*|[^\w"'/#]+|./g;
function colour(line) {
  const out = [];
  for (const [t] of line.matchAll(TOKEN)) {
    const kind = t.startsWith("/*") || t.startsWith("//") ? "c" : /^["']/.test(t) ? "s" : /^\s*#/.test(t) || WORDS.has(t) ? "k" : /^\d/.test(t) ? "d" : "";
    out.push(kind ? el("span", { class: kind }, t) : t);
  }
  return out;
}
const fileNamed = name => D.files.findIndex(f => f.name === (D.aliases[name] || name));
const STATES = { changed: " (as it was compiled: the file has changed since)", gone: " (as it was compiled: the file is gone)", unkept: " (as it is now: the run kept no copy)", same: "" };
function listing(file, line, around) {
  const f = D.files[file], from = Math.max(0, line - 1 - around), to = Math.min(f.lines.length, line + around);
  const rows = [];
  for (let i = from; i < to; i++)
    rows.push(el("div", { class: i + 1 === line ? "row at" : "row", "data-line": i + 1 }, el("span", { class: "no" }, i + 1), el("span", {}, colour(f.lines[i]), "\u200b")));
  return rows;
}
function showLine(pane, name, line, around = 60) {
  const file = fileNamed(name);
  if (file < 0) {
    pane.replaceChildren(el("div", { class: "name" }, name ? `${name}:${line}: the text of this file is not in the report` : "no place in the program's own files"));
    return;
  }
  pane.replaceChildren(el("div", { class: "name" }, `${name}:${line}${STATES[D.files[file].state]}`), ...listing(file, line, around));
  const at = pane.querySelector(".at");
  if (at) pane.scrollTop = at.offsetTop - pane.clientHeight / 2 + at.offsetHeight;
}
function openSource(name, line) {
  const chooser = $("source-file"), pane = $("source-text");
  if (!chooser) return;
  if (fileNamed(name) >= 0) chooser.value = D.files[fileNamed(name)].name;
  showLine(pane, name, line, 1500);
  $("sources").scrollIntoView();
  pane.focus({ preventScroll: true });
}
function fillExcerpts() {
  for (const text of document.querySelectorAll(".finding .source .row span:last-child")) text.replaceChildren(...colour(text.textContent), "\u200b");
}
function fillSources() {
  const chooser = $("source-file");
  if (!chooser) return;
  for (const f of D.files) chooser.append(el("option", { value: f.name }, f.name));
  chooser.addEventListener("change", () => showLine($("source-text"), chooser.value, 1, 1500));
  if (D.files.length) showLine($("source-text"), D.files[0].name, 1, 1500);
}

/* ---- interleavings, step by step ---- */
const KINDS = ["mark", "message", "lost", "birth", "kill", "time", "note"];
/* One list for both forms: {event, lane, to, kind, flags, words, object, file, line, value}. */
function stepsOf(trace, all) {
  const text = i => trace.strings[i];
  const step = ([event, thread, process, flags, words, object, file, line, value]) =>
    ({ event, thread, lane: trace.processes.length ? process : thread, to: -1, kind: flags.includes("A") ? "note" : "mark", flags, words: text(words), object: text(object), file: text(file), line, value });
  const row = ([kind, from, to, event, mark, words, file, line, sentFile, sentLine]) =>
    ({ event: event + 1, thread: -1, lane: from, to, kind: KINDS[kind], flags: mark === "#" ? "#" : mark === "X" ? "X" : "s", words: text(words), object: "", file: text(file), line, sentFile: text(sentFile), sentLine, value: null });
  if (trace.rows.length && !all) return trace.rows.map(row);
  return trace.steps.filter(s => all || s[3].includes("s")).map(step);
}
/* For each step, what every lane holds after it. */
function locksOf(steps) {
  const held = new Map(), out = [];
  for (const s of steps) {
    const own = held.get(s.thread) || [];
    if (s.flags.includes("a")) held.set(s.thread, own.concat([s.object]));
    else if (s.flags.includes("e")) { const i = own.lastIndexOf(s.object); if (i >= 0) held.set(s.thread, own.filter((_, k) => k !== i)); }
    out.push(new Map(held));
  }
  return out;
}
class Player {
  constructor(box, trace, finding) {
    Object.assign(this, { box, trace, found: finding, finding: finding.number, at: 0, all: false });
    this.lanes = (trace.processes.length ? trace.processes : trace.threads).map(([name, file, line]) => ({ name: trace.strings[name], file: trace.strings[file], line }));
    this.build();
    this.fill();
    const fails = this.steps.findIndex(s => s.flags.includes("X")), races = this.steps.findLastIndex(s => s.flags.includes("!"));
    this.go(fails >= 0 ? fails : races >= 0 ? races : this.steps.length - 1);
  }
  build() {
    const button = (label, title, to) => el("button", { type: "button", title, "aria-label": title, onclick: () => this.go(to()) }, label);
    this.slider = el("input", { type: "range", min: 1, "aria-label": "step", oninput: () => this.go(this.slider.value - 1) });
    this.count = el("span", { class: "count" });
    const everything = el("input", { type: "checkbox", onchange: e => { this.all = e.target.checked; this.fill(); this.go(0); } });
    this.now = el("p", { class: "now", "aria-live": "polite" });
    this.list = el("div", { class: "lanes", role: "listbox", tabindex: 0, "aria-label": `steps of finding ${this.finding}`, onkeydown: e => this.key(e) });
    this.pane = el("div", { class: "source", tabindex: 0, "aria-label": "source of this step" });
    const isChart = this.trace.rows.length > 0;
    this.box.replaceChildren(el("div", { class: "player" },
      el("div", { class: "bar" }, button("|◀", "first step", () => 0), button("◀", "previous step", () => this.at - 1), button("▶", "next step", () => this.at + 1), button("▶|", "last step", () => this.steps.length - 1),
        this.slider, this.count, el("label", {}, everything, "all events")),
      this.now, el("div", { class: "split" }, this.list, this.pane),
      isChart ? el("p", { class: "legend" }, "arrows are messages, dashed ones with a cross did not arrive; dotted ones create processes")
        : !this.trace.steps.some(s => s[0]) ? el("p", { class: "legend" }, "what inputs decide, in order; for lines without such decisions there is one way only")
        : el("p", { class: "legend" }, el("span", {}, el("i", { class: "read" }), "reads"), el("span", {}, el("i"), "writes"), el("span", {}, el("i", { class: "lock" }), "locks and waiting"), el("span", {}, el("i", { class: "hold" }), "a lock is held"), el("span", {}, el("i", { class: "race" }), "racing access"))));
  }
  fill() {
    this.steps = stepsOf(this.trace, this.all);
    const last = this.steps[this.steps.length - 1];
    if (last && !last.file && (last.kind === "note" || last.flags.includes("X"))) Object.assign(last, { file: this.found.file, line: this.found.line });
    this.held = locksOf(this.steps);
    this.involved = [...new Set(this.steps.flatMap(s => s.kind === "time" || s.kind === "note" ? [] : s.to >= 0 ? [s.lane, s.to] : [s.lane]))].sort((a, b) => a - b);
    this.column = new Map(this.involved.map((lane, i) => [lane, i]));
    this.span = new Map();
    this.steps.forEach((s, i) => [s.lane, s.to].forEach(l => { if (l >= 0) this.span.set(l, [this.span.has(l) ? this.span.get(l)[0] : i, i]); }));
    this.locks = [...new Set(this.steps.filter(s => s.flags.includes("a")).map(s => s.object))];
    this.list.style.setProperty("--n", Math.max(1, this.involved.length));
    const head = el("div", { class: "head" }, el("div"), this.involved.map((l, i) => el("div", { style: { color: paint(i) } }, this.lanes[l].name,
      this.lanes[l].file ? el("small", {}, `${base(this.lanes[l].file)}:${this.lanes[l].line}`) : null)));
    this.rows = this.steps.map((s, i) => this.row(s, i));
    const parts = [head, ...this.rows];
    const left = this.trace.left_out;
    if (left && this.rows.length > left[0]) parts.splice(left[0] + 1, 0, el("div", { class: "gap" }, `${number(left[1])} events are left out here`));
    if (this.trace.cut) parts.push(el("div", { class: "gap" }, "it goes on from here"));
    this.list.replaceChildren(...parts);
    this.slider.max = this.steps.length;
  }
  row(s, i) {
    const mine = this.column.get(s.lane), cells = [];
    this.involved.forEach((lane, k) => {
      const [first, last] = this.span.get(lane) || [0, 0];
      cells.push(el("i", { class: i < first || i > last ? "thread off" : "thread", style: { "grid-column": k + 2, color: paint(k) } }));
      if (!this.trace.processes.length)
        (this.held[i].get(lane) || []).forEach((lock, n) => cells.push(el("i", { class: "held", title: lock, style: { "grid-column": k + 2, "margin-left": `calc(1.5rem + ${n * 6}px)`, background: paint(3 + this.locks.indexOf(lock)) } })));
    });
    if (s.kind === "time" || s.kind === "note") cells.push(el("span", { class: "beside sole" }, s.words));
    else if (s.kind === "mark" || s.to < 0 || s.to === s.lane) {
      const shape = s.flags.includes("r") ? "what read" : s.flags.includes("w") ? "what" : "what lock";
      cells.push(el("span", { class: shape, style: { "grid-column": mine + 2, "--paint": paint(mine) } }, s.words, s.value !== null ? el("small", {}, s.flags.includes("r") ? ` = ${s.value}` : ` (was ${s.value})`) : null));
    } else {
      const other = this.column.get(s.to), low = Math.min(mine, other), high = Math.max(mine, other);
      const shape = `arrow ${mine < other ? "right" : "left"}${s.kind === "lost" ? " lost" : s.kind === "birth" ? " born" : ""}`;
      cells.push(el("span", { class: shape, style: { "grid-column": `${low + 2} / ${high + 2}`, "--paint": paint(mine) } }), el("span", { class: "beside", style: { "grid-column": `${low + 2} / -1` } }, s.words));
    }
    const flags = s.flags, kind = ["step", flags.includes("!") ? "race" : "", flags.includes("X") ? "fails" : "", flags.includes("#") ? "waits" : ""].filter(Boolean).join(" ");
    return el("div", { class: kind, role: "option", id: `f${this.finding}s${i}`, "aria-selected": "false", onclick: () => { this.go(i); this.list.focus({ preventScroll: true }); } },
      el("span", { class: "no" }, s.event ? number(s.event) : ""), cells);
  }
  key(e) {
    const to = { ArrowDown: this.at + 1, j: this.at + 1, ArrowUp: this.at - 1, k: this.at - 1, Home: 0, End: this.steps.length - 1, PageDown: this.at + 10, PageUp: this.at - 10 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    this.go(to);
  }
  go(to) {
    if (!this.steps.length) return;
    to = Math.max(0, Math.min(this.steps.length - 1, Number(to)));
    if (this.rows[this.at]) this.rows[this.at].setAttribute("aria-selected", "false");
    this.at = to;
    const s = this.steps[to], row = this.rows[to];
    row.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", row.id);
    const above = row.offsetTop - 60, below = row.offsetTop + row.offsetHeight - this.list.clientHeight;
    if (this.list.scrollTop > above) this.list.scrollTop = above; else if (this.list.scrollTop < below) this.list.scrollTop = below + 8;
    this.slider.value = to + 1;
    this.count.textContent = `step ${to + 1} of ${this.steps.length}`;
    this.say(s, to);
    showLine(this.pane, s.file, s.line);
  }
  say(s, i) {
    const lane = this.column.get(s.lane), who = s.kind === "time" || s.kind === "note" ? "" : this.lanes[s.lane].name;
    const held = this.held[i].get(s.thread) || [];
    this.now.style.borderLeftColor = s.flags.includes("X") || s.flags.includes("#") ? "var(--bad)" : paint(lane || 0);
    this.now.replaceChildren(el("b", {}, who), ` ${s.flags.includes("#") && !this.trace.rows.length ? "cannot go on: " : ""}${s.words}`, s.file && !this.trace.rows.length ? ` at ${base(s.file)}:${s.line}` : "",
      s.value !== null ? (s.flags.includes("r") ? `, and finds ${s.value}` : `, where ${s.value} was`) : "",
      held.length ? el("span", { class: "locks" }, `; holds ${held.join(", ")}`) : "");
  }
}
function fillPlayers() {
  const start = box => {
    const f = D.findings.find(x => x.number === Number(box.dataset.trace));
    if (f && f.trace && !box.dataset.done) { box.dataset.done = "1"; new Player(box, f.trace, f); }
  };
  const boxes = [...document.querySelectorAll("[data-trace]")];
  const near = new IntersectionObserver(seen => seen.forEach(s => { if (s.isIntersecting) { near.unobserve(s.target); start(s.target); } }), { rootMargin: "800px" });
  boxes.forEach((b, i) => i < 3 ? start(b) : near.observe(b));
}

/* ---- charts ---- */
function fillSpeed() {
  const box = $("speed-charts");
  if (!box) return;
  const t = D.times, other = Math.max(0, t.cpu - t.work - t.samples), solving = Math.min(D.solver.seconds, t.work || t.cpu);
  const spent = [["executions", Math.max(0, (t.work || t.cpu) - solving), paint(0), "running the program and choosing what comes next"], ["solver", solving, paint(1), "computing inputs"],
    ["samples", t.samples, paint(2), "orders drawn beside the search"], ["the rest", t.work ? other : 0, paint(4), "starting workers, handing units over"]].filter(r => r[1] > 0);
  if (spent.length) box.append(figure("Where the processor time went", `${short(t.cpu)} s of processor time in ${short(t.total)} s`, bars(spent, "processor time by what it was spent on", " s")));
  const layers = D.layers.filter(l => l[3] + l[4] > 0);
  if (layers.length) box.append(figure("Who answered the solver's queries", `${number(D.solver.queries)} queries; the cheapest layer that knows answers`,
    bars(layers.map(([name, what, asked, sat, unsat, unknown, seconds]) => [name, sat + unsat, paint(2), `${what}: asked ${number(asked)} times, ${number(sat)} with a solution, ${number(unsat)} without, ${number(unknown)} not known, ${short(seconds)} s`]), "answers by layer", "")));
  if (D.firsts.length > 1) {
    const found = D.firsts.filter((p, i) => p[2] > (i ? D.firsts[i - 1][2] : 0));
    box.append(figure("When new things were met", "ways of branches over processor time; dots are findings", curves([{ name: "ways of branches", colour: paint(0), points: D.firsts.map(p => [p[0], p[1]]) },
      { name: "a finding", colour: "var(--bad)", points: found.map(p => [p[0], p[1]]), dots: true }], "ways of branches met over processor time", "s", "ways")));
  }
}
function fillGrowth() {
  const box = $("growth-charts");
  if (!box) return;
  const g = D.growth;
  const both = [{ name: "states of nodes", colour: paint(0), points: g.map(p => [p[0], p[2]]) }, { name: "dstates: which belong together", colour: paint(1), points: g.map(p => [p[0], p[3]]) }];
  box.append(figure("States", "over processor time", [curves(both, "states and dstates over processor time", "s", ""), legend(both)]),
    figure("Memory", "of the worker, over processor time", curves([{ name: "memory", colour: paint(2), points: g.map(p => [p[0], p[5] / 1e6]) }], "memory over processor time", "s", "MB")),
    figure("Virtual time", "how far the system had come, over processor time", curves([{ name: "virtual time", colour: paint(3), points: g.map(p => [p[0], p[1]]) }], "virtual time over processor time", "s", "s of virtual time")));
}
function fillUnits() {
  const box = $("units-chart");
  if (!box) return;
  const units = D.units.slice().sort((a, b) => a[3] - b[3]), free = [], W = 900, bar = 16;
  const end = Math.max(...units.map(u => u[3] + u[4]), D.times.total, 1e-6);
  const rects = units.map(u => {
    let row = free.findIndex(f => f <= u[3]);
    if (row < 0) row = free.push(0) - 1;
    free[row] = u[3] + u[4];
    return draw("rect", { x: 8 + (W - 16) * u[3] / end, y: 6 + row * (bar + 4), width: Math.max(1.5, (W - 16) * u[4] / end), height: bar, rx: 3, fill: u[7] === "done" ? paint(u[0]) : "var(--warn)" },
      draw("title", {}, `unit ${u[0]}${u[1] ? `, given away by ${u[1]}` : ""}: begun at ${short(u[3])} s, ${short(u[4])} s of processor time, ${number(u[5])} executions, ${u[7]}`));
  });
  const H = 30 + free.length * (bar + 4);
  box.append(chart(W, H, "units over the time of the run", rects, ticks(end, 6).map(v => words(8 + (W - 16) * v / end, H - 6, `${short(v)} s`, { "text-anchor": v ? "middle" : "start" }))));
}

/* ---- tests, and the tree of their decisions ---- */
const MORE = 200;
function page(list, items, make, from = 0) {
  items.slice(from, from + MORE).forEach(item => list.append(make(item)));
  if (items.length <= from + MORE) return;
  const isTable = list.tagName === "TBODY";
  const button = el("button", { type: "button" }, `show ${Math.min(MORE, items.length - from - MORE)} more of ${number(items.length - from - MORE)}`);
  const holder = isTable ? el("tr", {}, el("td", { colspan: 4 }, button)) : el("li", {}, button);
  button.addEventListener("click", () => { holder.remove(); page(list, items, make, from + MORE); });
  list.append(holder);
}
function fillTests() {
  const body = $("tests-body");
  if (!body) return;
  page(body, D.tests, ([n, end, isBad, inputs, faults]) => el("tr", { id: `test-${n}` }, el("td", { class: "num" }, n), el("td", {}, isBad ? el("span", { class: "badge" }, end) : end), el("td", { class: "mono" }, [faults, inputs].filter(Boolean).join("; ") || "no inputs")));
}
const placeOf = site => D.sites[site] || (site === "0" ? "no place of its own" : `place ${site}`);
/* Moves of a test: decisions, one by one, then turns of threads, so many events each.  Those that are cut end where they are cut. */
function movesOf(t) {
  const decisions = t[5] ? t[5].split(" ").map(m => ["d" + m, 1]) : [];
  if (t[7] & 1 || !t[6]) return decisions;
  return decisions.concat(t[6].split(" ").map(m => { const [thread, n] = m.split("*"); return ["t" + thread, Number(n || 1)]; }));
}
/* Who could go on: sets of threads, each up to an event.  "0-2,7*5 1" */
function ableOf(text) {
  let end = 0;
  return (text || "").split(" ").filter(Boolean).map(row => {
    const [set, n] = row.split("*"), threads = new Set();
    for (const part of set.split(",")) { const [from, to] = part.split("-").map(Number); for (let i = from; i <= (to === undefined ? from : to); i++) threads.add(i); }
    return { end: end += Number(n || 1), threads };
  });
}
function ableAt(node, event) {
  const rows = node.able || [];
  let low = 0, high = rows.length;
  while (low < high) { const mid = (low + high) >> 1; if (rows[mid].end > event) high = mid; else low = mid + 1; }
  return low < rows.length ? [...rows[low].threads] : [];
}
/* A node stands behind `len` times the same move, and `at` events of threads. */
const newNode = (move, len, at, able) => ({ move, len, at, able, to: new Map(), tests: [], n: 0, isCut: false });
function split(parent, node, len) {
  const upper = newNode(node.move, len, node.at - (node.len - len), node.able);
  upper.n = node.n;
  node.len -= len;
  upper.to.set(node.move, node);
  parent.to.set(node.move, upper);
  return upper;
}
function growTree() {
  const top = newNode("start", 0, 0, null);
  D.tests.forEach((t, i) => {
    const able = D.able[i] ? ableOf(D.able[i]) : null;
    let at = top;
    const pass = node => { at = node; at.n++; at.able = at.able || able; };
    pass(top);
    for (const [move, n] of movesOf(t))
      for (let left = n; left > 0; left -= at.len) {
        const next = at.to.get(move);
        if (!next) { const end = newNode(move, left, at.at + (move[0] === "t" ? left : 0), able); at.to.set(move, end); pass(end); }
        else pass(next.len > left ? split(at, next, left) : next);
      }
    at.isCut = at.isCut || t[7] !== 0;
    at.tests.push(t);
  });
  return top;
}
function moveWords(move, n) {
  if (move[0] === "t") return [`thread ${move.slice(1)} `, el("small", {}, n > 1 ? `${number(n)} events` : "1 event")];
  return [placeOf(move.slice(1, -1)), el("span", { class: "way" }, move.endsWith("+") ? " yes" : " no")];
}
const showsAll = () => $("tree-all").checked;
/* A chain without a choice is one line. */
function follow(node) {
  const chain = [node];
  while (node.to.size === 1 && !node.tests.length && (!showsAll() || !otherWays(node).length)) { node = [...node.to.values()][0]; chain.push(node); }
  return [chain, node];
}
/* Ways of a decision that no test took: [] where both were, or where turns of threads are. */
const OTHER = { open: "not tried yet, or infeasible", rejected: "infeasible, or rejected by an assumption", infeasible: "infeasible" };
function otherWays(node) {
  if (D.other_ways === "unknown" || node.isCut) return [];
  const moves = [...node.to.keys()].filter(m => m[0] === "d"), sites = new Set(moves.map(m => m.slice(1, -1)));
  return [...sites].flatMap(site => ["+", "-"].filter(way => !node.to.has(`d${site}${way}`)).map(way => `d${site}${way}`));
}
const otherWay = move => el("li", { class: "leaf other" }, moveWords(move), el("small", {}, ` ${OTHER[D.other_ways]}`));
/* Threads that could go on along a chain where no test let them: before which events, and who. */
const OTHER_TURNS = { open: "not tried yet, or asleep", rejected: "asleep, or rejected by an assumption", asleep: "asleep" };
function otherTurns(chain) {
  const rows = [];
  const add = (node, event, taken) => {
    const threads = ableAt(node, event).filter(i => !taken(`t${i}`)).join(", "), last = rows[rows.length - 1];
    if (threads && last && last.threads === threads && last.to === event) last.to = event + 1;
    else if (threads) rows.push({ threads, from: event + 1, to: event + 1 });
  };
  for (const node of D.other_turns === "unknown" ? [] : chain) {
    if (node.move[0] === "t") for (let event = node.at - node.len + 1; event < node.at; event++) add(node, event, move => move === node.move);
    if (!node.isCut && [...node.to.keys()].some(move => move[0] === "t")) add(node, node.at, move => node.to.has(move));
  }
  return rows;
}
const otherTurn = r => el("li", { class: "leaf other" }, r.from === r.to ? `before event ${number(r.from)}: ` : `before events ${number(r.from)} to ${number(r.to)}: `, `${r.threads.includes(",") ? "threads" : "thread"} ${r.threads} `, el("small", {}, OTHER_TURNS[D.other_turns]));
function leaf(t) { return el("li", { class: t[2] ? "leaf bad" : "leaf" }, `test ${t[0]}: ${t[1]}`); }
function branch(node, isOpen) {
  const [chain, last] = follow(node), turns = showsAll() ? otherTurns(chain) : [];
  const shown = chain.length > 4 ? [...chain.slice(0, 2), null, ...chain.slice(-1)] : chain;
  const label = shown.flatMap((c, i) => [i ? " → " : "", ...(c === null ? [el("small", {}, `${chain.length - 3} more without a choice`)] : c.move === "start" ? ["start"] : moveWords(c.move, c.len))]);
  if (!last.to.size && last.tests.length === 1 && !turns.length) return el("li", { class: last.tests[0][2] ? "leaf bad" : "leaf" }, label, ` → test ${last.tests[0][0]}: ${last.tests[0][1]}`);
  const list = el("ul", { role: "group" });
  const button = el("button", { type: "button", class: "twig", "aria-expanded": "false" }, label, el("small", {}, `  ${number(last.n)} test${last.n === 1 ? "" : "s"}`));
  const open = () => {
    const isNow = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isNow));
    list.hidden = isNow;
    if (isNow || list.childElementCount) return;
    last.tests.forEach(t => list.append(leaf(t)));
    if (showsAll()) otherWays(last).forEach(m => list.append(otherWay(m)));
    const items = turns.map(r => () => otherTurn(r)).concat([...last.to.values()].map(b => () => branch(b, false)));
    page(list, items, make => make());
  };
  button.addEventListener("click", open);
  if (isOpen) open();
  return el("li", {}, button, list);
}
function fillTree() {
  const box = $("tree"), all = $("tree-all");
  if (!box) return;
  const tree = growTree();
  all.closest("label").hidden = D.other_ways === "unknown" && D.other_turns === "unknown";
  const note = el("p", { class: "note", hidden: "" }, "Asleep is a thread that could have gone on there: all that could come of it is in other executions.");
  box.before(note);
  all.addEventListener("change", () => { box.replaceChildren(branch(tree, true)); note.hidden = !all.checked || D.other_turns === "unknown"; });
  box.append(branch(tree, true));
}

/* ---- inputs as a graph of memory ---- */
const ROW = 22, WIDE = 230, GAP = 70;
const cut = (text, n) => text.length > n ? text.slice(0, n - 1) + "…" : text;
function drawGraph(box, graph) {
  const bottom = [], at = graph.boxes.map(([title, depth, cells]) => {
    const y = bottom[depth] || 8;
    bottom[depth] = y + (cells.length + 1) * ROW + 18;
    return { x: 8 + depth * (WIDE + GAP), y, h: (cells.length + 1) * ROW };
  });
  const W = Math.max(...at.map(b => b.x)) + WIDE + 32, H = Math.max(...at.map(b => b.y + b.h)) + 12;
  const arrow = (from, row, to) => {
    const x1 = from.x + WIDE - 12, y1 = from.y + (row + 1.5) * ROW, back = to.x <= from.x, x2 = back ? to.x + WIDE : to.x, y2 = to.y + ROW / 2, bend = (x2 - x1) / 2;
    const tip = back ? 8 : -8, beside = 8 + 4 * (row % 5); // back: around the box, in the gaps
    const way = !back ? `C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 + tip / 2} ${y2}`
      : `H${from.x + WIDE + beside}${to.x < from.x ? `V${from.y + from.h + 9}H${x2 + GAP / 2 + beside - 8}` : ""}V${y2}H${x2 + tip / 2}`;
    return draw("g", {}, draw("path", { class: "arrow", d: `M${x1} ${y1}${way}` }), draw("path", { class: "tip", d: `M${x2} ${y2}l${tip} -4.5v9z` }));
  };
  const parts = graph.boxes.map(([title, , cells], i) => draw("g", { class: "box" },
    draw("rect", { x: at[i].x, y: at[i].y, width: WIDE, height: at[i].h, rx: 6 }), draw("text", { x: at[i].x + 10, y: at[i].y + 15, class: "strong" }, cut(title, 30), draw("title", {}, title)),
    cells.map(([name, value, target], k) => draw("g", { class: "cell" }, draw("line", { x1: at[i].x, x2: at[i].x + WIDE, y1: at[i].y + (k + 1) * ROW, y2: at[i].y + (k + 1) * ROW, class: "axis" }),
      draw("text", { x: at[i].x + 10, y: at[i].y + (k + 1) * ROW + 15 }, cut(name, 20), draw("title", {}, name)),
      target < 0 ? draw("text", { x: at[i].x + WIDE - 10, y: at[i].y + (k + 1) * ROW + 15, "text-anchor": "end", class: "strong" }, cut(value, 14), draw("title", {}, value)) : draw("circle", { cx: at[i].x + WIDE - 14, cy: at[i].y + (k + 1.5) * ROW, r: 4 })))));
  const arrows = graph.boxes.flatMap(([, , cells], i) => cells.flatMap(([, , target], k) => target < 0 ? [] : [arrow(at[i], k, at[target])]));
  const words = graph.boxes.flatMap(([title, , cells]) => cells.filter(c => c[2] >= 0).map(c => `${c[0]} points to the ${graph.boxes[c[2]][0]}`)).join("; ");
  const svg = draw("svg", { class: "chart memory", viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img", "aria-label": `inputs in memory: ${words}` }, parts, arrows);
  box.replaceChildren(svg);
  if (graph.left_out) box.append(el("p", { class: "note" }, `${number(graph.left_out)} more cells are not drawn`));
}
function fillGraphs() {
  for (const box of document.querySelectorAll("[data-graph]")) {
    const f = D.findings.find(x => x.number === Number(box.dataset.graph));
    if (f && f.graph) drawGraph(box, f.graph);
  }
}

/* ---- coverage ---- */
/* Numbers of llvm-cov come as pairs: functions, regions, lines, branches, MC/DC.  Shown are: */
const COLUMNS = [["lines", 2], ["regions", 1], ["branches", 3], ["MC/DC", 4]];
const share = (covered, n) => n ? [`${number(covered)} of ${number(n)}`, el("small", {}, ` ${Math.floor(100 * covered / n)} %`)] : "–";
const coverageRow = (name, small, numbers) => el("tr", {}, el("td", {}, name, el("small", {}, small)),
  COLUMNS.map(([, i]) => el("td", { class: numbers[2 * i] < numbers[2 * i + 1] ? "num part" : "num" }, share(numbers[2 * i], numbers[2 * i + 1]))));
function spanText(file, [line, column, endLine, endColumn]) {
  const f = D.files[fileNamed(file)];
  if (!f || !f.lines[line - 1]) return `${line}:${column}`;
  return f.lines.slice(line - 1, endLine).map((text, i, all) => text.slice(i ? 0 : column - 1, i === all.length - 1 ? endColumn - 1 : undefined).trim()).join(" ");
}
const byTests = tests => tests.length ? ` test${tests.length > 1 ? "s" : ""} ${tests.join(", ")}` : "";
const STATE_WORDS = { covered: "two tests show that it alone decides", open: "no tests show that it alone decides", unreachable: "no execution of the complete search shows that it alone decides", constant: "always the same" };
/* A decision: a column for each condition as it is read, a row for each vector. */
function decisionTable(d) {
  const at = i => d.conditions[i].at, order = d.conditions.map((c, i) => i).sort((a, b) => at(a)[0] - at(b)[0] || at(a)[1] - at(b)[1]);
  const head = el("tr", {}, order.map(i => el("th", { scope: "col" }, el("code", {}, spanText(d.file, at(i))))), el("th", { scope: "col" }, "decision"), el("th", { scope: "col" }, "first test"));
  const letter = c => c === "-" ? el("td", { title: "not asked" }, "–") : el("td", {}, c);
  const rows = d.vectors.map(([letters, result, test]) => el("tr", { class: test === null ? "missing" : null }, order.map(i => letter(letters[i])), letter(result ? "T" : "F"), el("td", {}, test === null ? "none" : test)));
  const foot = el("tr", {}, order.map(i => el("td", { class: `state ${d.conditions[i].state}`, title: STATE_WORDS[d.conditions[i].state] }, d.conditions[i].state, el("small", {}, byTests(d.conditions[i].tests)))), el("td"), el("td"));
  const met = d.conditions.filter(c => c.state === "covered").length;
  return el("details", { class: "panel decision" }, el("summary", {}, el("code", {}, spanText(d.file, d.at)), el("small", {}, ` ${base(d.file)}:${d.at[0]} in ${d.function}: ${met} of ${d.conditions.length} conditions`)),
    el("div", { class: "scroll" }, el("table", { class: "vectors" }, el("thead", {}, head), el("tbody", {}, rows), el("tfoot", {}, foot))),
    d.n_vectors > d.vectors.length ? el("p", { class: "note" }, `${number(d.n_vectors - d.vectors.length)} more vectors that no test shows are left out`) : null);
}
function showCoverage(name) {
  const file = fileNamed(name), counts = new Map(D.coverage.lines[name]), sides = new Map();
  for (const b of D.coverage.branches) if (b.file === name && b.state !== "covered") sides.set(b.at[0], (sides.get(b.at[0]) || []).concat([b]));
  $("coverage-text").replaceChildren(...D.files[file].lines.map((text, i) => {
    const n = counts.get(i + 1), missing = sides.get(i + 1) || [], kind = n === undefined ? "row" : Number(n) === 0 ? "row never" : missing.length ? "row some" : "row yes";
    return el("div", { class: kind, "data-line": i + 1 }, el("span", { class: "no" }, i + 1), el("span", { class: "times" }, n === undefined ? "" : short(n)),
      el("span", {}, colour(text), "\u200b", missing.map(b => el("small", { class: "side" }, ` ${spanText(name, b.at)}: in no test ${b.side ? "true" : "false"}`))));
  }));
}
function fillCoverage() {
  const c = D.coverage, chooser = $("coverage-file");
  if (!c || !chooser) return;
  $("coverage-words").textContent = `What ${number(c.tests)} test${c.tests === 1 ? " covers" : "s cover"}, by llvm-cov's numbers.${c.lost ? ` ${number(c.lost)} could not be run, and count for nothing.` : ""}${c.other ? ` ${number(c.other)} ended otherwise than recorded, and count for what they did.` : ""}`;
  $("coverage-table").append(el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "function"), COLUMNS.map(([name]) => el("th", { class: "num", scope: "col" }, name)))),
    el("tbody", {}, c.functions.map(f => coverageRow(f.name, ` ${base(f.file)}`, f.numbers)), coverageRow("all", "", c.totals)));
  for (const name of Object.keys(c.lines).filter(n => fileNamed(n) >= 0)) chooser.append(el("option", { value: name }, name));
  chooser.addEventListener("change", () => showCoverage(chooser.value));
  if (chooser.value) showCoverage(chooser.value);
  $("decisions").append(...(c.decisions.length ? c.decisions.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.at[0] - b.at[0] || a.at[1] - b.at[1]).slice(0, 500).map(decisionTable) : [el("p", {}, "There are no decisions of several conditions.")]));
}

/* ---- search ---- */
function matches(query) {
  const q = query.toLowerCase(), out = [];
  for (const a of document.querySelectorAll(".finding")) {
    if (a.textContent.toLowerCase().includes(q)) out.push({ kind: "finding", text: a.querySelector("h3").textContent, href: `#${a.id}` });
    if (out.length >= 12) break;
  }
  D.tests.filter(t => `${t[1]} ${t[3]} ${t[4]}`.toLowerCase().includes(q)).slice(0, 8).forEach(t => out.push({ kind: `test ${t[0]}: ${t[1]}`, text: t[3] || "no inputs", href: "#tests" }));
  let n = 0;
  for (const f of D.files) for (let i = 0; i < f.lines.length && n < 12; i++)
    if (f.lines[i].toLowerCase().includes(q)) { n++; out.push({ kind: `${f.name}:${i + 1}`, text: f.lines[i].trim(), file: f.name, line: i + 1, href: "#sources" }); }
  return out;
}
function search() {
  const query = $("query").value.trim(), box = $("results");
  box.hidden = query.length < 2;
  if (box.hidden) return;
  const found = matches(query);
  box.replaceChildren(...(found.length ? found.map(m => el("a", { href: m.href, onclick: e => { box.hidden = true; if (m.file) { e.preventDefault(); openSource(m.file, m.line); } } }, el("small", {}, m.kind), m.text)) : [el("p", {}, "nothing in findings, tests and sources")]));
}
$("query").addEventListener("input", search);
$("query").addEventListener("keydown", e => { if (e.key === "Enter") { const first = $("results").querySelector("a"); if (first) first.click(); } });

/* ---- keys and navigation ---- */
function moveFinding(by) {
  const all = [...document.querySelectorAll(".finding")];
  const now = all.findIndex(a => a.classList.contains("here")), next = all[Math.max(0, Math.min(all.length - 1, now + by))];
  if (!next) return;
  all.forEach(a => a.classList.toggle("here", a === next));
  next.scrollIntoView();
  const list = next.querySelector(".lanes");
  (list || next).focus({ preventScroll: true });
}
document.addEventListener("keydown", e => {
  if (e.key === "Escape") { $("results").hidden = true; return; }
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.key === "/") { e.preventDefault(); $("query").focus(); }
  else if (e.key === "?") $("keys").showModal();
  else if (e.key === "t") changeTheme();
  else if (e.key === "n") moveFinding(1);
  else if (e.key === "p") moveFinding(-1);
});
$("help").addEventListener("click", () => $("keys").showModal());
document.addEventListener("click", e => {
  const link = e.target.closest("[data-file]");
  if (link) { e.preventDefault(); openSource(link.dataset.file, Number(link.dataset.line)); }
  if (!e.target.closest(".results, .search")) $("results").hidden = true;
});
const links = [...document.querySelectorAll(".side a")];
const watch = new IntersectionObserver(seen => seen.forEach(s => {
  if (s.isIntersecting) links.forEach(a => a.getAttribute("href") === `#${s.target.id}` ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current"));
}), { rootMargin: "-20% 0px -70% 0px" });
document.querySelectorAll("main > section").forEach(s => watch.observe(s));

for (const fill of [fillExcerpts, fillPlayers, fillGraphs, fillSpeed, fillGrowth, fillUnits, fillTests, fillTree, fillCoverage, fillSources]) fill();
root.dataset.ready = "yes";
})();
