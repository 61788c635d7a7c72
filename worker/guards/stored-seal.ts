import type { AppError } from "#domain/errors.ts";
import type { Kdf } from "#domain/seal/password.ts";
import type { LockedSeal, SealAtStart, SealState } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";

/** The column `seal`, as JSON. Nothing in it opens the link without its key. */
export interface StoredSeal {
  v: 1;
  salt: string;
  wrap: string;
  commitment: string;
  /** Only where the key needs a password. */
  kdf?: Kdf;
}

export function encodeSeal({ v, salt, wrap, commitment, kdf }: Pick<SealAtStart, keyof StoredSeal>): string {
  return JSON.stringify({ v, salt, wrap, commitment, kdf } satisfies Record<keyof StoredSeal, unknown>);
}

/** @returns null for a plain link */
export function sealOf({ seal }: Pick<FileRow, "seal">): StoredSeal | null {
  return seal === null ? null : (JSON.parse(seal) as StoredSeal);
}

/** For whoever knows the link's address alone. */
export function lockedSeal({ salt, kdf }: StoredSeal): LockedSeal {
  return { guard: "sealed", salt, ...(kdf && { kdf }) };
}

/** What LINK_LOCKED says of a sealed link; nothing for one with a password alone. */
export function lockedSealOf({ details }: AppError): { seal?: LockedSeal } {
  if (details["guard"] !== "sealed") return {};
  // `openLink` has filled in what `lockedSeal` gives.
  const { salt, kdf } = details as unknown as LockedSeal;
  return { seal: { guard: "sealed", salt, ...(kdf && { kdf }) } };
}

type ManifestColumns = Pick<FileRow, "manifestRevision" | "manifestFinal">;

/** The field of an answer; nothing for a plain link. A new link's manifest is its start's. */
export function sealStateOf(row: { seal: string | null } & Partial<ManifestColumns>): { seal?: SealState } {
  const seal = sealOf(row);
  if (seal === null) return {};
  return { seal: { ...lockedSeal(seal), revision: row.manifestRevision ?? 0, final: row.manifestFinal ?? false } };
}
