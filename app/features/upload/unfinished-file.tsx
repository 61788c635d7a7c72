import { RotateCcw } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { currentUpload } from "./current-upload.ts";
import { UnfinishedRow } from "./unfinished-row.tsx";
import { useMayGoOn } from "./use-may-go-on.ts";
import { useUpload } from "./use-upload.ts";

/** An unfinished upload of a single file. It goes on in this page. */
export function UnfinishedFile({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("files");
  const { filename, seal, downloadId } = upload;
  const size = formatBytes(upload.size, t.locale);
  const picker = useRef<HTMLInputElement>(null);
  const currentState = useUpload();
  const isHere = currentState.mode === "sending" && currentState.link?.uploadId === upload.uploadId;

  const mayGoOn = useMayGoOn();
  const resume = (file: File) => {
    if (!mayGoOn()) return;
    // The name in a manifest is one that every system can hold.
    if ((!seal && file.name.normalize("NFC") !== filename) || file.size !== upload.size) {
      toast({ title: t("otherFile"), description: t("otherFileHelp", { filename, size }), tone: "bad" });
      return;
    }
    const goesOn = seal && { sealed: true, goesOnWith: downloadId };
    const options = { expiration: upload.expiration, expirationChosen: upload.expirationChosen, ...goesOn };
    currentUpload.start({ file, options, method: upload.transport === "chunks" ? "chunked" : "direct" });
  };

  return (
    <UnfinishedRow
      upload={upload}
      isLive={isLive}
      percentHere={isHere ? currentState.progress.percent : null}
      describe={(percent) => t(isHere ? "percentOfHere" : "percentOf", { percent, size })}
    >
      {!isHere && (
        <Button look="quiet" onClick={() => mayGoOn() && picker.current?.click()}>
          <RotateCcw size={18} aria-hidden />
          {t("resume")}
        </Button>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t("chooseAgain", { filename })}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) resume(file);
        }}
      />
    </UnfinishedRow>
  );
}
