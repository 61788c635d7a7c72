import type { ReportReason } from "#domain/wire.ts";

export const reportReasons = {
  malware: "Malware or fraud",
  phishing: "Phishing: it asks for passwords or payments under a false name",
  illegal: "Illegal content",
  copyright: "Copyright",
  privacy: "Private pictures or data",
  "child-abuse": "Sexual abuse of children",
  other: "Something else",
} as const satisfies Record<ReportReason, string>;
