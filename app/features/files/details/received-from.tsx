import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import type { ReceivedDetails } from "#domain/wire.ts";

/** Who sent it through an upload request. */
export function ReceivedFrom({ received, downloadId }: { received: ReceivedDetails; downloadId: string }) {
  const t = useMessages("ownFile");
  const { senderName, senderEmail, senderNote, hasLink } = received;
  const sender = [senderName, senderEmail].filter((part) => part !== null && part !== "").join(", ");
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("received")}</h2>
      <p className="mt-1 break-words text-muted">
        {sender === "" ? t("receivedUnnamed") : t("receivedFrom", { sender })}
      </p>
      {senderNote !== null && senderNote !== "" && (
        <p dir="auto" className="mt-4 rounded-2xl border border-line px-4 py-3 break-words whitespace-pre-wrap">
          {senderNote}
        </p>
      )}
      {!hasLink && (
        <>
          <p className="mt-4">{t("receivedHelp")}</p>
          <a href={`/download/${downloadId}`} className={`${buttonClass()} mt-4`}>
            {t("open")}
          </a>
        </>
      )}
    </Card>
  );
}
