"use strict";
/* What the pages draw with: elements, numbers, charts.  Everything that came from a tested program is put in as text, never
 * as markup. */
const Draw = (() => {
const $ = id => document.getElementById(id);
function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "style") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== "") node.append(child);
  return node;
}
const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => put(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const number = n => Number(n).toLocaleString("en-US");
const short = (n, digits = 3) => Number(n) >= 1000 ? number(Math.round(n)) : String(Number(Number(n).toPrecision(digits)));
const base = path => path.slice(path.lastIndexOf("/") + 1);
const paint = i => `var(--t${i % 8})`;

/* ---- charts ---- */
const chart = (width, height, label, ...children) => draw("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, children);
const words = (x, y, text, attributes) => draw("text", { x, y, ...attributes }, text);
function bars(rows, label, unit) {
  const most = Math.max(...rows.map(r => r[1]), 1e-9), step = 30;
  return chart(480, rows.length * step + 6, label, rows.map(([name, value, colour, title], i) => draw("g", {}, draw("title", {}, title),
    words(112, i * step + 19, name, { "text-anchor": "end", class: "strong" }),
    draw("rect", { x: 120, y: i * step + 5, width: Math.max(1.5, 270 * value / most), height: 19, rx: 4, fill: colour }),
    words(128 + 270 * value / most, i * step + 19, `${short(value)}${unit}`))));
}
function ticks(most, n = 4) {
  const raw = most / n || 1, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(k => k * power).find(s => s >= raw);
  const out = [];
  for (let v = 0; v <= most * 1.0001; v += step) out.push(v);
  return out;
}
/* Series: {name, colour, points: [[x, y]], dots}. */
function curves(series, label, xName, yName) {
  const W = 520, H = 260, L = 56, B = 34, T = 14, R = 14;
  const xs = series.flatMap(s => s.points.map(p => p[0])), ys = series.flatMap(s => s.points.map(p => p[1]));
  const mx = Math.max(...xs, 1e-9), my = Math.max(...ys, 1e-9), x = v => L + (W - L - R) * v / mx, y = v => H - B - (H - B - T) * v / my;
  return chart(W, H, label,
    ticks(my).map(v => draw("g", {}, draw("line", { x1: L, x2: W - R, y1: y(v), y2: y(v), class: "axis" }), words(L - 6, y(v) + 4, short(v), { "text-anchor": "end" }))),
    ticks(mx).map(v => words(x(v), H - B + 16, short(v), { "text-anchor": "middle" })),
    words(W - R, H - 4, xName, { "text-anchor": "end" }), words(4, 11, yName),
    series.map(s => s.dots ? s.points.map(p => draw("circle", { cx: x(p[0]), cy: y(p[1]), r: 5, fill: s.colour }, draw("title", {}, s.name)))
      : draw("polyline", { fill: "none", stroke: s.colour, "stroke-width": 2.5, "stroke-linejoin": "round", points: s.points.map(p => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" ") }, draw("title", {}, s.name))));
}
const legend = series => el("p", { class: "legend" }, series.map(s => el("span", {}, el("i", { style: { background: s.colour } }), s.name)));
const figure = (title, small, content) => el("figure", { class: "panel" }, el("figcaption", {}, title, small ? el("small", {}, small) : null), content);

/* ---- light and dark ---- */
const root = document.documentElement;
const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function changeTheme() { root.dataset.theme = isDark() ? "light" : "dark"; }
return { $, el, draw, number, short, base, paint, chart, words, bars, ticks, curves, legend, figure, changeTheme };
})();
