import clsx from "clsx";
import { useState, type ReactNode } from "react";
import type { FirstPicture } from "#domain/wire.ts";

interface PictureMarkProps {
  downloadId: string;
  isTransfer: boolean;
  /** At most four. */
  pictures: readonly FirstPicture[] | undefined;
  /** The icon of a link without pictures. */
  children: ReactNode;
}

/** The first pictures of a link, or its icon, before the link's name in a list. */
export function PictureMark({ downloadId, isTransfer, pictures = [], children }: PictureMarkProps) {
  const [isBroken, setIsBroken] = useState(false);
  const link = `/api/files/download/${downloadId}`;
  const count = pictures.length;
  if (count === 0 || isBroken) {
    return <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-sunken text-reed">{children}</span>;
  }
  return (
    <span
      className={clsx(
        "grid size-11 shrink-0 gap-px overflow-clip rounded-xl bg-sunken",
        count > 1 && "grid-cols-2",
        count > 2 && "grid-rows-2",
      )}
    >
      {pictures.map(([n, width, height], at) => (
        <img
          key={n}
          src={isTransfer ? `${link}/entries/${n}/tile` : `${link}/tile`}
          alt=""
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={clsx("size-full min-h-0 object-cover", count === 3 && at === 0 && "row-span-2")}
          onError={() => setIsBroken(true)}
        />
      ))}
    </span>
  );
}
