/** Pictures of items: data URLs of raster images, recognized by their first bytes. SVG is refused, because it may hold scripts. */
import { HttpError } from "../http/http-error.ts";

export const PICTURE_BYTES = 150_000;

export interface Picture {
  readonly type: string;
  readonly bytes: Buffer;
}

const starts = (bytes: Buffer, at: number, text: string) => bytes.subarray(at, at + text.length).toString("latin1") === text;

const KINDS: readonly (readonly [type: string, fits: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => starts(bytes, 0, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => starts(bytes, 0, "\xff\xd8\xff")],
  ["image/gif", (bytes) => starts(bytes, 0, "GIF87a") || starts(bytes, 0, "GIF89a")],
  ["image/webp", (bytes) => starts(bytes, 0, "RIFF") && starts(bytes, 8, "WEBP")],
  ["image/avif", (bytes) => starts(bytes, 4, "ftypavif")],
];

/** The picture of a data URL; `who` names the item in messages. */
export function pictureOf(url: string, who: string): Picture {
  const [, text] = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  if (text === undefined)
    throw new HttpError(
      400,
      "invalid_picture",
      `the picture of ${who}: expected a data URL of a PNG, JPEG, GIF, WebP or AVIF image`,
    );
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > PICTURE_BYTES)
    throw new HttpError(
      413,
      "picture_too_large",
      `the picture of ${who} has ${bytes.length} bytes, more than the limit of ${PICTURE_BYTES}`,
    );
  const kind = KINDS.find(([, fits]) => fits(bytes));
  if (!kind) throw new HttpError(400, "invalid_picture", `the picture of ${who} is not a PNG, JPEG, GIF, WebP or AVIF image`);
  return { type: kind[0], bytes };
}
