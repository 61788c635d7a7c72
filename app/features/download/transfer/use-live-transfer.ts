import { useRevalidator } from "@remix-run/react";
import { useEffect, useReducer } from "react";
import { api } from "#app/lib/api.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { TransferSocket } from "#engine/transfer-socket.ts";
import { addProgressSample, type ProgressSample } from "#domain/arrival-estimate.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { changesPage } from "../changes-page.ts";
import type { EntryList } from "./entry-list.ts";
import { ProgressGatherer } from "./progress-gatherer.ts";

/** No message tells that files were added or removed, or that the title has changed; and networks may block sockets. */
const POLL_MS = 15 * SECOND_MS;

/** Follows a transfer while it is uploaded, and loads the page anew when it is over. @returns its progress so far */
export function useLiveTransfer(downloadId: string, info: DownloadInfo, list: EntryList): readonly ProgressSample[] {
  const { revalidate } = useRevalidator();
  const [samples, addSample] = useReducer(addProgressSample, []);
  const isUploading = info.status === "uploading";

  useEffect(() => {
    if (!isUploading) return;
    const gatherer = new ProgressGatherer(({ percent, stored, moving }) => {
      if (percent !== null) addSample({ at: Date.now(), percent });
      list.hear(stored, moving);
    });
    let socket: TransferSocket | undefined;
    let isUnmounted = false;
    // Loaded on demand: most visitors open a finished transfer.
    const listen = async () => {
      const { watchTransfer } = await importWhenOnline(() => import("#app/lib/transfer-socket.client.ts"));
      if (isUnmounted) return;
      socket = watchTransfer(downloadId, {
        onOpen: () => {
          revalidate();
        },
        onMessage: (message) => {
          if (message.type === "upload_ended") revalidate();
          else gatherer.add(message);
        },
      });
    };
    listen().catch(() => undefined);
    return () => {
      isUnmounted = true;
      gatherer.stop();
      socket?.close();
    };
  }, [downloadId, isUploading, list, revalidate]);

  useEffect(() => {
    if (!isUploading) return;
    const poll = async () => {
      try {
        // Asked first: a failed revalidation would replace the page with an error.
        const { progress } = await api.downloadInfo(downloadId);
        addSample({ at: Date.now(), percent: progress ?? 0 });
        revalidate();
      } catch (error) {
        // Other errors may be temporary.
        if (changesPage(error)) revalidate();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [downloadId, isUploading, revalidate]);

  return samples;
}
