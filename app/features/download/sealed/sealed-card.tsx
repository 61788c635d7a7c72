import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { TitleCard } from "#app/ui/card.tsx";

/** The card of a sealed link that is not open yet or cannot be opened. */
export function SealedCard({ text, children }: { text?: string; children?: ReactNode }) {
  const t = useMessages("sealedLinks");
  return (
    <TitleCard icon={Lock} title={t("encryptedTransfer")}>
      {text !== undefined && <p className="mt-2 text-balance text-muted">{text}</p>}
      {children}
    </TitleCard>
  );
}
