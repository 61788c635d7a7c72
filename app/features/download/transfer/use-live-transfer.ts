import { useRevalidator } from "@remix-run/react";
import { useEffect, useReducer } from "react";
import { api } from "#app/lib/api.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { addProgressSample, type ProgressSample } from "#domain/arrival-estimate.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { DownloadInfo, TransferMessage } from "#domain/wire.ts";
import { Throttle } from "#engine/timing.ts";
import { changesPage } from "../refusal.ts";
import type { EntryList } from "./entry-list.ts";

/** Polls because no message reports added or removed files or a new title, and because networks may block sockets. */
const POLL_MS = 15 * SECOND_MS;

/** Follows a transfer's upload, and reloads the page's data at its end. @returns the progress so far */
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
    let socket: { close(): void } | undefined;
    let isUnmounted = false;
    // Loaded on demand, because most visitors open a finished transfer.
    const listen = async () => {
      const { watchTransfer } = await importWhenOnline(() => import("#app/lib/arriving.client.ts"));
      if (isUnmounted) return;
      socket = watchTransfer(downloadId, {
        onOpen: () => revalidate(),
        onMessage: (message) => {
          if (message.type === "upload_ended") revalidate();
          else if (message.type === "pictures") {
            // The page's data then brings the texts of the wall, too, which most pages do without.
            if (!list.hasPictures) revalidate();
            list.hearPictures(message.list);
          } else gatherer.add(message);
          // Pictures may have been stored while no socket was open.
          if (message.type === "transfer_state") void list.expectPictures(message.pictures ?? 0);
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
        // The API is asked first, because a failed revalidation would replace the page with an error.
        const { progress } = await api.downloadInfo(downloadId);
        addSample({ at: Date.now(), percent: progress ?? 0 });
        revalidate();
      } catch (error) {
        // Errors other than 401, 404 and 410 may be temporary.
        if (changesPage(error)) revalidate();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [downloadId, isUploading, revalidate]);

  return samples;
}

/** The page is drawn at most every 250 ms, because sender and server send up to twelve messages a second. */
const DRAW_INTERVAL_MS = SECOND_MS / 4;

export interface GatheredProgress {
  /** How much of the whole transfer has arrived, in percent; null if no message said so. */
  percent: number | null;
  /** Entries that have arrived. */
  stored: Runs;
  /** The arriving entries, each with number and percent; null if no message said so. */
  moving: readonly (readonly [number, number])[] | null;
}

const NOTHING: GatheredProgress = { percent: null, stored: [], moving: null };

/** Gathers the messages about a transfer, so that the page is drawn at most four times a second. */
export class ProgressGatherer {
  readonly #throttle: Throttle;
  #gathered = NOTHING;

  /** @param onProgress called at once for the first message, then with everything since the last call */
  constructor(onProgress: (progress: GatheredProgress) => void) {
    this.#throttle = new Throttle(DRAW_INTERVAL_MS, () => {
      const gathered = this.#gathered;
      this.#gathered = NOTHING;
      onProgress(gathered);
    });
  }

  add(message: TransferMessage): void {
    const { stored } = this.#gathered;
    if (message.type === "transfer_state") {
      this.#gather({ percent: message.percent, stored: [...stored, ...message.stored] });
    } else if (message.type === "transfer_progress") {
      this.#gather({ percent: message.percent, moving: message.moving });
    } else if (message.type === "entries_stored") {
      this.#gather({ stored: [...stored, ...message.runs] });
    }
  }

  /** Drops the gathered messages. */
  stop(): void {
    this.#throttle.stop();
  }

  #gather(told: Partial<GatheredProgress>): void {
    this.#gathered = { ...this.#gathered, ...told };
    this.#throttle.call();
  }
}
