import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";

/** @returns says in a toast whether a link was copied */
export function useTellCopied(): (hasWorked: boolean) => void {
  const t = useMessages("sharing");
  return (hasWorked) => {
    toast(
      hasWorked
        ? { title: t("linkCopied") }
        : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
    );
  };
}

/** @returns copies a link, and says whether that worked */
export function useCopyLink(): (url: string) => Promise<void> {
  const tell = useTellCopied();
  return async (url) => {
    tell(await copyText(url));
  };
}
