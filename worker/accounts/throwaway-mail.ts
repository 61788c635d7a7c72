import domains from "#build/throwaway-domains.js";
import { AppError } from "#domain/errors.ts";
import type { Services } from "../services.ts";

let known: Set<string> | null = null;

/** @param email lower case @returns whether its domain, or one above it, gives out throw-away addresses */
function isThrowaway(email: string): boolean {
  known ??= new Set(domains.split("\n"));
  const labels = email.slice(email.lastIndexOf("@") + 1).split(".");
  return labels.some((_, index) => known?.has(labels.slice(index).join(".")) === true);
}

/** @throws AppError THROWAWAY_ADDRESS for an address that nobody keeps, unless the deployment allows them */
export function requireLastingAddress({ settings }: Services, email: string): void {
  if (!settings.throwawayMail && isThrowaway(email.toLowerCase())) throw new AppError("THROWAWAY_ADDRESS");
}
