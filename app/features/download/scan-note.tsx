import { ShieldAlert, ShieldCheck, ShieldQuestion } from "lucide-react";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { SeenScan } from "#domain/wire.ts";

const ICONS = {
  pending: ShieldQuestion,
  sealed: ShieldQuestion,
  unscanned: ShieldQuestion,
  clean: ShieldCheck,
  infected: ShieldAlert,
} as const;

/** What the virus scanner says of a link. A link with a finding is seen only by its owner and administrators. */
export function ScanNote({ scan }: { scan: SeenScan | undefined }) {
  const t = useMessages("download");
  const writeMoment = useMoment();
  if (scan === undefined) return null;
  const Icon = ICONS[scan.state];
  const text =
    scan.state === "infected"
      ? t("scanInfected", { finding: scan.finding })
      : scan.state === "clean"
        ? t("scanClean", { date: writeMoment(scan.at) })
        : t(SENTENCES[scan.state]);
  const isAlert = scan.state === "infected";
  return (
    <p
      role={isAlert ? "alert" : undefined}
      className={`mt-4 flex items-start gap-2 text-sm ${
        isAlert ? "rounded-2xl border border-danger px-4 py-3" : "text-muted"
      }`}
    >
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${isAlert ? "text-danger" : ""}`} />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}

const SENTENCES = { pending: "scanPending", sealed: "scanSealed", unscanned: "scanTooLarge" } as const;
