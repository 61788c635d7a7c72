import { useMessages } from "#app/lib/i18n/messages.ts";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { REQUEST_NOTE_MAX_LENGTH, SENDER_NAME_MAX_LENGTH } from "#domain/requests/limits.ts";
import type { SeenUploadRequest, SenderFields } from "#domain/wire.ts";

interface SenderFieldsetProps {
  request: Pick<SeenUploadRequest, "asksName" | "asksEmail">;
  fields: SenderFields;
  /** By field. */
  errors: Record<string, string>;
  onFields(fields: SenderFields): void;
}

/** What senders say of themselves: nobody checks it. */
export function SenderFieldset({ request, fields, errors, onFields }: SenderFieldsetProps) {
  const t = useMessages("requestPage");
  return (
    <>
      {request.asksName && (
        <FormField
          label={t("yourName")}
          name="senderName"
          autoComplete="name"
          maxLength={SENDER_NAME_MAX_LENGTH}
          value={fields.senderName}
          error={errors.senderName}
          onChange={({ target }) => {
            onFields({ ...fields, senderName: target.value });
          }}
        />
      )}
      {request.asksEmail && (
        <FormField
          label={t("yourEmail")}
          hint={t("yourEmailHelp")}
          name="senderEmail"
          type="email"
          autoComplete="email"
          value={fields.senderEmail}
          error={errors.senderEmail}
          onChange={({ target }) => {
            onFields({ ...fields, senderEmail: target.value });
          }}
        />
      )}
      <FormTextArea
        label={t("yourNote")}
        hint={t("yourNoteHelp")}
        name="note"
        rows={3}
        maxLength={REQUEST_NOTE_MAX_LENGTH}
        value={fields.note}
        error={errors.note}
        onChange={({ target }) => {
          onFields({ ...fields, note: target.value });
        }}
      />
    </>
  );
}
