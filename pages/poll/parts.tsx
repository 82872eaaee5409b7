/** Small parts that several views have. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The frame of a view: the way home, and the title of the page. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · tier-list poll`;
  }, [title]);
  return (
    <main>
      <a class="brand" href="/">
        <img src="/icon.svg" alt="" />
        Tier-list polls
      </a>
      {children}
    </main>
  );
}

export const Problem = ({ children }: { children: ComponentChildren }) => (
  <p class="notice bad" role="alert">
    {children}
  </p>
);

/** A link to send, with a button that copies it. */
export function LinkToShare({ label, url }: { label: string; url: string }) {
  const [copied, setCopied] = useState(false);
  const text = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      getSelection()?.selectAllChildren(text.current!); // no clipboard without https: the link is selected instead
    }
  };
  return (
    <div class="field">
      <p class="small soft">{label}</p>
      <div class="row">
        <span class="link" ref={text}>
          {url}
        </span>
        <button type="button" onClick={copy} aria-label={`Copy: ${label}`}>
          {copied ? "Copied" : "Copy"}
        </button>
      </div>
    </div>
  );
}

/** A name with its picture or color. */
export function Chip({ name, color, picture }: { name: string; color: string; picture?: string | undefined }) {
  return (
    <span class="chip">
      {picture === undefined ? <span class="swatch" style={{ backgroundColor: color }} /> : <img src={picture} alt="" />}
      <bdi>{name}</bdi>
    </span>
  );
}

export const counted = (count: number, noun: string) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Saves a text as a file. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
