import { fillFacts } from "#domain/facts.ts";
import type { Settings } from "../settings.ts";

/** Writes out what a text in the database names in braces, this deployment's own facts among it. */
export function withFacts(text: string, { contactEmail }: Settings): string {
  return fillFacts(text, { contactEmail });
}
