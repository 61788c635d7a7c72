import clsx from "clsx";
import { Image, List } from "lucide-react";
import { lazy, Suspense, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import type { EntrySelection } from "#app/ui/entries/entry-rows.ts";
import { ProtectedLinkContext } from "../protection/protected-link-context.tsx";
import type { EntryList, EntryListSnapshot, TransferEntry } from "../transfer/entry-list.ts";
import { areMostlyPictures, LOOKS, rememberLook, type Look } from "./look.ts";
import { useShownFile } from "./use-shown-file.ts";
import { inWallOrder } from "./wall-rows.ts";

const Wall = lazy(() => importWhenOnline(() => import("./wall.client.tsx")));
const Viewer = lazy(() => importWhenOnline(() => import("./viewer.client.tsx")));

interface PicturedFilesProps {
  downloadId: string;
  list: EntryList;
  shown: EntryListSnapshot;
  selection: EntrySelection<TransferEntry>;
  /** The look that this person has chosen on any link; null for none. */
  chosenLook: Look | null;
  onShowDetails(entry: TransferEntry): void;
  /** The box that selects all files. */
  selectAll: ReactNode;
  /** The files as a list. */
  children: ReactNode;
}

/** The files of a transfer with pictures: as a wall or a list, and in the viewer. Without scripts, the list. */
export default function PicturedFiles(props: PicturedFilesProps) {
  const { downloadId, list, shown, selection, chosenLook, onShowDetails, selectAll, children } = props;
  const { entries, isComplete, version } = shown;
  const t = useMessages("pictures");
  const hydrated = useHydrated();
  const protectedLink = useContext(ProtectedLinkContext);
  // A picture is no download, so it never begins a lease: who has none sees the list.
  const isTakeNeeded = protectedLink?.isTakeNeeded ?? false;
  // Decided once, so that no list turns into a wall under somebody's hands.
  const [look, setLook] = useState<Look>(() => chosenLook ?? (areMostlyPictures(entries) ? "wall" : "list"));
  const address = useShownFile();
  const shownNumber = isTakeNeeded ? null : address.n;
  const files = useMemo(() => inWallOrder(entries), [entries]);
  const isFound = files.some(({ n }) => n === shownNumber);
  useEffect(() => {
    if (shownNumber === null || isFound) return;
    if (isComplete) address.close();
    else void list.loadMore();
    // oxlint-disable-next-line react/exhaustive-deps -- `entries` stands for each load; `address` is new each time
  }, [shownNumber, isFound, isComplete, list, entries]);
  const lastShown = useRef<number | null>(null);
  const [left, setLeft] = useState<{ n: number } | null>(null);
  useEffect(() => {
    if (shownNumber === null && lastShown.current !== null) setLeft({ n: lastShown.current });
    lastShown.current = shownNumber;
  }, [shownNumber]);
  const isWall = look === "wall" && !isTakeNeeded;
  return (
    <>
      <div className="mt-4 mb-1 flex flex-wrap items-center justify-between gap-x-4">
        {/* In line with the boxes of the list, or with the headings of the wall. */}
        <div className={clsx(isWall && "-ms-5")}>{selectAll}</div>
        {!isTakeNeeded && (
          <LookSwitch
            look={look}
            isEnabled={hydrated}
            onChange={(chosen) => {
              setLook(chosen);
              rememberLook(chosen);
            }}
          />
        )}
      </div>
      {isTakeNeeded && (
        <div className="mb-4 noscript:hidden">
          <Button look="quiet" wide icon={Image} disabled={!hydrated} onClick={() => void protectedLink?.take()}>
            {t("show")}
          </Button>
          {protectedLink?.previewNote}
        </div>
      )}
      {isWall && <div className="hidden noscript:block">{!hydrated && children}</div>}
      {isWall && (
        <div data-wall className="noscript:hidden">
          <WallPlace>
            {hydrated && (
              <Wall
                downloadId={downloadId}
                list={list}
                shown={shown}
                selection={selection}
                focused={left}
                onOpen={address.open}
              />
            )}
          </WallPlace>
        </div>
      )}
      {!isWall && children}
      {hydrated && shownNumber !== null && isFound && (
        <Suspense>
          <Viewer
            downloadId={downloadId}
            list={list}
            files={files}
            version={version}
            n={shownNumber}
            onMove={address.move}
            onClose={address.close}
            onShowDetails={(entry) => {
              address.close();
              onShowDetails(entry);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** As high as a screen until the wall is there, so that what follows the wall does not jump. */
function WallPlace({ children }: { children: ReactNode }) {
  const t = useMessages("pictures");
  const empty = (
    <p role="status" className="min-h-dvh p-3 text-sm text-muted">
      {t("loading")}
    </p>
  );
  return children === false ? empty : <Suspense fallback={empty}>{children}</Suspense>;
}

interface LookSwitchProps {
  look: Look;
  isEnabled: boolean;
  onChange(look: Look): void;
}

const ICONS = { wall: Image, list: List } as const;

function LookSwitch({ look, isEnabled, onChange }: LookSwitchProps) {
  const t = useMessages("pictures");
  return (
    <div
      role="radiogroup"
      aria-label={t("shownAs")}
      className="flex rounded-xl border border-line p-0.5 text-sm noscript:hidden"
    >
      {LOOKS.map((each) => {
        const Icon = ICONS[each];
        return (
          <label
            key={each}
            className={clsx(
              "flex min-h-10 cursor-pointer items-center gap-2 rounded-[0.625rem] px-3 font-medium",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-reed",
              each === look ? "bg-sunken text-ink" : "text-muted hover:text-ink",
            )}
          >
            <input
              type="radio"
              name="look"
              value={each}
              checked={each === look}
              disabled={!isEnabled}
              onChange={() => onChange(each)}
              className="sr-only"
            />
            <Icon size={18} aria-hidden />
            {t(each)}
          </label>
        );
      })}
    </div>
  );
}
