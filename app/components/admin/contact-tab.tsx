import { Check } from "lucide-react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { fixedToast } from "#app/admin/refusal.ts";
import { useIsLoading } from "#app/use-address.ts";
import { useChange } from "#app/admin/use-change.ts";
import type { ContactPage, ContactQuery, ContactSubmission } from "#domain/wire.ts";
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
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
] as const;

const COLUMNS: Column<ContactSubmission>[] = [
  {
    label: "Status",
    cell: ({ isRead }) =>
      isRead ? <Check size={18} role="img" aria-label="Read" className="text-muted" /> : <Badge tone="good">New</Badge>,
  },
  { label: "Date", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { label: "Name", cell: ({ name, isRead }) => <span className={isRead ? "" : "font-medium"}>{name}</span> },
  { label: "Email", cell: ({ email }) => <span className="break-all">{email}</span> },
  { label: "Subject", cell: ({ subject, isRead }) => <span className={isRead ? "" : "font-medium"}>{subject}</span> },
];

const readFailed = fixedToast("Failed to mark submission as read");
const deleteFailed = fixedToast("Failed to delete submission");

/** What people have written, newest first. */
export function ContactTab({ query, list }: { query: ContactQuery; list: ContactPage }) {
  const [viewed, setViewed] = useState<ContactSubmission | null>(null);
  const [doomed, setDoomed] = useState<ContactSubmission | null>(null);
  const isLoading = useIsLoading();
  const read = useChange<string>({
    change: adminApi.markRead,
    onError: readFailed,
    onDone: () => {
      toast({ title: "Submission marked as read" });
    },
  });
  const view = (submission: ContactSubmission) => {
    setViewed(submission);
    if (!submission.isRead) read.mutate(submission.id);
  };
  return (
    <ListPanel
      title="Contact Submissions"
      count={`${countOf(list.total, "submission")}, ${list.unread.toLocaleString("en-US")} new`}
      paged={list}
      empty={
        list.items.length > 0
          ? null
          : query.q === undefined
            ? "No contact form submissions yet."
            : `No sender's address begins with “${query.q}”.`
      }
      tools={
        <ListTools
          label="Search submissions"
          placeholder="Beginning of a sender's address"
          query={query}
          orders={ORDERS}
          searchIsOrdered
        />
      }
    >
      <DataTable
        label="Contact submissions"
        columns={COLUMNS}
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
              View
            </RowButton>
            <RowButton
              look="danger"
              onClick={() => {
                setDoomed(submission);
              }}
            >
              Delete
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
          title="Delete this submission?"
          description={`What ${doomed.name} wrote about “${doomed.subject}” is gone for good.`}
          action="Delete submission"
          acting="Deleting…"
          run={() => adminApi.deleteSubmission(doomed.id)}
          onDone={() => {
            toast({ title: "Submission deleted successfully" });
          }}
          onError={deleteFailed}
          onClose={() => {
            setDoomed(null);
          }}
        />
      )}
    </ListPanel>
  );
}
