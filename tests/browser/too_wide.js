// What makes the page wider than the window. Tables may scroll inside their own box.
() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (e) => e && e !== document.body &&
    (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
  const found = [...document.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement));
  return [`${document.documentElement.scrollWidth} > ${width}`, ...found.map((e) => e.outerHTML.slice(0, 120))];
}
