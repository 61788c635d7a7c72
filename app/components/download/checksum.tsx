import { useMutation } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#app/messages/messages.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { untilThere } from "#app/scripts.ts";
import { Button } from "../ui/button.tsx";

/** A file's checksum, whose word it is, and a way to hold a downloaded file against it without another tool. */
export function Checksum({ sha256, source }: { sha256: string; source: DownloadInfo["sha256Source"] }) {
  const say = useMessages("download");
  const picker = useRef<HTMLInputElement>(null);
  const check = useMutation({
    mutationFn: async (file: File) => {
      const { hashFile } = await untilThere(() => import("#app/upload/hash.ts"));
      const found = await hashFile(file, new AbortController().signal);
      if (found === null) throw new Error(say("unreadable"));
      return found === sha256;
    },
  });
  return (
    <details className="mt-6 border-t border-line pt-4 text-sm">
      <summary className="cursor-pointer font-medium">{say("checkDownload")}</summary>
      <p className="mt-3 text-muted">{say(source === "browser" ? "computedByBrowser" : "computedByServer")}</p>
      <code className="mt-1 block rounded-lg bg-sunken p-3 text-xs break-all select-all">{sha256}</code>
      <Button look="quiet" className="mt-3" disabled={check.isPending} onClick={() => picker.current?.click()}>
        {say(check.isPending ? "checking" : "chooseDownloaded")}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={say("chooseDownloaded")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) check.mutate(file);
        }}
      />
      <div role="status" className="mt-3">
        {check.data === true && (
          <p className="flex gap-2 text-reed">
            <ShieldCheck size={20} aria-hidden className="shrink-0" />
            {say("sameFile")}
          </p>
        )}
        {check.data === false && (
          <p className="flex gap-2 text-danger">
            <ShieldAlert size={20} aria-hidden className="shrink-0" />
            {say("anotherFile")}
          </p>
        )}
        {check.isError && <p className="text-danger">{check.error.message}</p>}
      </div>
    </details>
  );
}
