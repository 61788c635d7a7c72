import { useEffect, useRef } from "react";
import { CopyLine } from "#app/features/account/copy-line.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";

/** New recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const t = useMessages("security");
  const heading = useRef<HTMLHeadingElement>(null);
  // The form or the button that led here is gone.
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section aria-label={t("codes")} className="grid gap-3">
      <h3 ref={heading} tabIndex={-1} className="font-medium">
        {t("codes")}
      </h3>
      <p>{t("codesHelp")}</p>
      <ol className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <CopyLine label={t("copyCodes")} value={codes.join(" ")} />
      <Button className="justify-self-start" onClick={onKept}>
        {t("codesKept")}
      </Button>
    </section>
  );
}
