import type { ReportReason } from "#domain/wire.ts";

export const reportReasons = {
  malware: "Malware or fraud",
  illegal: "Illegal content",
  copyright: "Copyright",
  privacy: "Private data",
  other: "Something else",
} as const satisfies Record<ReportReason, string>;
