"use strict";
const table = document.getElementById("assets");
const body = table.tBodies[0];
const rows = [...body.rows];
const filter = document.getElementById("filter");
const count = document.getElementById("count");
const value = (row, column) => {
  const cell = row.cells[column];
  const number = cell.dataset.value;
  return number === undefined ? cell.textContent : Number(number);
};
[...table.tHead.rows[0].cells].forEach((heading, column) => {
  heading.querySelector("button").addEventListener("click", () => {
    const falls = heading.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falls ? "ascending" : "descending");
    const sign = falls ? 1 : -1;
    rows.sort((a, b) => {
      const [x, y] = [value(a, column), value(b, column)];
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (x < y ? -1 : x > y ? 1 : 0);
    });
    body.append(...rows);
  });
});
const show = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  count.textContent = `${shown} of ${rows.length}`;
};
filter.addEventListener("input", show);
show();
