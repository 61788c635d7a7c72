import { useMemo, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { focusField } from "#app/lib/focus-field.ts";
import { fieldErrors, translateErrors } from "#app/lib/form-errors.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";
import { senderFields, type SeenUploadRequest, type SenderFields } from "#domain/wire.ts";
import { AddArea } from "../transfer/add-files.tsx";
import { ChosenFiles } from "../transfer/chosen-files.tsx";
import { defaultTitle } from "../transfer/default-title.ts";
import type { ListView } from "../transfer/transfer-draft.ts";
import { useComeIntoView } from "../transfer/use-come-into-view.ts";
import { ListProblems } from "./list-problems.tsx";
import { findRequestProblems } from "./request-problems.ts";
import { SenderFieldset } from "./sender-fieldset.tsx";
import type { Sending } from "./sending.client.ts";

interface SendingListProps {
  sending: Sending;
  view: ListView;
  request: SeenUploadRequest;
  fields: SenderFields;
  onFields(fields: SenderFields): void;
  onBack(): void;
}

/** What is about to be sent, and what its sender says of themselves. */
export function SendingList({ sending, view, request, fields, onFields, onBack }: SendingListProps) {
  const { draft, list } = view;
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  const tFields = useMessages("fields");
  const heading = useComeIntoView<HTMLHeadingElement>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isTried, setTried] = useState(false);
  const problems = useMemo(() => findRequestProblems(list, request), [list, request]);
  const count = list.entries.length;
  const size = formatBytes(list.bytes, t.locale);
  const isEmpty = count === 0;
  const mustWait = problems.length > 0 || view.unreadable.length > 0 || view.isReading;

  const submit = (form: HTMLFormElement) => {
    const said = saidOnly(fields);
    const parsed = senderFields.safeParse(said);
    const found = parsed.success ? {} : fieldErrors(parsed.error);
    const missing = missingErrors(request, said, t);
    setErrors(found);
    setTried(true);
    if (parsed.success && Object.keys(missing).length === 0) sending.send(parsed.data, defaultTitle(list, tTransfer));
    else focusField(form, { ...found, ...missing });
  };

  return (
    <AddArea onItems={(items) => void draft.extend(items)}>
      <ChosenFiles view={view} heading={heading}>
        <ListProblems view={view} problems={problems} />
      </ChosenFiles>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        {!isEmpty && (
          <SenderFieldset
            request={request}
            fields={fields}
            errors={{
              ...translateErrors(errors, tFields),
              ...(isTried && missingErrors(request, saidOnly(fields), t)),
            }}
            onFields={onFields}
          />
        )}
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button look="quiet" onClick={onBack}>
            {t("back")}
          </Button>
          {!isEmpty && (
            <Button type="submit" disabled={mustWait}>
              {t("send", { count, size })}
            </Button>
          )}
        </div>
      </form>
    </AddArea>
  );
}

/** A field that is left empty says nothing. */
function saidOnly({ senderName, senderEmail, note }: SenderFields): Partial<SenderFields> {
  return { note, ...(senderName?.trim() && { senderName }), ...(senderEmail?.trim() && { senderEmail }) };
}

/** What the request asks for and its sender has not said, by field. The server checks again. */
function missingErrors(
  { asksName, asksEmail }: Pick<SeenUploadRequest, "asksName" | "asksEmail">,
  { senderName, senderEmail }: Partial<SenderFields>,
  t: Translate<"requestPage">,
): Record<string, string> {
  return {
    ...(asksName && senderName === undefined && { senderName: t("nameMissing") }),
    ...(asksEmail && senderEmail === undefined && { senderEmail: t("emailMissing") }),
  };
}
