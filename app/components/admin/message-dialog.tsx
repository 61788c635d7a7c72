import type { ReactNode } from "react";
import type { ContactSubmission } from "#domain/wire.ts";
import { buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Moment } from "./moment.tsx";

/** What somebody wrote, and a way to answer. */
export function MessageDialog({ submission, onClose }: { submission: ContactSubmission; onClose(): void }) {
  const { name, email, subject, message, createdAt, ipAddress } = submission;
  return (
    <Dialog title="Contact submission" description={<Moment at={createdAt} withTime />} onClose={onClose}>
      <dl className="grid gap-3">
        <Entry term="Name">{name}</Entry>
        <Entry term="Email">{email}</Entry>
        <Entry term="Subject">{subject}</Entry>
        <Entry term="Message">
          <span className="whitespace-pre-wrap">{message}</span>
        </Entry>
        {ipAddress !== null && <Entry term="Sent from">{ipAddress}</Entry>}
      </dl>
      <a
        href={`mailto:${encodeURI(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}
        className={`${buttonClass("quiet", true)} mt-5`}
      >
        Answer by e-mail
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
