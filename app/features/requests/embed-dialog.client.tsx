import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import { STARTS_PER_HOUR } from "#domain/requests/limits.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { embedCode } from "./embed-code.ts";

interface EmbedDialogProps {
  request: ListedUploadRequest;
  /** Opens the request's form at the field for websites. */
  onChange(): void;
  onClose(): void;
}

/** Code with which somebody's own website or terminal sends files into a request. */
export default function EmbedDialog({ request, onChange, onClose }: EmbedDialogProps) {
  const t = useMessages("requests");
  const code = embedCode(request, {
    senderName: t("embedFields_senderName"),
    senderEmail: t("embedFields_senderEmail"),
    password: t("embedFields_password"),
    files: t("embedFields_files"),
    send: t("embedSend"),
    arrived: t("embedArrived"),
  });
  const lines = (label: string, text: string) => (
    <CodeBlock
      label={label}
      code={text}
      words={{ copy: t("copy"), copied: t("copied") }}
      onCopied={(hasWorked) => toast(hasWorked ? { title: t("copied") } : { title: t("copyFailed"), tone: "bad" })}
    />
  );
  return (
    <Dialog title={t("embedTitle")} description={t("embedHelp", { title: request.title })} wide onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Sites origins={request.origins} onChange={onChange} />
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-medium">{t("embedForm")}</h3>
          {lines(t("embedForm"), code.form)}
        </section>
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-medium">{t("embedScript")}</h3>
          <p className="text-sm text-muted">{t("embedPackages")}</p>
          {lines(t("embedInstall"), code.install)}
          {lines(t("embedScript"), code.script)}
          <p className="text-sm text-muted">{t("embedPublic")}</p>
          <p className="text-sm text-muted">{t("embedCounts", { count: STARTS_PER_HOUR })}</p>
        </section>
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-medium">{t("embedShell")}</h3>
          <p className="text-sm text-muted">{t("embedShellHelp")}</p>
          {lines(t("embedShell"), code.shell)}
        </section>
        <Button look="quiet" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}

/** The websites that may send into the request. Without a website the code does not work. */
function Sites({ origins, onChange }: { origins: string[]; onChange(): void }) {
  const t = useMessages("requests");
  const isEmpty = origins.length === 0;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-xl border border-line bg-sunken p-3.5">
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <p>{t(isEmpty ? "embedNoOrigins" : "embedOrigins")}</p>
        {!isEmpty && (
          <ul className="mt-1 font-medium" translate="no">
            {origins.map((origin) => (
              <li key={origin} className="wrap-anywhere">
                {origin}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button look={isEmpty ? "primary" : "quiet"} onClick={onChange}>
        {t(isEmpty ? "embedAdd" : "embedChange")}
      </Button>
    </div>
  );
}
