import { Check } from "lucide-react";
import { useState, type ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { ListTools } from "#app/ui/list-tools.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ContactMessagesPage, ContactMessagesQuery, ContactMessage } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { fixedErrorToast, useAdminMutation } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { type Column, RowButton } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";

const SORT_OPTIONS = [
  ["newest", "newestFirst"],
  ["oldest", "oldestFirst"],
] as const;

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<ContactMessage>[] => [
  {
    label: tAdmin("status"),
    cell: ({ isRead }) =>
      isRead ? (
        <Check size={18} role="img" aria-label={t("read")} className="text-muted" />
      ) : (
        <Badge tone="good">{t("new")}</Badge>
      ),
  },
  { label: tAdmin("date"), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { label: t("name"), cell: ({ name, isRead }) => <span className={isRead ? "" : "font-medium"}>{name}</span> },
  { label: tAdmin("email"), cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
  {
    label: t("subject"),
    cell: ({ subject, isRead }) => <span className={isRead ? "" : "font-medium"}>{subject}</span>,
  },
];

export function ContactTab({ query, list }: { query: ContactMessagesQuery; list: ContactMessagesPage }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [openMessage, setOpenMessage] = useState<ContactMessage | null>(null);
  const [toDelete, setToDelete] = useState<ContactMessage | null>(null);
  const markRead = useAdminMutation<string>({
    change: (id: string) => call("PUT /api/admin/contact-submissions/:id/mark-read", { params: { id } }),
    onError: fixedErrorToast(t("markReadFailed")),
    onSuccess: () => toast({ title: t("markedRead") }),
  });
  const view = (message: ContactMessage) => {
    setOpenMessage(message);
    if (!message.isRead) markRead.mutate(message.id);
  };
  return (
    <ListPanel
      label={t("contactMessagesTable")}
      columns={columns(t, tAdmin)}
      list={list}
      title={t("contactMessages")}
      count={t("contactMessageCount", { ...countValues(list.total), unread: list.unread })}
      empty={query.q === undefined ? t("noContactMessages") : t("noContactMessageMatches", { search: query.q })}
      tools={
        <ListTools
          label={t("searchContactMessages")}
          placeholder={t("searchContactMessagesBy")}
          query={query}
          sortOptions={SORT_OPTIONS.map(([order, name]) => [order, tAdmin(name)])}
          searchIsOrdered
        />
      }
      actions={(message) => (
        <>
          <RowButton onClick={() => view(message)}>{t("view")}</RowButton>
          <RowButton look="danger" onClick={() => setToDelete(message)}>
            {tAdmin("delete")}
          </RowButton>
        </>
      )}
    >
      {openMessage && <ContactMessageDialog contactMessage={openMessage} onClose={() => setOpenMessage(null)} />}
      {toDelete && (
        <ConfirmDialog
          title={t("deleteContactMessageQuestion")}
          text={t("deleteContactMessageHelp", { name: toDelete.name, subject: toDelete.subject })}
          yes={t("deleteContactMessage")}
          pending={tAdmin("deleting")}
          run={() => call("DELETE /api/admin/contact-submissions/:id", { params: { id: toDelete.id } })}
          onSuccess={() => toast({ title: t("contactMessageDeleted") })}
          onError={fixedErrorToast(t("deleteContactMessageFailed"))}
          onClose={() => setToDelete(null)}
        />
      )}
    </ListPanel>
  );
}

function ContactMessageDialog({ contactMessage, onClose }: { contactMessage: ContactMessage; onClose(): void }) {
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
