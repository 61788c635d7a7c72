import { Link } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { Mail } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { mailtoLink } from "#app/ui/sharing/mailto-link.ts";
import { recipientsApi, recipientsKey } from "#app/ui/sharing/recipients-api.ts";
import type { ListedFile, RecipientsAnswer } from "#domain/wire.ts";
import { nameOf } from "../file-name.ts";
import { RecipientRow } from "./recipient-row.tsx";
import { REFRESH_MS } from "./refresh.ts";

interface RecipientsProps {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
  loaded: RecipientsAnswer;
  /** Asks for addresses. */
  onMail(): void;
}

/** Whom the link was mailed to, and how far each has come. */
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
      <Button onClick={onMail}>
        <Mail size={18} aria-hidden />
        {t("addPeople")}
      </Button>
      <p className="text-sm text-muted">{t("left", { left })}</p>
    </div>
  );
}

/** Our mailer must not see the key of a sealed link. */
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
