import type { ReportReason } from "#domain/wire.ts";

/** What a visitor may say is wrong with a file. */
export const reportReasons = {
  malware: "Malware or fraud",
  illegal: "Illegal content",
  copyright: "Copyright",
  privacy: "Private data",
  other: "Something else",
} as const satisfies Record<ReportReason, string>;
