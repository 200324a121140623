/* What moves on the page. Python has drawn every picture; the script moves marks between exact numbers and
   interpolates nothing. It is this file, threshold.js, slices.js and hover.js, inside one function. Its data are in #data (JSON). Text is set with textContent alone.

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
   the Nth score), prevalence-N, break-even-N. data-frame is left, top, right, bottom of the plot; data-ends the ends of x and y; data-points of a curve its values.
   The body has the class `live` once the script runs. */
"use strict";
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
