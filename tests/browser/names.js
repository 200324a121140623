// What a screen reader cannot name, in words.
() => {
  const found = [], all = (query) => [...document.querySelectorAll(query)];
  const show = (e) => e.outerHTML.slice(0, 120);
  const referred = (e, name) => (e.getAttribute(name) || "").split(/\s+/).filter(Boolean);
  const named = (e) =>
    (e.getAttribute("aria-label") || "").trim() ||
    referred(e, "aria-labelledby").some((id) => document.getElementById(id)?.textContent.trim());
  if (!document.documentElement.lang) found.push("the page has no language");
  if (!document.title.trim()) found.push("the page has no title");
  for (const e of all("input, select, textarea"))
    if (!named(e) && ![...(e.labels || [])].some((l) => l.textContent.trim()))
      found.push("no label: " + show(e));
  for (const e of all("button, a[href], summary, [role=button]"))
    if (!named(e) && !e.textContent.trim()) found.push("no name: " + show(e));
  for (const e of all("svg")) {
    if (e.getAttribute("aria-hidden") === "true") continue;
    if (e.getAttribute("role") !== "img") found.push("svg without a role: " + show(e));
    const title = [...e.children].find((child) => child.tagName === "title");
    if (!named(e) && !title?.textContent.trim()) found.push("svg without a title: " + show(e));
  }
  for (const e of all("table")) {
    if (!e.querySelector("th")) found.push("table without headers: " + show(e));
    const region = e.closest("[role=region]");
    if (!e.caption?.textContent.trim() && !named(e) && !(region && named(region)))
      found.push("table without a name: " + show(e));
  }
  for (const e of all("th")) if (!e.scope) found.push("header without scope: " + show(e));
  const ids = all("[id]").map((e) => e.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at)))
    found.push("id used twice: " + id);
  for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"])
    for (const e of all(`[${name}]`))
      for (const id of referred(e, name))
        if (!document.getElementById(id)) found.push(`${name} of nothing: ` + show(e));
  for (const e of all("a[href^='#']"))
    if (!document.getElementById(e.getAttribute("href").slice(1)))
      found.push("link to nothing: " + show(e));
  for (const e of all("[tabindex]")) if (e.tabIndex > 0) found.push("tabindex: " + show(e));
  const levels = all("h1, h2, h3, h4, h5, h6").map((e) => Number(e.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) found.push("not one h1");
  levels.forEach((level, at) => {
    if (level > (at ? levels[at - 1] : 0) + 1) found.push(`a heading h${level} skips a level`);
  });
  return found;
}
