import { useMessages } from "#app/lib/i18n/messages.ts";
import { CopyField } from "#app/ui/copy-field.tsx";
import { useTellCopied } from "./ways-to-share.ts";

export function ShareLink({ url, label }: { url: string; label: string }) {
  const t = useMessages("sharing");
  const words = { copy: t("copy"), copied: t("copied") };
  return <CopyField label={label} value={url} words={words} onCopied={useTellCopied()} />;
}
