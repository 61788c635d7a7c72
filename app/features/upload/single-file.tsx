import { useEffect, useRef, useState } from "react";
import { currentUpload, type UploadState } from "./current-upload.ts";
import { LinkProtection, ProtectionDialog } from "./link-protection.tsx";
import { Sending } from "./sending.tsx";
import { SentFile } from "./sent.tsx";
import type { Wording } from "./wording.ts";

interface SingleFileProps {
  upload: Extract<UploadState, { mode: "sending" | "done" }>;
  wording: Wording;
}

/** A file that is on its way or has arrived. The dialog stays open when it arrives meanwhile. */
export function SingleFile({ upload, wording }: SingleFileProps) {
  const { link } = upload;
  const [isProtecting, setProtecting] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the focus is gone with the step before.
    if (document.activeElement === document.body) step.current?.focus({ preventScroll: true });
  }, [upload.mode]);
  const protection = link && (
    <LinkProtection
      known={link}
      onOpen={() => {
        setProtecting(true);
      }}
    />
  );
  return (
    <div ref={step} tabIndex={-1} className="outline-none">
      {upload.mode === "sending" ? (
        <Sending upload={upload} wording={wording} protection={protection} />
      ) : (
        <SentFile
          result={{ ...upload.result, ...(link && { shareUrl: link.shareUrl }) }}
          wording={wording}
          guards={link?.guards}
          protection={protection}
        />
      )}
      {link && isProtecting && (
        <ProtectionDialog
          id={link.uploadId}
          name={upload.mode === "sending" ? upload.file.name : upload.result.filename}
          known={link}
          onChange={(known) => {
            currentUpload.setGuards(known);
          }}
          onClose={() => {
            setProtecting(false);
          }}
        />
      )}
    </div>
  );
}
