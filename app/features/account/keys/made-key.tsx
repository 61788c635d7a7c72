import { Download } from "lucide-react";
import { handOver } from "#app/lib/hand-over.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { cliLine, curlLine } from "#domain/key-examples.ts";
import { sharexConfig } from "#domain/sharex.ts";
import { CopyLine } from "../copy-line.tsx";

/** Shows a new key, once, with what a program needs besides. All of it is made here: the key does not leave the page. */
export function MadeKeyDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages("apiKeys");
  const origin = useRootData()?.origin ?? window.location.origin;
  return (
    <Dialog title={t("madeTitle")} description={t("madeHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <CopyLine label={t("key")} value={secret} />
        <h3 className="-mb-2 text-sm font-medium">{t("withCurl")}</h3>
        <CopyLine label={t("withCurl")} value={curlLine(origin, secret)} />
        <h3 className="-mb-2 text-sm font-medium">{t("withCli")}</h3>
        <CopyLine label={t("withCli")} value={cliLine(origin, secret)} />
        <div className="grid gap-1.5">
          <Button
            look="quiet"
            onClick={() => {
              const config = JSON.stringify(sharexConfig(origin, secret), null, 2);
              handOver(new Blob([config], { type: "application/json" }), "mayfly.sxcu");
            }}
          >
            <Download size={18} aria-hidden />
            {t("withShareX")}
          </Button>
          <p className="text-sm text-muted">{t("shareXHelp")}</p>
        </div>
        <Button onClick={onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
