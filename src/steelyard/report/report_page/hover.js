// Values beside a curve: of the point nearest to the pointer. Python wrote them (data-points); nothing is interpolated.
const NEAR = 40, SVG = "http://www.w3.org/2000/svg"; // in the coordinates of the chart
function drawnPoints(svg) {
  const frame = frameOf(svg);
  return [...svg.querySelectorAll("[data-points]")].flatMap((line) => line.dataset.points.split(" ").map((pair) => {
    const [x, y] = pair.split(",");
    return { x, y, name: line.dataset.name || "", left: frame.x(Number(x)), top: frame.y(Number(y)) };
  }));
}
function pointNear(points, left, top) {
  let found = null, best = NEAR;
  for (const point of points) {
    const distance = Math.hypot(point.left - left, point.top - top);
    if (distance < best) { found = point; best = distance; }
  }
  return found;
}
function showValues(svg, label, point) {
  const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number), right = point.left > width / 2;
  const [circle, text] = label.children, lines = [`${svg.dataset.x} ${point.x}`, `${svg.dataset.y} ${point.y}`];
  if (point.name) lines.unshift(point.name);
  circle.setAttribute("cx", point.left); circle.setAttribute("cy", point.top);
  text.setAttribute("text-anchor", right ? "end" : "start");
  const first = Math.max(point.top - 15 * lines.length, 14);
  text.replaceChildren(...lines.map((words, place) => {
    const line = document.createElementNS(SVG, "tspan");
    line.setAttribute("x", point.left + (right ? -9 : 9)); line.setAttribute("y", first + 15 * place);
    line.textContent = words;
    return line;
  }));
  label.setAttribute("visibility", "visible");
}
for (const svg of document.querySelectorAll("svg.chart")) {
  if (!svg.querySelector("[data-points]")) continue;
  const points = drawnPoints(svg), label = document.createElementNS(SVG, "g"), circle = document.createElementNS(SVG, "circle");
  circle.setAttribute("r", "5");
  label.setAttribute("class", "hover"); label.setAttribute("visibility", "hidden"); label.setAttribute("aria-hidden", "true");
  label.append(circle, document.createElementNS(SVG, "text"));
  svg.append(label);
  const hide = () => label.setAttribute("visibility", "hidden");
  const show = (event) => {
    const moved = svg.dataset.kind === "pr" && byId("negatives") && byId("negatives").value !== "1"; // another curve is drawn
    const point = moved ? null : pointNear(points, ...pointerIn(svg, event));
    if (point) showValues(svg, label, point); else hide();
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", hide);
}
