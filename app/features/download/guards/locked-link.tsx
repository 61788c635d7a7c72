import { useRevalidator } from "@remix-run/react";
import { Lock } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import type { Refusal } from "../refusal.ts";
import { UnlockForm } from "./unlock-form.tsx";

interface LockedLinkProps {
  downloadId: string;
  refusal: Refusal | null;
  /** The page showed what the link leads to. */
  isAgain: boolean;
}

/** Tells nothing about what the link leads to. */
export default function LockedLink({ downloadId, refusal, isAgain }: LockedLinkProps) {
  const t = useMessages("guardedLinks");
  const { revalidate, state } = useRevalidator();
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-reed">
        <Lock size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{t("protectedTransfer")}</h1>
      <p className="mt-2 mb-6 text-muted">{t(isAgain ? "lockedAgain" : "enterPassword")}</p>
      <UnlockForm downloadId={downloadId} refusal={refusal} isLoading={state === "loading"} onUnlocked={revalidate} />
    </Card>
  );
}
