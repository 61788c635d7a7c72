import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatDuration, SECOND_MS } from "#domain/units.ts";
import { RESEND_CAUSES, UPLOAD_WAITS, type UploadSummary } from "#domain/wire.ts";

const ROUTES = { direct: "sentDirect", proxy: "sentProxy", both: "sentBoth", chunks: "sentChunks" } as const;
const CAUSES = {
  network: "againNetwork",
  timeout: "againTimeout",
  rejected: "againRejected",
  stalled: "againStalled",
} as const;

const WAITS = { files: "waitedFiles", server: "waitedServer", person: "waitedPerson" } as const;

/** Why an upload was slow: what its sender saw. */
export function HowItWent({ summary }: { summary: UploadSummary }) {
  const t = useMessages("adminRecords");
  const { transport, seconds, sentAgain, waited, stalledSeconds, lineShare } = summary;
  const causes = RESEND_CAUSES.filter((cause) => sentAgain[cause] > 0);
  const waits = UPLOAD_WAITS.flatMap((wait) => {
    const waitedSeconds = waited?.[wait] ?? 0;
    return waitedSeconds > 0 ? [t(WAITS[wait], { duration: formatDuration(waitedSeconds * SECOND_MS) })] : [];
  });
  const lines = [
    t("howItWent", { route: t(ROUTES[transport]), duration: formatDuration(seconds * SECOND_MS), share: lineShare }),
    ...(causes.length > 0
      ? [t("partsAgain", { causes: causes.map((cause) => t(CAUSES[cause], { count: sentAgain[cause] })).join(", ") })]
      : []),
    ...(waits.length > 0 ? [t("waited", { waits: waits.join(", ") })] : []),
    ...(stalledSeconds > 0 ? [t("nothingMoved", { duration: formatDuration(stalledSeconds * SECOND_MS) })] : []),
  ];
  return lines.map((line) => (
    <span key={line} className="mt-1 block text-xs text-muted">
      {line}
    </span>
  ));
}
