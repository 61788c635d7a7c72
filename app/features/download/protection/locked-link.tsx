import { useRevalidator } from "@remix-run/react";
import { Lock } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { TitleCard } from "#app/ui/card.tsx";
import type { Refusal } from "../refusal.ts";
import { UnlockForm } from "./unlock-form.tsx";

interface LockedLinkProps {
  downloadId: string;
  refusal: Refusal | null;
  /** Whether the page was unlocked before, and its grant has ended. */
  isAgain: boolean;
}

/** The page that asks for a link's password, and tells nothing about the link's files. */
export default function LockedLink({ downloadId, refusal, isAgain }: LockedLinkProps) {
  const t = useMessages("guardedLinks");
  const { revalidate, state } = useRevalidator();
  return (
    <TitleCard icon={Lock} title={t("protectedTransfer")}>
      <p className="mt-2 mb-6 text-muted">{t(isAgain ? "lockedAgain" : "enterPassword")}</p>
      <UnlockForm downloadId={downloadId} refusal={refusal} isLoading={state === "loading"} onUnlocked={revalidate} />
    </TitleCard>
  );
}
