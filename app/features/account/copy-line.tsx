import { useMessages } from "#app/lib/i18n/messages.ts";
import { CopyField } from "#app/ui/copy-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** One of several texts of the account page to copy. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  const t = useMessages("account");
  const tell = (hasWorked: boolean) => {
    if (!hasWorked) toast({ title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" });
  };
  const words = { copy: t("copy"), copied: t("copied") };
  return <CopyField label={label} value={value} words={words} isNamed onCopied={tell} />;
}
