import { Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/clipboard.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Expiry } from "./expiry.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { toast } from "./ui/toast.tsx";

interface FileRowProps {
  file: ListedFile;
  shareUrl: string;
  onDelete(file: ListedFile): Promise<void>;
}

export function FileRow({ file, shareUrl, onDelete }: FileRowProps) {
  const [confirming, setConfirming] = useState(false);
  const copy = async () => {
    const done = await copyText(shareUrl);
    toast(
      done
        ? { title: "Link copied" }
        : { title: "Copy failed", description: "Failed to copy the link to clipboard", tone: "bad" },
    );
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium" title={file.filename}>
          {file.filename}
        </p>
        <p className="text-sm text-muted">
          {formatBytes(file.size)} · Uploaded{" "}
          {new Date(file.uploadedAt).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" })}
        </p>
        <p className="text-sm text-muted">
          {file.isExpired ? (
            <span className="font-medium text-amber">Expired</span>
          ) : (
            <Expiry expiresAt={file.expiresAt} />
          )}
        </p>
      </div>
      <Button look="quiet" disabled={file.isExpired} onClick={() => void copy()}>
        <Link2 size={18} aria-hidden />
        Copy link
      </Button>
      <Button
        look="danger"
        aria-label={`Delete ${file.filename}`}
        onClick={() => {
          setConfirming(true);
        }}
      >
        <Trash2 size={18} aria-hidden />
      </Button>
      {confirming && (
        <Dialog
          title="Delete this file?"
          description={`${file.filename} and its link are gone at once, for everyone. This cannot be undone.`}
          onClose={() => {
            setConfirming(false);
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <Button
              look="quiet"
              onClick={() => {
                setConfirming(false);
              }}
            >
              Keep it
            </Button>
            <Button
              look="danger"
              onClick={() => {
                setConfirming(false);
                void onDelete(file);
              }}
            >
              Delete
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
