import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { toast } from "#app/ui/toast.ts";

interface ListStateProps {
  error: Error | null;
  onRetry(): Promise<unknown>;
  isLoading: boolean;
}

/** Says that a list of the account page is loading or has failed to load. */
export function ListState({ error, onRetry, isLoading }: ListStateProps) {
  const t = useMessages("account");
  if (error) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
        {error.message}
        <Button look="quiet" onClick={() => void onRetry()}>
          {t("retry")}
        </Button>
      </p>
    );
  }
  return isLoading && <p className="py-3 text-muted">{t("loading")}</p>;
}

/** A text of the account page with a button that copies it. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  const t = useMessages("account");
  const tell = (hasWorked: boolean) => {
    if (!hasWorked) toast({ title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" });
  };
  const words = { copy: t("copy"), copied: t("copied") };
  return <CopyField label={label} value={value} words={words} isNamed onCopied={tell} />;
}
