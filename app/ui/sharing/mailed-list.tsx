import { Check, MailX } from "lucide-react";
import { useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

export interface Mailed {
  emails: readonly string[];
  /** Those of them that want no mail. */
  refused: readonly string[];
}

/** What became of each address. */
export function MailedList({ emails, refused, onClose }: Mailed & { onClose(): void }) {
  const t = useMessages("sharing");
  const button = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
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
