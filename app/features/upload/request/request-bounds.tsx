import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { SeenUploadRequest } from "#domain/wire.ts";

/** Shows the room of a request, how long files are kept, and which values senders must give. */
export function RequestBounds({ request }: { request: SeenUploadRequest }) {
  const { left, mostFileBytes, kinds, expiresAt, keepFor, asksName, asksEmail } = request;
  const t = useMessages("requestPage");
  const tExpiration = useMessages("expirations");
  const writeMoment = useMoment();
  const bounds = [
    left.bytes !== null && left.bytes > 0 && t("upTo", { size: formatBytes(left.bytes, t.locale) }),
    (left.bytes === null || mostFileBytes < left.bytes) &&
      t("eachFile", { size: formatBytes(mostFileBytes, t.locale) }),
    left.transfers !== null && left.transfers > 0 && t("moreTimes", { count: left.transfers }),
    kinds !== null && t("onlyKinds", { kinds: listKinds(kinds) }),
    expiresAt !== null && t("openUntil", { date: writeMoment(expiresAt) }),
    keepFor === "never" ? t("keptForever") : t("keptFor", { time: tExpiration(keepFor) }),
    asksName && t("asksName"),
    asksEmail && t("asksEmail"),
  ].filter((bound) => bound !== false);
  return (
    <ul aria-label={t("bounds")} className="mt-4 flex flex-wrap gap-2">
      {bounds.map((bound) => (
        <li key={bound} className="rounded-full bg-sunken px-3 py-1 text-sm break-words">
          {bound}
        </li>
      ))}
    </ul>
  );
}

/** Formats the kinds of files that a request allows: "PDF, JPG". */
export function listKinds(kinds: readonly string[]): string {
  return kinds.map((kind) => kind.toUpperCase()).join(", ");
}
