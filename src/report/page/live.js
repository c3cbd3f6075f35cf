/* A run while it goes: asks for its state again and again, and becomes the report when there is one. */
(() => {
const { $, el, number, short, base, paint, curves, figure, changeTheme } = Draw;
const root = document.documentElement;
root.classList.add("has-js");
$("theme").addEventListener("click", changeTheme);
document.addEventListener("keydown", e => { if (e.key === "t" && !e.ctrlKey && !e.metaKey && !e.altKey) changeTheme(); });

const NEXT = 1000, HIDDEN = 5000;
const plural = (n, one, many) => `${number(n)} ${Number(n) === 1 ? one : many}`;
const clock = s => s < 60 ? `${short(s)} s` : `${Math.floor(s / 3600) ? Math.floor(s / 3600) + " h " : ""}${Math.floor(s / 60) % 60} min ${Math.floor(s % 60)} s`;
/* Executions a second: over the last few seconds while it runs, else over all. */
function rateOf(run) {
  const last = run.history[run.history.length - 1];
  const from = run.state === "running" && last ? run.history.find(h => last[0] - h[0] < 5) : null;
  if (from && last[0] > from[0]) return (last[1] - from[1]) / (last[0] - from[0]);
  return run.seconds > 0 ? run.executions / run.seconds : 0;
}
const tile = ([name, value, note]) => el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value, el("small", {}, note)));
function tilesOf(run) {
  const hasOrders = run.threads > 1 || run.processes > 1;
  const rows = [["executions", number(run.executions), `${number(run.rejected)} rejected`],
    [hasOrders ? "classes of executions" : "paths", number(run.paths), hasOrders && run.estimate ? `about ${short(run.estimate)} in all` : run.open ? `${number(run.open)} open` : "none open"],
    ["speed", short(rateOf(run)), "executions a second"],
    ["time", clock(run.seconds), `${short(run.cpu)} s of processor time`],
    ["ways of branches", `${number(run.covered)} of ${number(run.branches)}`, run.branches ? `${Math.floor(100 * run.covered / run.branches)} % covered` : "no branches"],
    ["tests", number(run.tests), "kept"],
    ["workers", number(run.workers), "processes that have committed"],
    ["solver", number(run.queries), "queries"]];
  if (run.processes > 1) rows.splice(2, 0, ["processes", number(run.processes), `${number(run.events)} events`]);
  else if (run.threads > 1) rows.splice(2, 0, ["threads", number(run.threads), `${number(run.events)} events`]);
  return rows.map(tile);
}
const TITLES = { running: "Exploring", ended: "The run has ended", silent: "Nobody works on this run", gone: "There is no run here" };
function wordsOf(run) {
  if (run.state === "gone") return run.problem;
  if (run.state === "silent") return "It has not ended, and no process that can be seen from here works on it: it was killed, or runs elsewhere. 'heddle run --resume' goes on with it.";
  if (run.state === "ended") return `${run.verdict} (${run.stopped})${run.unreported ? `; there is no report: ${run.unreported}` : run.report ? "" : "; the report is being written"}`;
  return run.n_findings ? `${plural(run.n_findings, "finding", "findings")} so far` : "nothing was found so far";
}
/* A row stays where it is: only its count changes. */
const rows = new Map();
function listFindings(run) {
  $("no-findings").hidden = run.findings.length > 0;
  if (run.findings.length < rows.size) { rows.clear(); $("list").replaceChildren(); }
  for (const f of run.findings) {
    const times = `seen in ${plural(f.count, "execution", "executions")}; heddle replay ${run.directory} ${f.test}`;
    if (!rows.has(f.number)) {
      const note = el("small", {}, times);
      const place = f.file ? `${base(f.file)}:${f.line}${f.function ? ` in ${f.function}` : ""}` : "";
      const row = el("li", { class: "panel new", id: `finding-${f.number}` }, el("span", { class: "n" }, f.number), " ", el("span", { class: f.harmless ? "badge race" : "badge" }, f.kind), " ",
        el("span", { class: "message" }, f.message), " ", el("span", { class: "place" }, place), el("div", {}, note));
      rows.set(f.number, note);
      $("list").append(row);
    } else if (rows.get(f.number).textContent !== times) rows.get(f.number).textContent = times;
  }
  $("no-findings").textContent = run.n_findings > run.findings.length ? `The first ${number(run.findings.length)} of ${number(run.n_findings)}.` : "None so far.";
  if (run.n_findings > run.findings.length) $("no-findings").hidden = false;
}
function drawCurves(run) {
  if (run.history.length < 2) { $("curves").replaceChildren(); return; }
  const line = (i, name, colour) => ({ name, colour, points: run.history.map(h => [h[0], Number(h[i])]) });
  const found = run.history.filter((h, i) => i && h[3] > run.history[i - 1][3]);
  $("curves").replaceChildren(
    figure("Executions", "over the time of the run", curves([line(1, "executions", paint(0)), { name: "a finding", colour: "var(--bad)", points: found.map(h => [h[0], h[1]]), dots: true }], "executions over time", "s", "executions")),
    figure("Coverage", `ways of branches, of ${number(run.branches)}`, curves([line(2, "ways of branches", paint(2))], "ways of branches over time", "s", "ways")));
}
function listUnits(run) {
  const u = run.units, all = u.open + u.done + u["set aside"];
  $("units").hidden = !all;
  $("unit-words").textContent = `${plural(all, "unit", "units")}: ${number(u.open)} open, ${number(u.done)} done${u["set aside"] ? `, ${number(u["set aside"])} set aside` : ""}${u.open > u.rows.length ? `; the first ${u.rows.length} that are open` : ""}`;
  $("unit-rows").replaceChildren(...u.rows.map(([n, parent, begun, seconds, executions]) => el("tr", {}, [n, parent || "", `${short(begun)} s`, `${short(seconds)} s`, number(executions)].map(v => el("td", { class: "num" }, v)))));
  $("unit-rows").closest(".panel").hidden = !u.rows.length;
}
function text(id, words) { if ($(id).textContent !== words) $(id).textContent = words; }
function show(run) {
  text("title", TITLES[run.state]);
  text("words", wordsOf(run));
  $("verdict").className = `panel hero ${run.n_findings ? "bad" : run.state === "ended" && run.complete ? "good" : "warn"}`;
  root.dataset.state = run.state;
  for (const id of ["findings", "charts", "units"]) $(id).hidden = run.state === "gone";
  if (run.state === "gone") { $("tiles").replaceChildren(); return; }
  document.title = `${run.program}: ${run.state === "running" ? `${short(run.executions)} executions, ` : ""}${plural(run.n_findings, "finding", "findings")} · Heddle`;
  text("program", run.program);
  text("command", run.command);
  $("reasons").replaceChildren(...(run.state === "ended" ? run.reasons : []).map(r => el("li", {}, r)));
  $("tiles").replaceChildren(...tilesOf(run));
  listFindings(run);
  drawCurves(run);
  listUnits(run);
}
async function ask() {
  try {
    const answer = await fetch("state", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const run = await answer.json();
    if (run.state === "ended" && run.report) { location.reload(); return; }
    show(run);
    root.dataset.ready = "yes";
  } catch (problem) {
    text("title", "No answer");
    text("words", "'heddle serve' has ended, or is busy. What is below was the last that it said; this page asks on.");
    root.dataset.state = "away";
  }
  setTimeout(ask, document.hidden ? HIDDEN : NEXT);
}
ask();
})();
