import { GuardBadges } from "#app/ui/guards/guard-badges.tsx";
import { useGuardsNow } from "#app/ui/guards/use-guards-now.ts";
import type { LinkGuards, ListedFile } from "#domain/wire.ts";

interface FileGuardsProps {
  file: ListedFile;
  guards: LinkGuards;
}

/** The guards of a link. Whether it waits, only the gate of a limited link knows. */
export function FileGuards({ file, guards }: FileGuardsProps) {
  const hasGate = guards.maxDownloads !== null && !guards.isUsedUp && !file.isExpired;
  return hasGate ? <GatedBadges id={file.id} guards={guards} /> : <GuardBadges guards={guards} />;
}

function GatedBadges({ id, guards }: { id: string; guards: LinkGuards }) {
  const { data: now } = useGuardsNow(id, { again: false });
  return <GuardBadges guards={guards} isWaiting={now?.isWaiting ?? false} />;
}
