import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { fileOfText, isWritten, newText } from "./text-draft.ts";
import { TextFields } from "./text-fields.tsx";

interface TextDialogProps {
  onText(file: File): void;
  onClose(): void;
}

/** Adds a text to the files of a transfer. */
export default function TextDialog({ onText, onClose }: TextDialogProps) {
  const t = useMessages("uploads");
  const [draft, setDraft] = useState(newText);
  return (
    <Dialog title={t("addText")} description={t("addTextHelp")} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onText(fileOfText(draft));
          onClose();
        }}
      >
        <TextFields draft={draft} onDraft={setDraft} />
        <Button type="submit" disabled={!isWritten(draft)}>
          {t("addText")}
        </Button>
      </form>
    </Dialog>
  );
}
