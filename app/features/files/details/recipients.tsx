import { Link } from "@remix-run/react";
import { useQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Mail, Download, Eye, MailPlus, MailX } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Ago } from "#app/ui/ago.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { recipientsApi, recipientsKey } from "#app/ui/sharing/recipients-api.ts";
import { mailtoLink } from "#app/ui/sharing/ways-to-share.ts";
import { toast } from "#app/ui/toast.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { ListedFile, RecipientsAnswer, ListedRecipient } from "#domain/wire.ts";
import { nameOf } from "../shown-file.tsx";

/** Interval at which an open page loads a link's downloads and recipients again. */
export const REFRESH_MS = 30 * SECOND_MS;

interface RecipientsProps {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
  loaded: RecipientsAnswer;
  /** Opens the dialog in which the owner types addresses of recipients. */
  onMail(): void;
}

export function Recipients({ file, shareUrl, loaded, onMail }: RecipientsProps) {
  const t = useMessages("ownFile");
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: recipientsKey(file.id),
    queryFn: () => recipientsApi.list(file.id),
    initialData: loaded,
    refetchInterval: REFRESH_MS,
  });
  const { recipients, left } = data;
  if (file.seal) return <SealedRecipients filename={nameOf(file)} shareUrl={shareUrl} />;
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("recipients")}</h2>
      <p className="mt-1 text-muted">{t(recipients.length === 0 ? "nobody" : "recipientsHelp")}</p>
      {error && (
        <p role="alert" className="mt-3 flex flex-wrap items-center gap-3 text-sm">
          {t("loadFailed")}
          <Button look="quiet" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </p>
      )}
      {recipients.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {recipients.map((recipient) => (
            <RecipientRow
              key={recipient.id}
              fileId={file.id}
              recipient={recipient}
              isEnded={file.isExpired}
              now={dataUpdatedAt}
            />
          ))}
        </ul>
      )}
      {!file.isExpired && <AddPeople left={left} onMail={onMail} />}
    </Card>
  );
}

function AddPeople({ left, onMail }: { left: number; onMail(): void }) {
  const t = useMessages("ownFile");
  if (left === 0) {
    return (
      <p className="mt-4 text-sm text-muted">
        {t("full")}{" "}
        <Link to="/pricing" className="text-reed underline">
          {t("seePlans")}
        </Link>
      </p>
    );
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button icon={Mail} onClick={onMail}>
        {t("addPeople")}
      </Button>
      <p className="text-sm text-muted">{t("left", { left })}</p>
    </div>
  );
}

/** Offers the owner's mail program instead of ours, because our mailer must not see the key of a sealed link. */
function SealedRecipients({ filename, shareUrl }: { filename: string; shareUrl: string | null }) {
  const t = useMessages("ownFile");
  const tSealing = useMessages("sealing");
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("recipients")}</h2>
      <p className="mt-1 text-muted">{t("sealedHelp")}</p>
      {shareUrl !== null && (
        <a
          href={mailtoLink(filename, tSealing("mailBody", { name: filename, url: shareUrl }))}
          className={`${buttonClass("quiet")} mt-4`}
        >
          <Mail size={18} aria-hidden />
          {t("ownProgram")}
        </a>
      )}
    </Card>
  );
}

interface RecipientRowProps {
  fileId: string;
  recipient: ListedRecipient;
  /** Whether the link has ended. Nobody is mailed an ended link again. */
  isEnded: boolean;
  /** When the list of recipients was read, in epoch milliseconds of the browser's clock. */
  now: number;
}

function RecipientRow({ fileId, recipient, isEnded, now }: RecipientRowProps) {
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
            <MenuItem icon={MailPlus} disabled={mailAgain.isPending} onSelect={mailAgain.mutate}>
              {t("mailAgain")}
            </MenuItem>
          )}
          {stoppedAt === null && (
            <MenuItem icon={MailX} disabled={stop.isPending} onSelect={stop.mutate}>
              {t("stop")}
            </MenuItem>
          )}
        </Menu>
      )}
    </li>
  );
}

/** Says whether the recipient has opened the link, and how often they have downloaded the files. */
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
