import { useRevalidator } from "@remix-run/react";
import type { MouseEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";

const DOWNLOAD_PATH = /^\/api\/files\/download\/.+\/content$/;

/**
 * Asks before a download whether its bytes are still there: the sender may have removed files since the page was
 * loaded, and the browser would leave the page to show the error.
 * @returns a click handler for what surrounds the download links
 */
export function useCheckedDownloads(onStarted: () => void): (event: MouseEvent) => void {
  const t = useMessages("transfers");
  const { revalidate } = useRevalidator();
  const start = async (url: string) => {
    const response = await fetch(url, { method: "HEAD" }).catch(() => null);
    if (response?.ok) {
      location.assign(url);
      onStarted();
    } else if (response?.status === 410) {
      toast({ title: t("changedMeanwhile"), description: t("changedMeanwhileHelp"), tone: "bad" });
      revalidate();
    } else {
      toast({ title: t("notStarted"), description: t("notStartedHelp"), tone: "bad" });
    }
  };
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlainClick = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlainClick || !DOWNLOAD_PATH.test(link.pathname)) return;
    event.preventDefault();
    void start(link.href);
  };
}
