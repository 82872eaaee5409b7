/** The script of a report: theme switch and sortable tables. The report is complete without it. */
export const script = `
(() => {
  const root = document.documentElement;
  const button = document.querySelector(".theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const setLabel = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", dark() ? "Switch to light colours" : "Switch to dark colours"); };
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; setLabel(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", setLabel);
  setLabel();
  const value = (row, column) => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent; };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const words = head.innerHTML;
      head.innerHTML = "<button type=button>" + words + "</button>";
      head.firstChild.addEventListener("click", () => {
        const numeric = head.classList.contains("number");
        const before = head.getAttribute("aria-sort");
        const up = before ? before === "descending" : !numeric;
        const body = table.tBodies[0];
        const rows = [...body.rows].sort((a, b) => {
          const [x, y] = [value(a, column), value(b, column)];
          if (!numeric) return (up ? 1 : -1) * x.localeCompare(y, undefined, { numeric: true });
          const [m, n] = [parseFloat(x), parseFloat(y)];
          if (Number.isNaN(m) || Number.isNaN(n)) return Number.isNaN(m) - Number.isNaN(n);
          return up ? m - n : n - m;
        });
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        body.append(...rows);
      });
    });
  }
})();
`.trim();
