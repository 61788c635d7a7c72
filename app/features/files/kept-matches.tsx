import { Link } from "@remix-run/react";
import { LockKeyhole } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOfManifest, sizeOfManifest, useKeptLinks } from "#app/lib/sealing/use-kept-links.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Card } from "#app/ui/card.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import { Expiry } from "#app/ui/moments.tsx";
import { formatBytes } from "#domain/units.ts";
import type { KeptLink } from "#engine/sealing/link-keys.ts";

/** The account's encrypted links that a search finds by their titles, which only this browser knows. */
export function useKeptMatches(search: string | undefined): KeptLink[] {
  const userId = useCurrentUser()?.id;
  const links = useKeptLinks(search !== undefined);
  if (search === undefined || links === undefined) return [];
  const wanted = search.toLowerCase();
  return links.filter(
    (link) =>
      link.userId === userId &&
      link.fingerprint === null &&
      nameOfManifest(link.manifest).toLowerCase().includes(wanted),
  );
}

/** Finds encrypted links without telling the server their titles, or which of them were found. */
export function KeptMatches({ links }: { links: readonly KeptLink[] }) {
  const t = useMessages("files");
  return (
    <Card className="mb-4 p-2! sm:p-3!">
      <h2 className="flex items-center gap-2 px-3 pt-2 text-sm font-medium text-muted">
        <LockKeyhole size={16} aria-hidden />
        {t("encryptedFound")}
      </h2>
      <ul className="divide-y divide-line">
        {links.map(({ uploadId, manifest, expiresAt }) => (
          <li key={uploadId} className="px-3 py-3">
            <Link to={`/dashboard/${uploadId}`} className="font-medium hover:text-reed hover:underline">
              <FileName name={nameOfManifest(manifest)} />
            </Link>
            <p className="text-sm text-muted">
              {formatBytes(sizeOfManifest(manifest), t.locale)} ·{" "}
              <Expiry expiresAt={expiresAt === null ? null : new Date(expiresAt).toISOString()} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
