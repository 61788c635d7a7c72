import * as z from "zod/mini";
import { typedSite } from "../requests/origins.ts";
import { parseSize } from "../requests/typed-size.ts";
import { createUploadRequest } from "./requests.ts";

/** The dashboard's form for a new request and for a changed one: sizes with units, lists as people type them. */
export const uploadRequestForm = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((form): Record<string, unknown> => {
      const textOf = (value: unknown) => (typeof value === "string" ? value : "");
      const text = (name: string) => textOf(form[name]).trim();
      return {
        title: text("title"),
        note: text("note"),
        expiresIn: text("expiresIn") || undefined,
        keepFor: text("keepFor") || undefined,
        mostBytes: parseSize(text("mostBytes")),
        mostFileBytes: parseSize(text("mostFileBytes")),
        mostTransfers: parseCount(text("mostTransfers")),
        kinds: nullIfEmpty(listOf(text("kinds"), /[\s,;]+/)),
        origins: listOf(text("origins"), /[\s,;]+/).map(typedSite),
        asksName: "asksName" in form,
        asksEmail: "asksEmail" in form,
        ...(textOf(form.password) !== "" && { password: form.password }),
        notify: text("notify") || undefined,
      };
    }),
  ),
  createUploadRequest,
);

/** @returns NaN for what is no whole number; null for nothing */
function parseCount(text: string): number | null {
  if (text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}

function listOf(text: string, separator: RegExp): string[] {
  return text.split(separator).filter((item) => item !== "");
}

function nullIfEmpty(list: string[]): string[] | null {
  return list.length === 0 ? null : list;
}
