// Values of slices with their intervals, on pages that have some: Python wrote the texts.
const plainLineOf = lineOf;
lineOf = (slices, place) => {
  const line = plainLineOf(slices, place), texts = slices.texts && slices.texts[metricNow()];
  if (!texts) return line;
  const cells = line.querySelectorAll("td"), first = slices.positives ? 2 : 1;
  texts.forEach((column, score) => {
    const [number, interval] = column[place], cell = cells[first + score];
    cell.textContent = number;
    if (interval) cell.append(" ", element("span", "interval", interval));
  });
  return line;
};
tables.forEach(showTable);
