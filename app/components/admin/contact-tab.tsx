import { Check } from "lucide-react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { fixedToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import { useChange } from "#app/admin/use-change.ts";
import type { ContactPage, ContactQuery, ContactSubmission } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ListTools } from "../list-tools.tsx";
import { toast } from "../ui/toast.tsx";
import { Badge } from "./badge.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { MessageDialog } from "./message-dialog.tsx";
import { Moment } from "./moment.tsx";
import { RowButton } from "./row-button.tsx";

const ORDERS = [
  ["newest", "newestFirst"],
  ["oldest", "oldestFirst"],
] as const;

const columns = (say: Translate<"officeRecords">, office: Translate<"office">): Column<ContactSubmission>[] => [
  {
    label: office("status"),
    cell: ({ isRead }) =>
      isRead ? (
        <Check size={18} role="img" aria-label={say("read")} className="text-muted" />
      ) : (
        <Badge tone="good">{say("new")}</Badge>
      ),
  },
  { label: office("date"), cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { label: say("name"), cell: ({ name, isRead }) => <span className={isRead ? "" : "font-medium"}>{name}</span> },
  { label: office("email"), cell: ({ email }) => <span className="break-all">{email}</span> },
  {
    label: say("subject"),
    cell: ({ subject, isRead }) => <span className={isRead ? "" : "font-medium"}>{subject}</span>,
  },
];

/** What people have written, newest first. */
export function ContactTab({ query, list }: { query: ContactQuery; list: ContactPage }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const [viewed, setViewed] = useState<ContactSubmission | null>(null);
  const [doomed, setDoomed] = useState<ContactSubmission | null>(null);
  const isLoading = useIsLoading();
  const read = useChange<string>({
    change: adminApi.markRead,
    onError: fixedToast(say("markReadFailed")),
    onDone: () => {
      toast({ title: say("markedRead") });
    },
  });
  const view = (submission: ContactSubmission) => {
    setViewed(submission);
    if (!submission.isRead) read.mutate(submission.id);
  };
  return (
    <ListPanel
      title={say("submissions")}
      count={say("submissionCount", { ...countOf(list.total), unread: list.unread })}
      paged={list}
      empty={
        list.items.length > 0
          ? null
          : query.q === undefined
            ? say("noSubmissions")
            : say("noSubmissionMatches", { search: query.q })
      }
      tools={
        <ListTools
          label={say("searchSubmissions")}
          placeholder={say("searchSubmissionsBy")}
          query={query}
          orders={ORDERS.map(([order, name]) => [order, office(name)])}
          searchIsOrdered
        />
      }
    >
      <DataTable
        label={say("submissionsTable")}
        columns={columns(say, office)}
        rows={list.items}
        keyOf={({ id }) => id}
        busy={isLoading}
        actions={(submission) => (
          <>
            <RowButton
              onClick={() => {
                view(submission);
              }}
            >
              {say("view")}
            </RowButton>
            <RowButton
              look="danger"
              onClick={() => {
                setDoomed(submission);
              }}
            >
              {office("delete")}
            </RowButton>
          </>
        )}
      />
      {viewed && (
        <MessageDialog
          submission={viewed}
          onClose={() => {
            setViewed(null);
          }}
        />
      )}
      {doomed && (
        <ConfirmDialog
          title={say("deleteSubmissionQuestion")}
          description={say("deleteSubmissionHelp", { name: doomed.name, subject: doomed.subject })}
          action={say("deleteSubmission")}
          acting={office("deleting")}
          run={() => adminApi.deleteSubmission(doomed.id)}
          onDone={() => {
            toast({ title: say("submissionDeleted") });
          }}
          onError={fixedToast(say("deleteSubmissionFailed"))}
          onClose={() => {
            setDoomed(null);
          }}
        />
      )}
    </ListPanel>
  );
}
