import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormCheckbox } from "#app/ui/form-field.tsx";
import { areWrong } from "#app/ui/protection/protection-draft.ts";
import { ExpirationSelect, ProtectLink } from "../link-choice-fields.tsx";
import { isChoiceWrong, type LinkChoiceProps } from "../link-choice.ts";
import { fileOfText, isWritten, type TextDraft } from "./text-draft.ts";
import { TextFields } from "./text-fields.tsx";

interface WriteTextProps extends LinkChoiceProps {
  draft: TextDraft;
  onDraft(draft: TextDraft): void;
  onSend(file: File): void;
  /** Opens a list of files, with the text in it. */
  onAddFiles(file: File): void;
  onBack(): void;
}

/** The step of the upload card in which a text is written. The text becomes a link of its own, or goes beside files. */
export default function WriteText({ draft, onDraft, onSend, onAddFiles, onBack, ...link }: WriteTextProps) {
  const t = useMessages("uploads");
  const [refusals, setRefusals] = useState(0);
  const { choice, onChoice } = link;
  const { guards, isSealed = false } = choice;
  const canSend = isWritten(draft);
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChoiceWrong(choice)) setRefusals(refusals + 1);
        else if (canSend) onSend(fileOfText(draft));
      }}
    >
      <h2 className="text-lg font-medium">{t("textHeading")}</h2>
      <TextFields draft={draft} onDraft={onDraft} />
      <FormCheckbox
        checked={guards.limit === "1"}
        onChange={({ target }) => {
          const once = { ...guards, limit: target.checked ? "1" : "" };
          onChoice({ ...choice, guards: once, isProtectionWrong: areWrong(once, isSealed) });
        }}
      >
        <span className="text-sm font-medium">{t("textOnce")}</span>
      </FormCheckbox>
      <ExpirationSelect {...link} automaticHours={null} />
      <ProtectLink choice={choice} onChoice={onChoice} refusals={refusals} />
      <div className="flex flex-wrap gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        <Button look="quiet" disabled={!canSend} onClick={() => onAddFiles(fileOfText(draft))}>
          {t("textAddFiles")}
        </Button>
        <Button type="submit" className="grow" disabled={!canSend}>
          {t("sendText")}
        </Button>
      </div>
    </form>
  );
}
