import { useId, useMemo, useState, type ChangeEvent } from "react";
import { focusField, fieldErrors, translateErrors } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { REQUEST_NOTE_MAX_LENGTH, SENDER_NAME_MAX_LENGTH } from "#domain/requests/limits.ts";
import { formatBytes } from "#domain/units.ts";
import { senderFields, type SeenUploadRequest, type SenderFields } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { AddArea } from "../transfer/add-files.tsx";
import { AboutList, Alarm, NameList } from "../transfer/choice-notices.tsx";
import { ChosenFiles } from "../transfer/chosen-files.tsx";
import { defaultTitle } from "../transfer/chosen-list.ts";
import { SendRow } from "../transfer/send-row.tsx";
import { useComeIntoView } from "../transfer/step-heading.tsx";
import type { ListView } from "../transfer/transfer-draft.ts";
import { listKinds } from "./request-bounds.tsx";
import { findRequestProblems, type RequestProblem } from "./request-problems.ts";
import type { RequestUpload } from "./sending.client.ts";

interface SendingListProps {
  sending: RequestUpload;
  view: ListView;
  request: SeenUploadRequest;
  fields: SenderFields;
  onFields(fields: SenderFields): void;
  onBack(): void;
}

/** The list of files to send, and the fields about the sender. */
export function SendingList({ sending, view, request, fields, onFields, onBack }: SendingListProps) {
  const { draft, list } = view;
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  const tFields = useMessages("fields");
  const heading = useComeIntoView<HTMLHeadingElement>();
  const formId = useId();
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
      {!isEmpty && (
        <form
          id={formId}
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <SenderFieldset
            request={request}
            fields={fields}
            errors={{
              ...translateErrors(errors, tFields),
              ...(isTried && missingErrors(request, saidOnly(fields), t)),
            }}
            onFields={onFields}
          />
        </form>
      )}
      <SendRow back={t("back")} onBack={onBack}>
        {!isEmpty && (
          <Button type="submit" form={formId} disabled={mustWait}>
            {t("send", { count, size })}
          </Button>
        )}
      </SendRow>
    </AddArea>
  );
}

/** Leaves out fields that are empty. */
function saidOnly({ senderName, senderEmail, note }: SenderFields): Partial<SenderFields> {
  return { note, ...(senderName?.trim() && { senderName }), ...(senderEmail?.trim() && { senderEmail }) };
}

/** The errors of required fields that are empty, by field. The server checks again. */
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

/** The notices about a list, and the problems that stop it from being sent. */
function ListProblems({ view, problems }: { view: ListView; problems: readonly RequestProblem[] }) {
  const t = useMessages("requestPage");
  const { draft, unreadable } = view;
  return (
    <>
      <AboutList view={view} refused={t("notStarted")}>
        <LeaveOut count={unreadable.length} onLeaveOut={() => draft.leaveOutUnreadable()} />
      </AboutList>
      {problems.map((problem) => (
        <Alarm key={problem.kind}>
          <Problem problem={problem} view={view} />
        </Alarm>
      ))}
    </>
  );
}

function Problem({ problem, view: { draft, list } }: { problem: RequestProblem; view: ListView }) {
  const t = useMessages("requestPage");
  if (problem.kind === "count") return <p>{t("tooMany", { most: problem.most, count: list.entries.length })}</p>;
  if (problem.kind === "bytes") {
    const left = formatBytes(problem.leftBytes, t.locale);
    return <p>{t("tooMuch", { size: formatBytes(list.bytes, t.locale), left })}</p>;
  }
  const count = problem.files.length;
  return (
    <>
      <p className="break-words">
        {problem.kind === "kinds"
          ? t("kindRefused", { count, kinds: listKinds(problem.kinds) })
          : t("tooLarge", { count, size: formatBytes(problem.mostFileBytes, t.locale) })}
      </p>
      <NameList names={problem.files.map(({ path }) => path)} />
      <LeaveOut count={count} onLeaveOut={() => draft.leaveOut(new Set(problem.files))} />
    </>
  );
}

function LeaveOut({ count, onLeaveOut }: { count: number; onLeaveOut(): void }) {
  const t = useMessages("requestPage");
  return (
    <Button look="quiet" className="mt-3" onClick={onLeaveOut}>
      {t("leaveOut", { count })}
    </Button>
  );
}

interface SenderFieldsetProps {
  request: Pick<SeenUploadRequest, "asksName" | "asksEmail">;
  fields: SenderFields;
  /** Error messages by field. */
  errors: Record<string, string>;
  onFields(fields: SenderFields): void;
}

/** The fields about the sender. Nobody checks them. */
function SenderFieldset({ request, fields, errors, onFields }: SenderFieldsetProps) {
  const t = useMessages("requestPage");
  const field = (name: keyof SenderFields) => ({
    name,
    value: fields[name],
    error: errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onFields({ ...fields, [name]: target.value }),
  });
  return (
    <>
      {request.asksName && (
        <FormField
          label={t("yourName")}
          {...field("senderName")}
          autoComplete="name"
          maxLength={SENDER_NAME_MAX_LENGTH}
        />
      )}
      {request.asksEmail && (
        <FormField
          label={t("yourEmail")}
          hint={t("yourEmailHelp")}
          {...field("senderEmail")}
          type="email"
          autoComplete="email"
        />
      )}
      <FormTextArea
        label={t("yourNote")}
        hint={t("yourNoteHelp")}
        {...field("note")}
        rows={3}
        maxLength={REQUEST_NOTE_MAX_LENGTH}
      />
    </>
  );
}
