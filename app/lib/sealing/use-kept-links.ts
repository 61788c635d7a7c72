import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Manifest } from "#domain/seal/manifest.ts";
import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { importWhenOnline } from "../script-loading/scripts.ts";

const QUERY_KEY = ["sealed-links"];
const NONE: KeptLink[] = [];

const load = () => importWhenOnline(() => import("./kept-links.client.ts"));

/** Whether this page load has still to look for ended links. */
let looksForEnded = true;

async function readKeptLinks(): Promise<KeptLink[]> {
  const links = await (await load()).listKeptLinks();
  if (looksForEnded) {
    looksForEnded = false;
    const { forgetEndedLinks } = await importWhenOnline(() => import("./forget-links.client.ts"));
    // Not awaited: forgetting a link makes the components that show links render again.
    forgetEndedLinks(links, Date.now()).catch(() => undefined);
  }
  return links;
}

/** The sealed links whose keys this browser has; undefined until read. @param isNeeded false: reads nothing */
export function useKeptLinks(isNeeded: boolean): KeptLink[] | undefined {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: readKeptLinks,
    enabled: isNeeded,
    structuralSharing: false,
  });
  useEffect(() => {
    if (!isNeeded) return;
    let stop: (() => void) | null = null;
    let hasEnded = false;
    load().then(
      ({ onKeptLinksChange }) => {
        if (!hasEnded) stop = onKeptLinksChange(() => void queries.invalidateQueries({ queryKey: QUERY_KEY }));
      },
      () => undefined,
    );
    return () => {
      hasEnded = true;
      stop?.();
    };
  }, [isNeeded, queries]);
  return isNeeded ? data : NONE;
}

/** @returns null for a link that this browser has not kept; undefined until the links have been read */
export function useKeptLink(downloadId: string, isNeeded: boolean): KeptLink | null | undefined {
  const links = useKeptLinks(isNeeded);
  return links && (links.find((link) => link.downloadId === downloadId) ?? null);
}

/** The name of a sealed link: a transfer's title, or the name of the single file. */
export function nameOfManifest({ title, files }: Manifest): string {
  return title ?? files[0]?.name ?? "";
}

/** @returns the total bytes of all files */
export function sizeOfManifest({ files }: Manifest): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
