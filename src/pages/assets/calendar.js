/* The calendar by keyboard: arrows go from cell to cell, changed cells are marked, and only they are
   sent. Without this script the form sends every cell, and the service finds what has changed. */
(() => {
  const form = document.querySelector("form.calendar");
  if (!form) return;
  const cells = [...form.querySelectorAll("table input")];
  const status = document.getElementById("staged");
  const hint = status.textContent;
  const first = new Map(cells.map((cell) => [cell, cell.defaultValue]));
  const rows = [...form.querySelectorAll("tr")].filter((row) => row.querySelector("input"));
  const changed = new Set();

  /** A calendar has thousands of cells: one that is edited looks at no other. */
  function mark(cell) {
    const isChanged = cell.value.trim() !== first.get(cell);
    if (isChanged === changed.has(cell)) return;
    if (isChanged) changed.add(cell);
    else changed.delete(cell);
    cell.toggleAttribute("data-changed", isChanged);
    cell.title = isChanged ? `was ${first.get(cell)}` : "";
    const { size } = changed;
    status.textContent = size === 0 ? hint : `${size} ${size === 1 ? "change" : "changes"}`;
  }

  /** The cell so many columns and rows away; rows without fields are passed over. */
  function next(cell, columns, down) {
    const { cellIndex } = cell.closest("td");
    const row = rows[rows.indexOf(cell.closest("tr")) + down];
    return row?.cells[cellIndex + columns]?.querySelector("input");
  }

  const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], Enter: [0, 1] };
  const sideways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  form.addEventListener("keydown", (event) => {
    const { target: cell, key, ctrlKey, metaKey } = event;
    if (!first.has(cell) || metaKey) return;
    if (key === "Escape") {
      cell.value = first.get(cell);
      mark(cell);
      return;
    }
    const { selectionStart: start, selectionEnd: end, value } = cell;
    const isWhole = end - start === value.length;
    const isAtEdge = start === end && end === (key === "ArrowLeft" ? 0 : value.length);
    const step = steps[key] ?? ((isWhole || isAtEdge || ctrlKey) && sideways[key]);
    const there = step && next(cell, ...step);
    if (!step) return;
    event.preventDefault();
    there?.focus();
  });
  form.addEventListener("focusin", ({ target }) => {
    if (first.has(target)) target.select();
  });
  form.addEventListener("input", ({ target }) => mark(target));
  /** A column of a spreadsheet, or a block of cells. */
  form.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").trimEnd();
    if (!first.has(event.target) || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    for (const [row, line] of text.split(/\r?\n/).entries()) {
      for (const [column, value] of line.split("\t").entries()) {
        const cell = next(event.target, column, row);
        if (!cell) continue;
        cell.value = value.trim();
        mark(cell);
      }
    }
  });
  form.addEventListener("submit", () => {
    for (const cell of cells) cell.disabled = !changed.has(cell);
  });
  // Back from the preview: the cells can be edited again.
  addEventListener("pageshow", () => {
    for (const cell of cells) {
      cell.disabled = false;
      mark(cell);
    }
  });
  addEventListener("beforeunload", (event) => {
    const isSent = cells.some(({ disabled }) => disabled);
    if (changed.size > 0 && !isSent) event.preventDefault();
  });
})();
