import clsx from "clsx";
import { Check, Play } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import type { EntryState } from "#domain/wire.ts";
import type { EntryPicture, TransferEntry } from "../transfer/entry-list.ts";
import Picture from "./picture.client.tsx";
import { playingTime } from "./playing-time.ts";

export interface TileTools {
  onOpen(entry: TransferEntry): void;
  /** @param isRange whether all files since the last click are selected */
  onSelect(entry: TransferEntry, isRange: boolean): void;
}

interface TileProps {
  entry: TransferEntry;
  /** The file's address, without `/tile`. */
  url: string;
  picture: EntryPicture | null;
  state: EntryState;
  /** How much of the file has arrived; null if unknown. */
  percent: number | null;
  leftPx: number;
  widthPx: number;
  /** Counts from 1. */
  position: number;
  total: number;
  /** Whether Tab reaches this tile. */
  isActive: boolean;
  isSelected: boolean;
  canSelect: boolean;
  /** Whether any file is selected, so that all tiles show their boxes. */
  isSelecting: boolean;
  isOpenable: boolean;
  tools: TileTools;
}

/** A file on the wall: its picture, or an icon with its name. */
export const Tile = memo(function Tile(props: TileProps) {
  const { entry, url, picture, state, percent, leftPx, widthPx, position, total } = props;
  const { isActive, isSelected, canSelect, isSelecting, isOpenable, tools } = props;
  const t = useMessages("pictures");
  const tTransfers = useMessages("transfers");
  const name = nameOf(entry.path);
  const duration = picture?.seconds === undefined ? null : playingTime(picture.seconds);
  const isMissing = state !== "stored";
  const arrived = state === "arriving" && percent !== null ? `${Math.floor(percent)} %` : t("onItsWay");
  const label = [
    t("positionInWall", { name, position, total }),
    ...(duration === null ? [] : [t("video", { duration })]),
    ...(isMissing ? [arrived] : []),
  ].join(", ");
  const icon = (
    <span className="grid size-full place-content-center justify-items-center gap-2 p-3 text-muted">
      <FileIcon filename={name} size={32} />
      <span className="text-center text-sm" style={{ width: widthPx - 24 }}>
        <FileName name={name} title={entry.path} />
      </span>
    </span>
  );
  return (
    <div
      role="gridcell"
      data-key={entry.n}
      aria-label={label}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      title={entry.path}
      className={clsx(
        "group absolute inset-y-0 scroll-my-24 overflow-clip rounded-lg bg-sunken",
        isOpenable && "cursor-pointer",
        isSelected && "outline-3 -outline-offset-3 outline-reed",
        "focus-visible:outline-3 focus-visible:outline-offset-2",
      )}
      style={{ left: leftPx, width: widthPx }}
      onClick={() => {
        if (isOpenable) tools.onOpen(entry);
      }}
    >
      {picture ? (
        <Picture
          url={`${url}/tile`}
          alt={name}
          instead={icon}
          width={picture.width}
          height={picture.height}
          loading="lazy"
          decoding="async"
          className={clsx("size-full object-cover", isSelected && "scale-90 rounded-lg", isMissing && "opacity-70")}
        />
      ) : (
        icon
      )}
      <span aria-hidden className="pointer-events-none absolute inset-x-1.5 bottom-1.5 flex items-end gap-1.5">
        {isMissing && <Chip className="bg-amber text-black">{arrived}</Chip>}
        {duration !== null && (
          <Chip className="ms-auto bg-black/70 text-white">
            <Play size={12} fill="currentColor" />
            {duration}
          </Chip>
        )}
      </span>
      {canSelect && (
        <label
          className={clsx(
            "absolute top-0 left-0 grid size-11 cursor-pointer place-items-center",
            !isSelected &&
              !isSelecting &&
              "opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 focus-within:opacity-100 any-pointer-coarse:opacity-100",
          )}
          onClick={(event) => event.stopPropagation()}
        >
          <input
            type="checkbox"
            aria-label={tTransfers("selectEntry", { name })}
            tabIndex={-1}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              tools.onSelect(entry, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <span
            className={clsx(
              "grid size-6 place-items-center rounded-full border-2 shadow",
              isSelected ? "border-surface bg-reed text-on-reed" : "border-white bg-black/35",
            )}
          >
            {isSelected && <Check size={16} strokeWidth={3} aria-hidden />}
          </span>
        </label>
      )}
    </div>
  );
});

function Chip({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={clsx("flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium tabular-nums", className)}
    >
      {children}
    </span>
  );
}
