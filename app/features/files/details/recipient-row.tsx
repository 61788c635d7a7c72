import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, Eye, Mail, MailPlus, MailX } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { recipientsApi, recipientsKey } from "#app/ui/sharing/recipients-api.ts";
import { toast } from "#app/ui/toast.ts";
import { Ago } from "#app/ui/ago.tsx";
import type { ListedRecipient } from "#domain/wire.ts";

interface RecipientRowProps {
  fileId: string;
  recipient: ListedRecipient;
  /** The link has ended, so nothing is mailed. */
  isEnded: boolean;
  /** When the list was read, epoch milliseconds of the browser's clock. */
  now: number;
}

export function RecipientRow({ fileId, recipient, isEnded, now }: RecipientRowProps) {
  const t = useMessages("ownFile");
  const { email, stoppedAt, refusesMail } = recipient;
  const { mailAgain, stop } = useRecipientActions(fileId, recipient);
  const Icon = recipient.lastDownloadAt !== null ? Download : recipient.openedAt !== null ? Eye : Mail;
  return (
    <li className="flex items-start gap-4 py-4">
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-xl bg-sunken ${recipient.lastDownloadAt === null ? "text-muted" : "text-reed"}`}
      >
        <Icon size={20} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 font-medium break-words">{email}</span>
          {refusesMail && <Badge tone="warn">{t("refusesMail")}</Badge>}
          {!refusesMail && stoppedAt !== null && <Badge>{t("stopped")}</Badge>}
        </p>
        <p className="text-sm">
          <Progress recipient={recipient} now={now} />
        </p>
        <p className="text-sm text-muted">
          {t.rich<"sent", ReactNode>("sent", { when: () => <Ago key="when" moment={recipient.sentAt} now={now} /> })}
        </p>
        {refusesMail && <p className="mt-1 text-sm text-muted">{t("refusesHelp")}</p>}
        {!refusesMail && stoppedAt !== null && (
          <p className="mt-1 text-sm text-muted">
            {t.rich<"stoppedHelp", ReactNode>("stoppedHelp", {
              when: () => <Ago key="when" moment={stoppedAt} now={now} />,
            })}
          </p>
        )}
      </div>
      {!isEnded && !(refusesMail && stoppedAt !== null) && (
        <Menu label={t("more", { email })}>
          {!refusesMail && (
            <MenuItem
              icon={<MailPlus size={18} aria-hidden />}
              disabled={mailAgain.isPending}
              onSelect={mailAgain.mutate}
            >
              {t("mailAgain")}
            </MenuItem>
          )}
          {stoppedAt === null && (
            <MenuItem icon={<MailX size={18} aria-hidden />} disabled={stop.isPending} onSelect={stop.mutate}>
              {t("stop")}
            </MenuItem>
          )}
        </Menu>
      )}
    </li>
  );
}

/** How far they have come. */
function Progress({ recipient, now }: { recipient: ListedRecipient; now: number }) {
  const t = useMessages("ownFile");
  const { openedAt, lastDownloadAt, downloads } = recipient;
  if (lastDownloadAt !== null) {
    const when = () => <Ago key="when" moment={lastDownloadAt} now={now} />;
    return downloads > 1
      ? t.rich<"fetchedOften", ReactNode>("fetchedOften", { when, count: downloads })
      : t.rich<"fetched", ReactNode>("fetched", { when });
  }
  if (openedAt === null) return t("notOpened");
  return t.rich<"notFetched", ReactNode>("notFetched", { when: () => <Ago key="when" moment={openedAt} now={now} /> });
}

function useRecipientActions(fileId: string, { id, email }: ListedRecipient) {
  const t = useMessages("ownFile");
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: recipientsKey(fileId) });
  const mailAgain = useMutation({
    mutationFn: () => recipientsApi.mailAgain(fileId, id),
    onSuccess: async ({ refused }) => {
      await refresh();
      toast(
        refused.length === 0
          ? { title: t("mailedAgain"), description: t("mailedAgainHelp", { email }) }
          : { title: t("notMailed"), description: t("notMailedHelp", { email }), tone: "bad" },
      );
    },
    onError: errorToast(t("mailFailed"), t("tryAgain")),
  });
  const stop = useMutation({
    mutationFn: () => recipientsApi.stop(fileId, id),
    onSuccess: async () => {
      await refresh();
      toast({ title: t("stopDone", { email }), description: t("stopDoneHelp") });
    },
    onError: errorToast(t("stopFailed"), t("tryAgain")),
  });
  return { mailAgain, stop };
}
