// The threshold and the class balance: what the sliders, the buttons and dragging move.
const slider = byId("threshold"), scores = data.scores, roc = chartOf("figure-roc"), pr = chartOf("figure-pr");
let current = 0, factor = 1;

const cellsAt = (score, place) => ({ tp: score.tp[place], fp: score.fp[place], fn: score.fn[place], tn: score.tn[place] });
function ratiosOf(cells) {
  const most = Math.max(...Object.values(cells)), part = most > 1e-70 && most < 1e70 || !most ? 1 : most;  // a product may be beyond a number
  const [tp, fp, fn, tn] = ["tp", "fp", "fn", "tn"].map((name) => cells[name] / part);
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
