import type { ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import type { ContactSubmission } from "#domain/wire.ts";
import { buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Moment } from "./moment.tsx";

/** What somebody wrote, and a way to answer. */
export function MessageDialog({ submission, onClose }: { submission: ContactSubmission; onClose(): void }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const { name, email, subject, message, createdAt, ipAddress } = submission;
  return (
    <Dialog title={say("submission")} description={<Moment at={createdAt} withTime />} onClose={onClose}>
      <dl className="grid gap-3">
        <Entry term={say("name")}>{name}</Entry>
        <Entry term={office("email")}>{email}</Entry>
        <Entry term={say("subject")}>{subject}</Entry>
        <Entry term={say("message")}>
          <span className="whitespace-pre-wrap">{message}</span>
        </Entry>
        {ipAddress !== null && <Entry term={say("sentFrom")}>{ipAddress}</Entry>}
      </dl>
      <a
        href={`mailto:${encodeURI(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}
        className={`${buttonClass("quiet", true)} mt-5`}
      >
        {say("answerByMail")}
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
