/** The links of a poll that was just created. */
import { useEffect, useRef } from "preact/hooks";
import type { CreatedPoll } from "../../src/server/poll/types.ts";
import { CodeList } from "./code-list.tsx";
import { LinkToShare, Page } from "./parts.tsx";

export function CreatedView({ created: { poll, admin, codes } }: { created: CreatedPoll }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const url = `${location.origin}/p/${poll}`;
  return (
    <Page title="Poll created">
      <h1 ref={heading} tabIndex={-1}>
        Your poll is ready
      </h1>
      <section class="card">
        <h2>For voters</h2>
        <LinkToShare label="Send this link to everyone who should vote" url={url} />
        <div class="row">
          <a class="button main" href={`/p/${poll}`}>
            Open the poll
          </a>
          <a class="button" href={`/p/${poll}/results`}>
            Results
          </a>
        </div>
      </section>
      {codes.length > 0 && <CodeList codes={codes} />}
      <section class="card">
        <h2>For you alone</h2>
        <LinkToShare label="Admin link: end, export or delete the poll" url={`${location.origin}/admin#${admin}`} />
        <p class="notice">Keep the admin link: it is shown only now, and nobody can recover it.</p>
      </section>
    </Page>
  );
}
