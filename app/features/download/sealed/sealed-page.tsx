import { useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { SECOND_MS } from "#domain/units.ts";
import { pause } from "#engine/timing.ts";
import { LinkForm } from "../protection/protected-link.tsx";
import { ProtectedLinkContext, type ProtectedLinkControls } from "../protection/protected-link-context.tsx";
import { StretchReader, type Clear } from "./reader/opener.ts";
import { OpenError } from "./reader/open-error.ts";
import { SaveJobs } from "./saving/save-jobs.ts";
import { SaveList } from "./saving/save-list.tsx";
import { SealedPageContext, type SealedPage } from "./sealed-context.ts";
import { findWanted, type SealedLinkFile, type Wanted } from "./sealed-files.ts";
import { SealedViewer } from "./sealed-viewer.tsx";
import type { OpenedSealedLink } from "./use-sealed-link.ts";

interface SealedPageProviderProps {
  downloadId: string;
  link: OpenedSealedLink;
  files: readonly SealedLinkFile[];
  /** The transfer's title, or the name of its only file. */
  title: string;
  /** The number of the server's streams that the list does not name. */
  unlisted: number;
  /** The URL's part behind `#`, without text that was typed after the link. */
  fragment: string;
  /** Whether the link counts downloads. */
  isCounted: boolean;
  unlockAgain(): Promise<boolean>;
  /** @returns the newest list of files; null if it cannot be read */
  readNewestList(): Promise<Manifest | null>;
  children: ReactNode;
}

/** Makes the buttons and viewers of a plain link's page decrypt the files of a sealed link. */
export function SealedPageProvider(props: SealedPageProviderProps) {
  const { downloadId, link, files, title, unlisted, fragment, isCounted, unlockAgain, readNewestList, children } =
    props;
  const [jobs] = useState(() => new SaveJobs());
  const protectedLink = useContext(ProtectedLinkContext);
  const takeAny = protectedLink?.take;
  const { keys, password } = link;
  const clear = useMemo<Clear>(() => {
    return (obstacle) => (obstacle === "locked" ? unlockAgain() : (takeAny?.() ?? Promise.resolve(false)));
  }, [unlockAgain, takeAny]);
  const life = useRef(new AbortController());
  useEffect(() => {
    jobs.use({
      downloadId,
      keys,
      take: () => (isCounted && takeAny ? takeAny() : Promise.resolve(true)),
      clear,
      findSum: (wanted) => findSum(readNewestList, wanted, life.current.signal),
      onOpened: (wanted) => {
        if (isCounted) void reportOpened(downloadId, wanted);
      },
    });
  }, [jobs, downloadId, keys, isCounted, takeAny, clear, readNewestList]);
  useEffect(() => {
    const mounted = new AbortController();
    life.current = mounted;
    void jobs.probe();
    return () => {
      mounted.abort();
      jobs.stopAll();
    };
  }, [jobs]);

  const sealedGuard = useMemo<ProtectedLinkControls | null>(
    () =>
      protectedLink && {
        ...protectedLink,
        hrefOf: (href) => href,
        notes: (
          <>
            <EncryptedNote />
            {unlisted > 0 && <UnlistedNote count={unlisted} />}
            {protectedLink.notes}
            <SaveList jobs={jobs} />
          </>
        ),
        renderLink: ({ href, className, children: label }) => (
          <button type="submit" form={protectedLink.formId} formAction={href} className={`${className} cursor-pointer`}>
            {label}
          </button>
        ),
        renderForm: () => (
          <LinkForm
            id={protectedLink.formId}
            onAsk={(href) => {
              const wanted = findWanted(href, files, title);
              if (wanted) void jobs.start(wanted);
            }}
          />
        ),
      },
    [protectedLink, jobs, files, title, unlisted],
  );
  const page = useMemo<SealedPage>(() => {
    const fileAt = (href: string) => findWanted(href.replace(/(?:preview|tile|view)$/, "content"), files, title);
    return {
      renderViewer: (kind, viewer, render) => {
        const wanted = fileAt(viewer.url);
        const own = { kind, downloadId, keys, clear, render };
        return wanted && <SealedViewer {...viewer} {...own} wanted={wanted} />;
      },
      openAbout: async (stream, about) => (await loadPictures()).readAbout(keys, stream, about),
      openPicture: async (url, signal) => {
        const stream = fileAt(url)?.files[0]?.stream ?? 0;
        return (await loadPictures()).fetchPicture(keys, stream, url, clear, signal);
      },
      openFile: async (url) => {
        const wanted = fileAt(url);
        if (!wanted) throw new OpenError("gone");
        const reader = new StretchReader(keys, wanted, clear);
        return reader.read(0, wanted.files[0]?.size ?? 0).finally(() => reader.close());
      },
      sharedKey: () => ({ fragment, ...(password !== "" && { password }) }),
      entryOf: (n) => files.find((file) => file.n === n)?.entry ?? undefined,
    };
  }, [downloadId, keys, files, title, fragment, password, clear]);
  return (
    <SealedPageContext.Provider value={page}>
      <ProtectedLinkContext.Provider value={sealedGuard}>{children}</ProtectedLinkContext.Provider>
    </SealedPageContext.Provider>
  );
}

/** Most links have no pictures. */
function loadPictures() {
  return importWhenOnline(() => import("./sealed-pictures.client.ts"));
}

function EncryptedNote() {
  const t = useMessages("sealedLinks");
  return <p className="mt-3 text-center text-sm text-balance text-muted">{t("encryptedNote")}</p>;
}

/** Says how many files the list lacks. Either the server or the sender may have left them out. */
function UnlistedNote({ count }: { count: number }) {
  const t = useMessages("sealedLinks");
  return (
    <p role="status" className="mt-3 rounded-2xl border border-amber px-4 py-3 text-sm">
      {t("unlisted", { count })}
    </p>
  );
}

/** How often the list is read again while it does not name a file's sum. */
const SUM_RETRY_MS = 15 * SECOND_MS;

/**
 * The SHA-256 of a file that was followed to its end. The sender of several files lists a file's sum soon after the file.
 * @returns "" if the list has no such file; null without a list
 */
async function findSum(
  readNewestList: () => Promise<Manifest | null>,
  { files }: Wanted,
  signal: AbortSignal,
): Promise<string | null> {
  const [file] = files;
  const isIt = ({ stream, at, size }: Manifest["files"][number]) =>
    stream === file?.stream && at === file.at && size === file.size;
  for (;;) {
    const list = await readNewestList();
    if (list === null) return null;
    const found = list.files.find(isIt);
    if (list.final || !found) return found?.sha256 ?? "";
    if (file?.entry == null) return null;
    if (found.sha256 !== undefined) return found.sha256;
    try {
      await pause(SUM_RETRY_MS, signal);
    } catch {
      return null;
    }
  }
}

/** Reports a whole decrypted file. The server cannot tell by itself, because an earlier visit may have read a part. */
async function reportOpened(downloadId: string, { files }: Wanted): Promise<void> {
  const entry = files.find(({ size }) => size > 0)?.entry ?? null;
  await call("POST /api/files/download/:downloadId/opened", {
    params: { downloadId },
    body: entry === null ? {} : { entry },
  }).catch(() => undefined);
}
