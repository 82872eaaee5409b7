/** Unguessable tokens. The database has only their SHA-256, so that nobody who reads it can vote or administrate. */
import { createHash, randomBytes, randomInt } from "node:crypto";

/** 128 random bits in 22 characters of URLs. */
export const newToken = (): string => randomBytes(16).toString("base64url");

export const isToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** The token of a poll follows from that of its admin, so the admin can always find the link for voters. */
export const pollTokenOf = (admin: string): string =>
  createHash("sha256").update(`tierwise poll ${admin}`).digest().subarray(0, 16).toString("base64url");

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // without those that look alike

/** A code for one voter, easy to type: 59 random bits as xxxx-xxxx-xxxx. */
export function newCode(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${group()}-${group()}-${group()}`;
}

/** A code as it was issued, however it was typed. */
export const normalCode = (text: string): string => {
  const letters = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].join("-");
};

export const hashed = (secret: string): Buffer => createHash("sha256").update(secret).digest();
