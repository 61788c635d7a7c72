import { copyText } from "#app/lib/clipboard.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";

/** Whether the browser supports the Web Share API. False until hydrated. */
export function useCanShare(): boolean {
  return useHydrated() && typeof navigator.share === "function";
}

/** Opens the share sheet. Ignores errors, because closing the system's share sheet causes an error. */
export async function shareNatively(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}

/** An address that opens the person's mail program (RFC 6068). A `#` in the text becomes `%23`. */
export function mailtoLink(subject: string, body: string): string {
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
}

/** @returns a function that says in a toast whether a link was copied */
export function useTellCopied(): (hasWorked: boolean) => void {
  const t = useMessages("sharing");
  return (hasWorked) =>
    toast(
      hasWorked
        ? { title: t("linkCopied") }
        : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
    );
}

/** @returns a function that copies a link and says in a toast whether copying worked */
export function useCopyLink(): (url: string) => Promise<void> {
  const tell = useTellCopied();
  return async (url) => {
    tell(await copyText(url));
  };
}
