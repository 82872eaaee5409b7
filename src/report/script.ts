/**
 * The script of a report: theme switch, sortable tables and a filter for their rows. The report is complete without it. The page's content security
 * policy allows this text alone, by its hash, which a test computes.
 */
export const scriptHash = "sha256-8PPR98sJshCZdvEyO78MG9QcPZ7A1wcijbNtWyUlSdk=";

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
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.append(sorter);
      sorter.addEventListener("click", () => {
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
  for (const input of document.querySelectorAll("input[data-filter]")) {
    const rows = [...document.getElementById(input.dataset.filter).querySelectorAll("tbody tr")];
    const count = document.querySelector("output[for=" + input.id + "]");
    const apply = () => {
      const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.cells[0].textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown++;
      }
      count.textContent = shown === rows.length ? rows.length + " items" : shown + " of " + rows.length + " items";
    };
    input.parentElement.hidden = false;
    input.addEventListener("input", apply);
    apply();
  }
})();
`.trim();
