// The tables of slices: sorted, searched, with a bar for each.
const FIRST_LINES = 15;
const tables = data.slices.map((slices, number) => ({ slices, number, element: byId(`slices-${number}`), sort: "worst", down: false, all: false }));
const several = data.names.length > 1;
const metricNow = () => byId("slice-metric").value;
const otherNow = () => byId("slice-score") ? Number(byId("slice-score").value) : 1;

// How bad a value is: larger is worse. As in Python.
function badness(value, better) {
  if (better === "lower") return value;
  if (better === "nearer 0") return Math.abs(value);
  if (better === "nearer 1") return value > 0 ? Math.max(value, 1 / value) : Infinity;
  return -value;
}
// How good a value is: a difference above 0 is an improvement, also where lower is better.
function goodness(value, slices) {
  const metric = metricNow(), better = slices.betters[metric];
  if (better === "lower") return -value;
  if (better === "nearer 0") return -Math.abs(value);
  if (better === "nearer 1") return -Math.abs(slices.ratios.includes(metric) ? Math.log(value) : value - 1);
  return value;
}
function differenceOf(slices, place) {
  const values = slices.values[metricNow()], [first, second] = [values[0][place], values[otherNow()][place]];
  const difference = first === null || second === null ? NaN : goodness(second, slices) - goodness(first, slices);
  return Number.isFinite(difference) ? difference : null;
}
function sortValue(table, place) {
  const { slices, sort } = table, values = slices.values[metricNow()];
  if (sort === "worst") return values[0][place] === null ? null : -badness(values[0][place], slices.betters[metricNow()]);
  if (sort === "name") return slices.names[place];
  if (sort === "difference") return differenceOf(slices, place);
  if (sort.startsWith("value-")) return values[Number(sort.slice(6))][place];
  return slices[sort][place];
}
function ordered(table) {
  const { slices } = table, last = byId("slice-small").checked, wanted = byId("slice-search").value.trim().toLowerCase();
  const places = slices.names.map((_, place) => place)
    .filter((place) => !wanted || (slices.titles[place] || slices.names[place]).toLowerCase().includes(wanted));
  const key = new Map(places.map((place) => [place, sortValue(table, place)]));
  return places.sort((a, b) => {
    const [x, y] = [key.get(a), key.get(b)];
    if ((x === null) !== (y === null)) return x === null ? 1 : -1;
    if (last && slices.small[a] !== slices.small[b]) return slices.small[a] - slices.small[b];
    const order = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return (table.down ? -order : order) || a - b;
  });
}
function element(tag, classes, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}
function bar(start, end, kind) {
  const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
  const set = (target, values) => { for (const [name, value] of Object.entries(values)) target.setAttribute(name, value); return target; };
  set(svg, { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(set(document.createElementNS(space, "path"), { class: "axis", d: "M50 0V10" }));
  const low = Math.min(start, end).toFixed(2), wide = Math.abs(end - start).toFixed(2);
  svg.append(set(document.createElementNS(space, "rect"), { class: kind, x: low, y: "1", width: wide, height: "8" }));
  return svg;
}
// A bar from the total to the value; of several scores, from no difference to the difference.
function barOf(slices, place) {
  const metric = metricNow(), better = slices.betters[metric], values = slices.values[metric], total = several ? 0 : slices.totals[metric][0];
  const at = (p) => several ? differenceOf(slices, p) : values[0][p];
  const value = at(place);
  if (value === null || total === null) return null;
  const widest = Math.max(...slices.names.map((_, p) => at(p) === null ? 0 : Math.abs(at(p) - total)));
  const worse = several ? value < 0 : badness(value, better) > badness(total, better);
  return bar(50, widest ? 50 + 50 * (value - total) / widest : 50, better !== "depends" && worse ? "worse" : "better");
}
function lineOf(slices, place) {
  const line = element("tr", slices.small[place] ? "small" : ""), name = element("th"), text = element("bdi", "", slices.names[place]);
  name.scope = "row";
  if (slices.titles[place]) text.title = slices.titles[place];
  name.append(text);
  if (slices.small[place]) name.append(" ", element("span", "pill", "small"));
  line.append(name, element("td", several ? "number narrow" : "number", countText(slices.rows[place])));
  if (slices.positives) line.append(element("td", "number narrow", slices.positives[place] === null ? "" : countText(slices.positives[place])));
  for (const column of slices.values[metricNow()]) {
    const cell = element("td", "number", numberText(column[place]));
    if (column[place] !== null) cell.title = String(column[place]);
    line.append(cell);
  }
  if (several) {
    const difference = differenceOf(slices, place);
    line.append(element("td", "number", difference === null ? DASH : signedText(difference)));
  }
  const last = element("td", "wide"), drawnBar = barOf(slices, place);
  if (drawnBar) last.append(drawnBar);
  line.append(last);
  return line;
}
function showTable(table) {
  const places = ordered(table), shown = table.all ? places : places.slice(0, FIRST_LINES), count = table.slices.names.length;
  table.element.tBodies[0].replaceChildren(...shown.map((place) => lineOf(table.slices, place)));
  byId(`slice-count-${table.number}`).textContent = places.length === count ? countText(count) : `${places.length} of ${count}`;
  const more = byId(`slice-more-${table.number}`);
  more.hidden = table.all || places.length <= FIRST_LINES;
  more.textContent = `Show all ${places.length}`;
  for (const head of table.element.tHead.querySelectorAll("th[data-sort]")) {
    const own = head.dataset.sort === table.sort || (table.sort === "worst" && head.dataset.sort === "value-0");
    const rises = table.sort === "worst" ? !["lower", "nearer 0", "nearer 1"].includes(table.slices.betters[metricNow()]) : !table.down;
    if (own) head.setAttribute("aria-sort", table.sort === "worst" && table.slices.betters[metricNow()].startsWith("nearer") ? "other" : rises ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
    const arrow = !own ? "" : head.getAttribute("aria-sort") === "other" ? " ✱" : rises ? " ↑" : " ↓";
    const name = head.dataset.sort === "value-0" && !several ? metricNow() : head.dataset.title;
    head.querySelector("button").textContent = name + arrow;
  }
}
function sortBy(table, name) {
  if (table.sort === name) table.down = !table.down;
  else { table.sort = name; table.down = ["rows", "positives"].includes(name); }
  showTable(table);
}
for (const table of tables) {
  for (const head of table.element.tHead.querySelectorAll("th[data-sort]")) {
    const button = element("button", "");
    button.type = "button";
    head.dataset.title = head.textContent;
    button.addEventListener("click", () => sortBy(table, head.dataset.sort));
    head.replaceChildren(button);
  }
  byId(`slice-more-${table.number}`).addEventListener("click", () => { table.all = true; showTable(table); });
  showTable(table);
}
addEventListener("beforeprint", () => tables.forEach((table) => { table.all = true; showTable(table); }));
if (tables.length) {
  const again = () => tables.forEach(showTable);
  byId("slice-metric").addEventListener("change", () => { for (const table of tables) { table.sort = "worst"; table.down = false; } again(); });
  for (const id of ["slice-search", "slice-small", "slice-score"]) if (byId(id)) byId(id).addEventListener("input", again);
}
