import { useHydrated } from "#app/clock.ts";

/** When a file goes, in the reader's own time zone, which only the browser knows. */
export function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const hydrated = useHydrated();
  if (expiresAt === null) return <>Never expires</>;
  const text = hydrated
    ? new Date(expiresAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
    : `${expiresAt.slice(0, 16).replace("T", " ")} UTC`;
  return (
    <>
      Expires <time dateTime={expiresAt}>{text}</time>
    </>
  );
}
