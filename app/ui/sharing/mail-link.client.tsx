import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, MailX } from "lucide-react";
import { useRef, useState, type FormEvent, useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { MOST_ADDRESSES_AT_ONCE, SHARE_NOTE_MAX_LENGTH, type LinkProtection, shareFileRequest } from "#domain/wire.ts";
import { recipientsApi, recipientsKey } from "./recipients-api.ts";

interface MailLinkProps {
  file: { id: string; filename: string; guards?: LinkProtection | undefined };
  onClose(): void;
}

/** Mails a link to one or several addresses, and shows which addresses were mailed. */
export default function MailLink({ file, onClose }: MailLinkProps) {
  const t = useMessages("sharing");
  const tGuards = useMessages("guards");
  const queries = useQueryClient();
  const [mailed, setMailed] = useState<Mailed | null>(null);
  const { filename, guards } = file;
  const send = useMutation({
    mutationFn: ({ emails, note }: { emails: string[]; note: string }) => recipientsApi.share(file.id, emails, note),
    onSuccess: async ({ refused }, { emails }) => {
      await queries.invalidateQueries({ queryKey: recipientsKey(file.id) });
      const [first, ...others] = emails;
      if (first !== undefined && others.length === 0 && refused.length === 0) {
        toast({ title: t("linkSent"), description: t("linkSentHelp", { email: first }) });
        onClose();
      } else setMailed({ emails, refused });
    },
    onError: errorToast(t("mailFailed"), t("mailFailedHelp")),
  });
  if (mailed) return <MailedList {...mailed} onClose={onClose} />;
  return (
    <Dialog
      title={t("sendByMail")}
      description={guards?.password ? tGuards("mailHelp", { name: filename }) : t("sendByMailHelp", { filename })}
      onClose={onClose}
    >
      <MailForm fileId={file.id} isBusy={send.isPending} onSend={send.mutate} />
    </Dialog>
  );
}

interface MailFormProps {
  fileId: string;
  isBusy: boolean;
  onSend(mail: { emails: string[]; note: string }): void;
}

function MailForm({ fileId, isBusy, onSend }: MailFormProps) {
  const t = useMessages("sharing");
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState("");
  const [isChecked, setChecked] = useState(false);
  const { data } = useQuery({ queryKey: recipientsKey(fileId), queryFn: () => recipientsApi.list(fileId) });
  const problem = useAddressProblem(text);
  const { emails } = splitEmails(text);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    const note = new FormData(event.currentTarget).get("note");
    if (problem === undefined) onSend({ emails, note: typeof note === "string" ? note : "" });
    else form.current?.querySelector("textarea")?.focus();
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormTextArea
        label={t("mailTo")}
        name="emails"
        rows={2}
        inputMode="email"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="name@example.com"
        value={text}
        hint={
          <>
            {t("mailToHelp")} {data && t("fits", { left: data.left })}
          </>
        }
        error={isChecked ? problem : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" className="-mt-2.5 text-sm font-medium empty:hidden">
        {emails.length > 1 && t("addresses", { count: emails.length })}
      </p>
      <FormTextArea label={t("mailNote")} name="note" rows={3} maxLength={SHARE_NOTE_MAX_LENGTH} />
      <Button type="submit" busy={isBusy}>
        {t(isBusy ? "sending" : "sendLink")}
      </Button>
    </form>
  );
}

function useAddressProblem(text: string): string | undefined {
  const t = useMessages("sharing");
  const tFields = useMessages("fields");
  const { emails, wrong } = splitEmails(text);
  if (wrong.length > 0) return t("notAddresses", { list: wrong.join(", ") });
  if (emails.length === 0) return tFields("emailInvalid");
  if (emails.length > MOST_ADDRESSES_AT_ONCE) return t("tooManyAtOnce", { count: MOST_ADDRESSES_AT_ONCE });
  return undefined;
}

interface Mailed {
  emails: readonly string[];
  /** The addresses whose owners want no mail, so that none was sent. */
  refused: readonly string[];
}

/** Shows for each address whether a mail was sent. */
function MailedList({ emails, refused, onClose }: Mailed & { onClose(): void }) {
  const t = useMessages("sharing");
  const button = useRef<HTMLButtonElement>(null);
  // The button that had the focus has been removed.
  useEffect(() => {
    button.current?.focus();
  }, []);
  const count = emails.length - refused.length;
  return (
    <Dialog
      title={t("sentTo", { count })}
      description={t(refused.length > 0 ? "refusesHelp" : "sentToHelp")}
      onClose={onClose}
    >
      <ul className="divide-y divide-line">
        {emails.map((email) => (
          <MailedAddress key={email} email={email} isRefused={refused.includes(email)} />
        ))}
      </ul>
      <button ref={button} type="button" className={`${buttonClass("primary", true)} mt-5`} onClick={onClose}>
        {t("done")}
      </button>
    </Dialog>
  );
}

function MailedAddress({ email, isRefused }: { email: string; isRefused: boolean }) {
  const t = useMessages("sharing");
  const Icon = isRefused ? MailX : Check;
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon size={18} aria-hidden className={`shrink-0 ${isRefused ? "text-amber-ink" : "text-reed"}`} />
      <span className="min-w-0 flex-1 break-words">{email}</span>
      <span className={`text-sm ${isRefused ? "text-amber-ink" : "text-muted"}`}>
        {t(isRefused ? "refuses" : "sent")}
      </span>
    </li>
  );
}

interface SplitEmails {
  /** Valid addresses in lower case, without duplicates. */
  emails: string[];
  /** Words that are no address, as written. */
  wrong: string[];
}

/** Matches `Ann Lee <ann@example.com>`, as mail programs copy addresses. A name has commas only within quotes. */
const NAMED = /(?:"[^"\n]*"|[^,;<>\n"])*<([^<>\n]*)>/g;

/** @param text addresses separated by commas, semicolons, spaces or line breaks */
export function splitEmails(text: string): SplitEmails {
  const words = text
    .replaceAll(NAMED, ",$1,")
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^mailto:/i, ""))
    .filter((word) => word !== "");
  const addressOf = (word: string) => shareFileRequest.shape.email.safeParse(word).data?.toLowerCase();
  return {
    emails: [...new Set(words.flatMap((word) => addressOf(word) ?? []))],
    wrong: [...new Set(words.filter((word) => addressOf(word) === undefined))],
  };
}
