import { useRevalidator } from "@remix-run/react";
import { useEffect, useReducer, useState } from "react";
import { api, ApiError } from "#app/lib/api.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { TransferSocket } from "#app/lib/transfer-socket.ts";
import { addProgressSample, type ProgressSample } from "#domain/arrival-estimate.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { DownloadInfo, TransferMessage } from "#domain/wire.ts";
import type { EntryList } from "./entry-list.ts";

/** Polls while no socket is open, for networks that block sockets. */
const POLL_MS = 15 * SECOND_MS;

/** Follows a transfer while it is uploaded, and loads the page anew when it is over. @returns its progress so far */
export function useLiveTransfer(downloadId: string, info: DownloadInfo, list: EntryList): readonly ProgressSample[] {
  const { revalidate } = useRevalidator();
  const [samples, addSample] = useReducer(addProgressSample, []);
  const [isLive, setIsLive] = useState(false);
  const isUploading = info.status === "uploading";

  useEffect(() => {
    if (!isUploading) return;
    const onMessage = (message: TransferMessage) => {
      if (message.type === "transfer_state" || message.type === "transfer_progress") {
        addSample({ at: Date.now(), percent: message.percent });
      }
      if (message.type === "transfer_state") list.addStored(message.stored);
      if (message.type === "transfer_progress") list.setMoving(message.moving);
      if (message.type === "entries_stored") list.addStored(message.runs);
      if (message.type === "upload_ended") revalidate();
    };
    let socket: TransferSocket | undefined;
    let isUnmounted = false;
    // Loaded on demand: most visitors open a finished transfer.
    const listen = async () => {
      const { TransferSocket } = await importWhenOnline(() => import("#app/lib/transfer-socket.ts"));
      if (isUnmounted) return;
      socket = new TransferSocket(downloadId, {
        onOpen: () => {
          setIsLive(true);
          revalidate();
        },
        onClose: () => {
          setIsLive(false);
        },
        onMessage,
      });
    };
    listen().catch(() => undefined);
    return () => {
      isUnmounted = true;
      socket?.close();
    };
  }, [downloadId, isUploading, list, revalidate]);

  useEffect(() => {
    if (!isUploading || isLive) return;
    const poll = async () => {
      try {
        const { status, progress, transfer } = await api.downloadInfo(downloadId);
        if (status === "ready") {
          revalidate();
          return;
        }
        addSample({ at: Date.now(), percent: progress ?? 0 });
        list.addStored(transfer?.stored ?? []);
      } catch (error) {
        // The upload is gone: show that. Other errors may be temporary.
        if (error instanceof ApiError && (error.status === 404 || error.status === 410)) revalidate();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [downloadId, isLive, isUploading, list, revalidate]);

  return samples;
}
