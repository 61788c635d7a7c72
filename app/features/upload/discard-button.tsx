import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Question } from "#app/ui/dialog.tsx";

interface DiscardButtonProps {
  /** The group of the button's messages: "requestPage" for a sender into an upload request, who never gets a link. */
  group: "requestPage" | "transferUpload";
  /** The transfer's title. */
  title: string;
  isBusy?: boolean;
  onDiscard(): void;
}

/** Deletes the stored files of an unfinished transfer, after a confirmation. */
export function DiscardButton({ group, title, isBusy = false, onDiscard }: DiscardButtonProps) {
  const t = useMessages(group);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsks(true)}>
        {t("discard")}
      </Button>
      {asks && (
        <Question
          title={t("discardQuestion")}
          text={t("discardWarning", { title })}
          yes={t("discard")}
          no={t("keepIt")}
          isBusy={isBusy}
          onYes={onDiscard}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}
