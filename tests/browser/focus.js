// The element that has the focus: whether it is seen, and its place in the page.
() => {
  const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
  if (e === document.body) return null;
  return {
    html: e.outerHTML.slice(0, 120),
    outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
    place: [...document.querySelectorAll("*")].indexOf(e),
  };
}
