import { Pencil } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";

export function EditWords({ onOpen }: { onOpen(): void }) {
  const t = useMessages("transferUpload");
  return (
    <Button look="quiet" className="shrink-0 px-3!" aria-label={t("editWords")} onClick={onOpen}>
      <Pencil size={18} aria-hidden />
    </Button>
  );
}

/** The server did not take what the person typed. */
export function WordsFailed() {
  const t = useMessages("transferUpload");
  return (
    <p role="alert" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      {t("wordsFailed")}. {t("wordsFailedHelp")}
    </p>
  );
}
