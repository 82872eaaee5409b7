/** Codes that were issued, to be copied now. */
import { download } from "./parts.tsx";

export function CodeList({ codes }: { codes: readonly string[] }) {
  return (
    <section class="card">
      <h2>Codes for voters</h2>
      <p class="soft">Give each voter one. They are shown only now; the server keeps no copy that can be read.</p>
      <textarea aria-label="Codes" rows={Math.min(8, codes.length)} readOnly value={codes.join("\n")} />
      <p>
        <button type="button" onClick={() => download("codes.txt", new Blob([`${codes.join("\n")}\n`], { type: "text/plain" }))}>
          Save as a file
        </button>
      </p>
    </section>
  );
}
