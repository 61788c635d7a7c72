import type { ReportReason } from "#domain/wire.ts";

/** What a visitor may say is wrong with a file. */
export const REPORT_REASON_WORDS: Record<ReportReason, string> = {
  malware: "Malware or fraud",
  illegal: "Illegal content",
  copyright: "Copyright",
  privacy: "Private data",
  other: "Something else",
};
