import { CircleCheck } from "lucide-react";
import { currentUpload } from "#app/upload/current-upload.ts";
import type { FinishedUpload } from "#app/upload/upload.ts";
import { formatBytes } from "#domain/units.ts";
import { Expiry } from "../expiry.tsx";
import { Button } from "../ui/button.tsx";
import { ShareLink } from "./share-link.tsx";
import type { Wording } from "./wording.ts";

export function Sent({ result, wording }: { result: FinishedUpload; wording: Wording }) {
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck size={28} aria-hidden className="mt-0.5 shrink-0 text-reed" />
        <div className="min-w-0">
          <h2 className="text-lg font-medium">{wording.done}</h2>
          <p className="text-sm break-words text-muted">
            {result.filename} · {formatBytes(result.size)}
          </p>
        </div>
      </div>
      <ShareLink url={result.shareUrl} label={wording.shareLink} />
      <p className="text-sm text-muted">
        <Expiry expiresAt={result.expiresAt} />
      </p>
      <Button
        look="quiet"
        onClick={() => {
          currentUpload.reset();
        }}
      >
        Upload Another File
      </Button>
    </div>
  );
}
