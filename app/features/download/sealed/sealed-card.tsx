import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";

/** What stands in the place of a transfer that is not open. */
export function SealedCard({ text, children }: { text?: string; children?: ReactNode }) {
  const t = useMessages("sealedLinks");
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-reed">
        <Lock size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{t("encryptedTransfer")}</h1>
      {text !== undefined && <p className="mt-2 text-balance text-muted">{text}</p>}
      {children}
    </Card>
  );
}
