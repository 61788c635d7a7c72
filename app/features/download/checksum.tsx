import { useMutation } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { FileInput } from "#app/ui/file-input.tsx";
import { Unfold } from "#app/ui/unfold.tsx";

/** Shows a checksum, and checks a chosen file against it. @param props.source a text that says who computed the sum */
export function Checksum({ sha256, source }: { sha256: string; source: string }) {
  const t = useMessages("download");
  const picker = useRef<HTMLInputElement>(null);
  const check = useMutation({
    mutationFn: async (file: File) => {
      const { hashFile } = await importWhenOnline(() => import("#app/lib/hashing/hash-file.client.ts"));
      const found = await hashFile(file, new AbortController().signal);
      if (found === null) throw new Error(t("unreadable"));
      return found === sha256;
    },
  });
  return (
    <Unfold title={t("checkDownload")} className="mt-6 border-t border-line pt-2 text-sm">
      <p className="mt-1 text-muted">{source}</p>
      <code className="mt-1 block rounded-lg bg-sunken p-3 text-xs break-all select-all">{sha256}</code>
      <Button look="quiet" className="mt-3" busy={check.isPending} onClick={() => picker.current?.click()}>
        {t(check.isPending ? "checking" : "chooseDownloaded")}
      </Button>
      <FileInput ref={picker} hidden label={t("chooseDownloaded")} onFiles={([file]) => file && check.mutate(file)} />
      <div role="status" className="mt-3">
        {check.data === true && (
          <p className="flex gap-2 text-reed">
            <ShieldCheck size={20} aria-hidden className="shrink-0" />
            {t("sameFile")}
          </p>
        )}
        {check.data === false && (
          <p className="flex gap-2 text-danger">
            <ShieldAlert size={20} aria-hidden className="shrink-0" />
            {t("anotherFile")}
          </p>
        )}
        {check.isError && <p className="text-danger">{check.error.message}</p>}
      </div>
    </Unfold>
  );
}
