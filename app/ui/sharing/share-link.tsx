import { useMessages } from "#app/lib/i18n/messages.ts";
import { CopyField } from "#app/ui/copy-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function ShareLink({ url, label }: { url: string; label: string }) {
  const t = useMessages("uploads");
  const tell = (hasWorked: boolean) => {
    toast(
      hasWorked
        ? { title: t("linkCopied") }
        : { title: t("copyFailed"), description: t("copyFailedText"), tone: "bad" },
    );
  };
  return <CopyField label={label} value={url} words={{ copy: t("copy"), copied: t("copied") }} onCopied={tell} />;
}
