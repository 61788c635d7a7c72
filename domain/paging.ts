import * as z from "zod/mini";
import { fromBase64url, toBase64url } from "./bytes-as-text.ts";
import { messageName } from "./field-messages.ts";

/** Where a page of a list begins or ends: beside a row that belongs to the neighbouring page. */
export interface PageEdge {
  /** The page's number, from 1. */
  page: number;
  side: "after" | "before";
  /** The row's value in the order of the list. */
  value: string | number;
  rowid: number;
}

const edge = z.tuple([
  z.number().check(z.int(), z.minimum(1)),
  z.enum(["after", "before"]),
  z.union([z.string(), z.number()]),
  z.number().check(z.int()),
]);

export function writeCursor({ page, side, value, rowid }: PageEdge): string {
  const fields: z.infer<typeof edge> = [page, side, value, rowid];
  return toBase64url(new TextEncoder().encode(JSON.stringify(fields)));
}

/** @returns null for anything but the text of `writeCursor` */
export function readCursor(cursor: string): PageEdge | null {
  const bytes = fromBase64url(cursor);
  if (!bytes) return null;
  try {
    const [page, side, value, rowid] = edge.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return { page, side, value, rowid };
  } catch {
    return null;
  }
}

/** The cursor in a list's query. A cursor of a list by name contains a file name, of up to 255 characters. */
export const pageCursor = z.string().check(
  z.maxLength(2000),
  z.refine((text) => readCursor(text) !== null, messageName("notCursor")),
);
