// Text with too little contrast (WCAG 2.1, 1.4.3: 4.5, and 3 if it is large).
// Text on a coloured cell is left out.
() => {
  const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const colour = (text) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => {
    const mix = (at) => top[at] * top[3] + below[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const behind = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement)
      layers.push(colour(getComputedStyle(at).backgroundColor));
    const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
      matchMedia("(prefers-color-scheme: dark)").matches;
    const canvas = dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return layers.reduceRight((below, top) => over(top, below), canvas);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const opacity = (e) => e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1;
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
    if (!text || e.closest("script, style, title, desc, .strong") || !e.checkVisibility()) continue;
    if (e.closest("[disabled]")) continue;
    const style = getComputedStyle(e), drawn = e instanceof SVGElement;
    const top = colour(drawn ? style.fill : style.color), below = behind(e);
    top[3] *= opacity(e) * (drawn ? Number(style.fillOpacity) : 1);
    const [high, low] = [light(over(top, below)), light(below)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5))
      found.add(`${ratio.toFixed(2)}: ${e.tagName} .${e.getAttribute("class")} ${text.slice(0, 40)}`);
  }
  return [...found];
}
