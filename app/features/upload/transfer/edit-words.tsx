import { Pencil } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { TRANSFER_MESSAGE_MAX_LENGTH } from "#domain/transfers/limits.ts";
import { FILENAME_MAX_LENGTH } from "#domain/wire.ts";
import type { CurrentTransfer } from "./current-transfer.ts";
import type { TransferWords } from "./words-on-server.ts";

export function EditWords({ onOpen }: { onOpen(): void }) {
  const t = useMessages("transferUpload");
  return <Button icon={Pencil} look="quiet" className="shrink-0 px-3!" aria-label={t("editWords")} onClick={onOpen} />;
}

/** Says that the server did not take the typed words. */
export function WordsFailed() {
  const t = useMessages("transferUpload");
  return (
    <p role="alert" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      {t("wordsFailed")}. {t("wordsFailedHelp")}
    </p>
  );
}

interface WordsDialogProps {
  transfer: CurrentTransfer;
  words: TransferWords;
  onClose(): void;
}

/** A dialog that changes title and message of a transfer that has a link. */
export function WordsDialog({ transfer, words: current, onClose }: WordsDialogProps) {
  const t = useMessages("transferUpload");
  // The words with which the dialog opened. The transfer's own words may change while the person types, because the
  // server is read.
  const [words] = useState(current);
  const [typed, setTyped] = useState(words);
  const [isSaving, setIsSaving] = useState(false);
  const reportFailure = errorToast(t("wordsFailed"), t("wordsFailedHelp"));
  const save = async () => {
    setIsSaving(true);
    try {
      await transfer.changeWords(changed({ ...typed, title: typed.title.trim() || words.title }, words));
      toast({ title: t("wordsSaved") });
      onClose();
    } catch (error) {
      reportFailure(error);
      setIsSaving(false);
    }
  };
  return (
    <Dialog title={t("wordsTitle")} description={t("wordsHelp")} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <WordsFields words={typed} rows={5} onWords={setTyped} />
        <Button type="submit" busy={isSaving}>
          {t(isSaving ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}

interface WordsFieldsProps {
  words: TransferWords;
  /** The title of a transfer whose sender gave none. */
  placeholder?: string;
  rows: number;
  onWords(words: TransferWords): void;
}

export function WordsFields({ words, placeholder, rows, onWords }: WordsFieldsProps) {
  const t = useMessages("transferUpload");
  return (
    <>
      <FormField
        label={t("title")}
        hint={t("titleHelp")}
        placeholder={placeholder}
        autoComplete="off"
        maxLength={FILENAME_MAX_LENGTH}
        value={words.title}
        onChange={({ target }) => onWords({ ...words, title: target.value })}
      />
      <FormTextArea
        label={t("message")}
        hint={t("messageHelp")}
        rows={rows}
        maxLength={TRANSFER_MESSAGE_MAX_LENGTH}
        value={words.message}
        onChange={({ target }) => onWords({ ...words, message: target.value })}
      />
    </>
  );
}

function changed({ title, message }: TransferWords, before: TransferWords): Partial<TransferWords> {
  return { ...(title === before.title ? {} : { title }), ...(message === before.message ? {} : { message }) };
}
