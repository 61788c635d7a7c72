import { CircleCheck } from "lucide-react";
import { formatBytes } from "#domain/units.ts";
import type { CompleteUploadAnswer } from "#domain/wire.ts";
import { Expiry } from "../expiry.tsx";
import { Button } from "../ui/button.tsx";
import { ShareLink } from "./share-link.tsx";

export function Sent({ result, onAnother }: { result: CompleteUploadAnswer; onAnother(): void }) {
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck size={28} aria-hidden className="mt-0.5 shrink-0 text-reed" />
        <div className="min-w-0">
          <h2 className="text-lg font-medium">Ready to share</h2>
          <p className="text-sm break-words text-muted">
            {result.filename} · {formatBytes(result.size)}
          </p>
        </div>
      </div>
      <ShareLink url={result.shareUrl} />
      <p className="text-sm text-muted">
        <Expiry expiresAt={result.expiresAt} />
      </p>
      <Button look="quiet" onClick={onAnother}>
        Upload Another File
      </Button>
    </div>
  );
}
