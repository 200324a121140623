/* What moves on the page. Python has drawn every picture; this script moves marks between exact numbers and
   interpolates nothing. Its data are in #data (JSON). Text is set with textContent alone.

   Elements, by id:
     #threshold           the slider: its value is the place of an operating point, by rising threshold
     #threshold-value     the threshold of that point          #score            which score it is of, if there are several
     #confusion           [data-cell=tp|fp|fn|tn] .count, .share
     #ratios              [data-ratio=precision|recall|f1|specificity|mcc]
     [data-choose]        the buttons f1, youden, break-even, recall (#least-recall), cost (#cost-fp, #cost-fn)
     #negatives           by how much negatives are multiplied, 1 to 100; #negatives-value, #negatives-note
     #announcement        what a screen reader hears when a point was chosen
     #slices-N            the table of the Nth `by`; th[data-sort] has a button; #slice-metric, #slice-score,
                          #slice-search, #slice-small, #slice-count-N, #slice-more-N
   In charts (svg[data-kind]), by data-role: threshold (the line), roc-now, pr-now (the point), pr-N, pr-N-area (the curve of
   the Nth score), prevalence-N, break-even-N. data-frame is left, top, right, bottom of the plot; data-ends the ends of x and y.
   The body has the class `live` once the script runs. */
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const DASH = "–", MINUS = "−";
  document.body.classList.add("live");

  // --- numbers as text, as Python writes them ---
  const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const countText = (value) => {
    if (Number.isInteger(value)) return grouped(String(value));
    const [whole, part] = value.toFixed(2).split(".");
    return `${grouped(whole)}.${part}`;
  };
  const smallText = (size) => String(Number(size.toPrecision(2)));
  const ratioText = (value) => {
    if (Number.isNaN(value)) return DASH;
    const size = Math.abs(value);
    let text = size.toFixed(4);
    if (size > 0 && size < 0.001) text = smallText(size);
    else if (text === "1.0000" && size < 1) text = "0.9999";
    return (value < 0 ? MINUS : "") + text;
  };
  const numberText = (value) => {
    if (value === null || Number.isNaN(value)) return DASH;
    const size = Math.abs(value);
    let text;
    if (size > 0 && size < 0.001) text = smallText(size);
    else if (size >= 1e15) text = size.toPrecision(4);
    else if (size >= 1000) { const [whole, part] = size.toFixed(2).split("."); text = `${grouped(whole)}.${part}`; }
    else text = size.toFixed(4);
    return (value < 0 ? MINUS : "") + text;
  };
  const signedText = (value) => value === 0 ? "0" : value > 0 ? `+${numberText(value)}` : numberText(value);
  const divide = (above, below) => below ? above / below : NaN;

  // --- charts ---
  function frameOf(svg) {
    const [left, top, right, bottom] = svg.dataset.frame.split(" ").map(Number);
    const [x0, x1, y0, y1] = svg.dataset.ends.split(" ").map(Number);
    const within = (share) => Math.min(Math.max(share, 0), 1);
    return {
      x: (value) => left + (right - left) * within((value - x0) / (x1 - x0)),
      y: (value) => bottom - (bottom - top) * within((value - y0) / (y1 - y0)),
      xAt: (place) => x0 + (x1 - x0) * within((place - left) / (right - left)),
    };
  }
  const chartOf = (id) => { const found = byId(id); return found && found.querySelector("svg.chart"); };
  const role = (svg, name) => svg && svg.querySelector(`[data-role="${name}"]`);
  function movePoint(svg, name, x, y) {
    const mark = role(svg, name);
    if (!mark) return;
    const hidden = Number.isNaN(x) || Number.isNaN(y);
    mark.setAttribute("visibility", hidden ? "hidden" : "visible");
    if (hidden) return;
    let circle = mark.querySelector("circle");
    if (!circle) {
      circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      circle.setAttribute("r", "5");
      mark.append(circle);
    }
    const frame = frameOf(svg);
    circle.setAttribute("cx", frame.x(x).toFixed(2));
    circle.setAttribute("cy", frame.y(y).toFixed(2));
  }
  // The place in the SVG's own coordinates of a pointer.
  function pointerIn(svg, event) {
    const box = svg.getBoundingClientRect(), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height];
  }

  // --- the threshold ---
  const slider = byId("threshold"), scores = data.scores, roc = chartOf("figure-roc"), pr = chartOf("figure-pr");
  let current = 0, factor = 1;

  const cellsAt = (score, place) => ({ tp: score.tp[place], fp: score.fp[place], fn: score.fn[place], tn: score.tn[place] });
  function ratiosOf({ tp, fp, fn, tn }) {
    const one = (tp + fp) * (tp + fn), other = (tn + fp) * (tn + fn);
    const root = one === other ? one : Math.sqrt(one) * Math.sqrt(other);  // of −1 and 1 exact
    return {
      precision: divide(tp, tp + fp), recall: divide(tp, tp + fn), f1: divide(2 * tp, 2 * tp + fp + fn),
      specificity: divide(tn, tn + fp), mcc: divide(tp * tn - fp * fn, root),
    };
  }

  function show(place) {
    const score = scores[current], cells = cellsAt(score, place), ratios = ratiosOf(cells);
    const total = cells.tp + cells.fp + cells.fn + cells.tn;
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", score.shown[place]);
    byId("threshold-value").textContent = score.shown[place];
    for (const [name, value] of Object.entries(cells)) {
      const cell = document.querySelector(`#confusion [data-cell="${name}"]`);
      cell.querySelector(".count").textContent = countText(value);
      cell.querySelector(".share").textContent = total ? `${(100 * (value / total)).toFixed(2)}%` : DASH;
    }
    for (const [name, value] of Object.entries(ratios)) {
      document.querySelector(`#ratios [data-ratio="${name}"]`).textContent = ratioText(value);
    }
    for (const figure of document.querySelectorAll(".histograms figure")) {
      const svg = figure.querySelector("svg.chart"), line = role(svg, "threshold"), at = score.thresholds[place];
      const x = frameOf(svg).x(at === null ? Infinity : at).toFixed(2);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
    }
    movePoint(roc, "roc-now", divide(cells.fp, cells.fp + cells.tn), ratios.recall);
    movePoint(pr, "pr-now", ratios.recall, precisionTimes(cells));
    noteNegatives();
  }

  function announce() {
    const score = scores[current], place = Number(slider.value), ratios = ratiosOf(cellsAt(score, place));
    byId("announcement").textContent = `Threshold ${score.shown[place]}: ${countText(score.tp[place] + score.fp[place])} ` +
      `called positive, precision ${ratioText(ratios.precision)}, recall ${ratioText(ratios.recall)}, F1 ${ratioText(ratios.f1)}`;
  }

  // The place with the largest value; of equal ones, the highest threshold. NaN is never the largest.
  function largest(measure) {
    const score = scores[current];
    let best = score.shown.length - 1, most = -Infinity;
    for (let place = score.shown.length - 1; place >= 0; place--) {
      const value = measure(cellsAt(score, place));
      if (value > most) { most = value; best = place; }
    }
    return best;
  }
  const input = (id, otherwise) => { const value = parseFloat(byId(id).value); return Number.isFinite(value) ? value : otherwise; };
  const criteria = {
    "f1": (cells) => ratiosOf(cells).f1,
    "youden": ({ tp, fp, fn, tn }) => tp * (fp + tn) - fp * (tp + fn),  // TPR − FPR times P N: no quotient is rounded
    "break-even": ({ fp, fn }) => -Math.abs(fp - fn),  // as many rows are called as there are positives
    "recall": (cells) => ratiosOf(cells).recall >= Math.min(input("least-recall", 0), 1) ? ratiosOf(cells).precision : NaN,
    "cost": ({ fp, fn }) => -(input("cost-fp", 1) * fp + input("cost-fn", 1) * fn),
  };
  function press(chosen) {
    for (const button of document.querySelectorAll("[data-choose]")) {
      button.setAttribute("aria-pressed", String(button.dataset.choose === chosen));
    }
  }
  function choose(name) { press(name); show(largest(criteria[name])); announce(); }

  // The stored point nearest to a threshold, or to a place on a curve.
  function nearest(distance) {
    const score = scores[current];
    let best = 0, least = Infinity;
    score.shown.forEach((_, place) => {
      const value = distance(score, place);
      if (value < least) { least = value; best = place; }
    });
    return best;
  }
  function draggable(svg, distanceTo) {
    const move = (event) => { press(""); show(nearest(distanceTo(...pointerIn(svg, event)))); };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      move(event);
      event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) move(event); });
    svg.addEventListener("pointerup", announce);
  }

  function chooseScore(place) {
    const at = scores[current].thresholds[Number(slider.value)];
    current = place;
    slider.max = String(scores[current].shown.length - 1);
    document.querySelectorAll(".histograms figure").forEach((figure, number) => { figure.hidden = number !== current; });
    press("");
    show(at === null ? scores[current].start : nearest((score, p) => score.thresholds[p] === null ? Infinity : Math.abs(score.thresholds[p] - at)));
  }

  // --- more negatives: PR moves, ROC stays ---
  const precisionTimes = ({ tp, fp }) => divide(tp, tp + factor * fp);
  function noteNegatives() {
    const note = byId("negatives-note");
    if (!note) return;
    const score = scores[current], cells = cellsAt(score, Number(slider.value));
    const positives = cells.tp + cells.fn, negatives = cells.fp + cells.tn;
    const before = ratiosOf(cells).precision, share = (times) => ratioText(divide(positives, positives + times * negatives));
    note.textContent = factor === 1
      ? "With more negatives of the same kind, precision falls; ROC stays as it is."
      : `With ${factor} times the negatives, ${share(factor)} of the rows are positive (before: ${share(1)}), and the precision at ` +
        `this threshold is ${ratioText(precisionTimes(cells))} (before: ${ratioText(before)}). ROC stays as it is.`;
  }
  // Steps: a recall between two points needs the lower threshold of the two, and has its precision.
  function stepsOf(score, frame) {
    let path = "", before = 0;
    for (let place = score.shown.length - 1; place >= 0; place--) {
      const cells = cellsAt(score, place), recall = divide(cells.tp, cells.tp + cells.fn), precision = precisionTimes(cells);
      if (Number.isNaN(precision)) continue;
      const y = frame.y(precision).toFixed(2);
      path += `${path ? "L" : "M"}${frame.x(before).toFixed(2)} ${y}L${frame.x(recall).toFixed(2)} ${y}`;
      before = recall;
    }
    return path;
  }
  const drawn = new Map();  // what Python has drawn, for a factor of 1
  function attribute(mark, name, value) {
    if (!mark) return;
    if (!drawn.has(mark)) drawn.set(mark, {});
    if (!(name in drawn.get(mark))) drawn.get(mark)[name] = mark.getAttribute(name);
    mark.setAttribute(name, factor === 1 ? drawn.get(mark)[name] : value);
  }
  // The area below the steps: of these points, so near AP.
  function areaOf(score) {
    let area = 0, before = 0;
    for (let place = score.shown.length - 1; place >= 0; place--) {
      const cells = cellsAt(score, place), recall = divide(cells.tp, cells.tp + cells.fn);
      if (recall > before) area += (recall - before) * precisionTimes(cells);
      before = recall;
    }
    return area;
  }
  // A number in the legend, whose first entries are the curves; null: in the entry that has it.
  function entry(number, pattern, text) {
    const entries = [...pr.querySelectorAll(".legend text")];
    for (const each of number === null ? entries : entries.slice(number, number + 1)) {
      if (!drawn.has(each)) drawn.set(each, each.textContent);
      const before = drawn.get(each);
      if (each.querySelector("title") || !pattern.test(before)) continue;  // a name that was cut has no number
      each.textContent = factor === 1 ? before : before.replace(pattern, text);
    }
  }
  function multiply(times) {
    factor = times;
    byId("negatives-value").textContent = String(times);
    const frame = frameOf(pr), base = frame.y(0).toFixed(2);
    scores.forEach((score, number) => {
      const path = stepsOf(score, frame);
      attribute(role(pr, `pr-${number}`), "d", path);
      attribute(role(pr, `pr-${number}-area`), "d", `${path.replace("M", `M${frame.x(0).toFixed(2)} ${base}L`)}L${frame.x(1).toFixed(2)} ${base}Z`);
      const all = cellsAt(score, 0), positives = all.tp + all.fn, negatives = all.fp + all.tn;
      const prevalence = frame.y(divide(positives, positives + times * negatives)).toFixed(2);
      for (const end of ["y1", "y2"]) attribute(role(pr, `prevalence-${number}`), end, prevalence);
      entry(number, /AP (≈ )?[\d.]+(?=\)?$)/, `AP ≈ ${Number(areaOf(score).toPrecision(2))}`);
      entry(null, /^prevalence [\d.e-]+$/, `prevalence ${Number(divide(positives, positives + times * negatives).toPrecision(3))}`);
      const mark = role(pr, `break-even-${number}`), circle = mark && mark.querySelector("circle");
      if (!circle) return;
      let best = null, least = Infinity;
      score.shown.forEach((_, place) => {
        const cells = cellsAt(score, place), gap = Math.abs(times * cells.fp - cells.fn);
        if (gap < least && cells.tp + cells.fp > 0) { least = gap; best = cells; }  // nothing called has no precision
      });
      attribute(circle, "cx", frame.x(divide(best.tp, best.tp + best.fn)).toFixed(2));
      attribute(circle, "cy", frame.y(precisionTimes(best)).toFixed(2));
    });
    show(Number(slider.value));
  }

  if (slider) {
    slider.addEventListener("input", () => { press(""); show(Number(slider.value)); });
    slider.addEventListener("change", announce);
    for (const button of document.querySelectorAll("[data-choose]")) {
      button.setAttribute("aria-pressed", String(button.dataset.choose === "f1"));
      button.addEventListener("click", () => choose(button.dataset.choose));
    }
    for (const [id, name] of [["least-recall", "recall"], ["cost-fp", "cost"], ["cost-fn", "cost"]]) {
      byId(id).addEventListener("change", () => choose(name));
    }
    for (const svg of document.querySelectorAll(".histograms svg.chart")) {
      const frame = frameOf(svg);
      draggable(svg, (x) => (score, place) => score.thresholds[place] === null ? Infinity : Math.abs(score.thresholds[place] - frame.xAt(x)));
    }
    const near = (svg, at) => {
      const frame = frameOf(svg);
      draggable(svg, (x, y) => (score, place) => { const [a, b] = at(cellsAt(score, place)); return Math.hypot(frame.x(a) - x, frame.y(b) - y); });
    };
    if (roc) near(roc, (cells) => [divide(cells.fp, cells.fp + cells.tn), ratiosOf(cells).recall]);
    if (pr) near(pr, (cells) => [ratiosOf(cells).recall, precisionTimes(cells)]);
    if (byId("score")) byId("score").addEventListener("change", (event) => chooseScore(Number(event.target.value)));
    if (byId("negatives")) byId("negatives").addEventListener("input", (event) => multiply(Number(event.target.value)));
    document.querySelectorAll(".histograms figure").forEach((figure, number) => { figure.hidden = number !== 0; });
    show(Number(slider.value));
  }

  // --- slices ---
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
  function differenceOf(slices, place) {
    const values = slices.values[metricNow()], [first, second] = [values[0][place], values[otherNow()][place]];
    return first === null || second === null ? null : second - first;
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
    const worse = several
      ? badness(values[otherNow()][place], better) > badness(values[0][place], better)
      : badness(value, better) > badness(total, better);
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
  if (tables.length) {
    const again = () => tables.forEach(showTable);
    byId("slice-metric").addEventListener("change", () => { for (const table of tables) { table.sort = "worst"; table.down = false; } again(); });
    for (const id of ["slice-search", "slice-small", "slice-score"]) if (byId(id)) byId(id).addEventListener("input", again);
  }
})();
