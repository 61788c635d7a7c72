import { Link, useSearchParams } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { ListedFile } from "#domain/wire.ts";

/** A link's labels. Each leads to the list of the links with this label. */
export function LabelLinks({ labels }: Required<Pick<ListedFile, "labels">>) {
  const t = useMessages("files");
  const [params] = useSearchParams();
  const shown = params.get("label");
  return (
    <ul aria-label={t("labels")} className="mt-1.5 flex flex-wrap gap-1.5">
      {labels.map((label) => (
        <li key={label} className="min-w-0">
          <Link
            to={`/dashboard?${new URLSearchParams({ label })}`}
            aria-current={shown === label || undefined}
            className="block truncate rounded-full border border-line px-2.5 py-0.5 text-sm text-muted hover:border-reed hover:text-ink aria-[current]:border-reed aria-[current]:text-ink"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
