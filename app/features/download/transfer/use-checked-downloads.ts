import { useRevalidator } from "@remix-run/react";
import type { MouseEvent } from "react";
import { api } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";
import { isPlainClick } from "../plain-click.ts";
import { changesPage } from "../refusal.ts";

const DOWNLOAD_PATH = /^\/api\/files\/download\/.+\/content$/;

/**
 * Asks the server before each download whether the bytes exist: the sender may have removed files since the page was
 * loaded, and the browser would leave the page to show the error.
 * @param follow starts a download of an entry that is still arriving
 * @returns `start` checks and downloads a URL; `onClick` handles clicks on the links inside an element
 */
export function useCheckedDownloads(
  downloadId: string,
  onStarted: () => void,
  follow: (href: string) => Promise<void>,
): { start(href: string): Promise<void>; onClick(event: MouseEvent): void } {
  const t = useMessages("transfers");
  const { revalidate } = useRevalidator();
  const start = async (href: string) => {
    const { pathname, search, searchParams } = new URL(href, location.href);
    if (searchParams.get("follow") === "1") return follow(href);
    // Asks this host, because the link may name another host, such as APP_ORIGIN, whose answer a page may not read.
    const response = await fetch(pathname + search, { method: "HEAD" }).catch(() => null);
    if (response?.ok) {
      location.assign(href);
      onStarted();
    } else if (response?.status === 410 || response?.status === 404) {
      if (await isThere(downloadId)) {
        toast({ title: t("changedMeanwhile"), description: t("changedMeanwhileHelp"), tone: "bad" });
      }
      revalidate();
    } else {
      toast({ title: t("notStarted"), description: t("notStartedHelp"), tone: "bad" });
    }
  };
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlainClick(event) || !DOWNLOAD_PATH.test(link.pathname)) return;
    event.preventDefault();
    void start(link.href);
  };
  return { start, onClick };
}

/** @returns true if the transfer exists, so that only some of its files are gone */
async function isThere(downloadId: string): Promise<boolean> {
  try {
    await api.downloadInfo(downloadId);
    return true;
  } catch (error) {
    return !changesPage(error);
  }
}
