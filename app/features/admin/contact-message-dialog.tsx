import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { ContactMessage } from "#domain/wire.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { DateTime } from "./date-time.tsx";

export function ContactMessageDialog({ contactMessage, onClose }: { contactMessage: ContactMessage; onClose(): void }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const { name, email, subject, message, createdAt, ipAddress } = contactMessage;
  return (
    <Dialog title={t("contactMessage")} description={<DateTime at={createdAt} withTime />} onClose={onClose}>
      <dl className="grid gap-3">
        <Entry term={t("name")}>{name}</Entry>
        <Entry term={tAdmin("email")}>{email}</Entry>
        <Entry term={t("subject")}>{subject}</Entry>
        <Entry term={t("message")}>
          <span className="whitespace-pre-wrap">{message}</span>
        </Entry>
        {ipAddress !== null && <Entry term={t("sentFrom")}>{ipAddress}</Entry>}
      </dl>
      <a
        href={`mailto:${encodeURI(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}
        className={`${buttonClass("quiet", true)} mt-5`}
      >
        {t("answerByMail")}
      </a>
    </Dialog>
  );
}

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
