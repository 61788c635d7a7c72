import { TriangleAlert } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { RiskyKind } from "#domain/moderation/risky-kinds.ts";

/** Warns of files that can do harm when they are opened. Stands before the button that downloads them. */
export function RiskNote({ kinds, isTransfer = false }: { kinds: RiskyKind[] | undefined; isTransfer?: boolean }) {
  const t = useMessages("download");
  const [first, ...others] = kinds ?? [];
  if (first === undefined) return null;
  return (
    <div role="note" className="mt-5 flex items-start gap-3 rounded-2xl border border-amber px-4 py-3 text-sm">
      <TriangleAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-amber-ink" />
      <div className="grid min-w-0 gap-1">
        {isTransfer ? (
          <>
            <p className="font-medium">{t("riskTransfer")}</p>
            <ul className="list-disc ps-5">
              {[first, ...others].map((kind) => (
                <li key={kind}>{t(MANY[kind])}</li>
              ))}
            </ul>
          </>
        ) : (
          <p className="font-medium">{t(ONE[first])}</p>
        )}
        <p>{t("riskAdvice")}</p>
      </div>
    </div>
  );
}

const ONE = {
  program: "riskProgram",
  script: "riskScript",
  page: "riskPage",
  "disk-image": "riskImage",
  shortcut: "riskShortcut",
  macro: "riskMacro",
} as const satisfies Record<RiskyKind, string>;

const MANY = {
  program: "riskPrograms",
  script: "riskScripts",
  page: "riskPages",
  "disk-image": "riskImages",
  shortcut: "riskShortcuts",
  macro: "riskMacros",
} as const satisfies Record<RiskyKind, string>;
