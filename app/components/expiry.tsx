import { useEffect, useState } from "react";

/** When a file goes, in the reader's own time zone, which only the browser knows. */
export function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const [local, setLocal] = useState<string | null>(null);
  useEffect(() => {
    if (expiresAt) setLocal(new Date(expiresAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
  }, [expiresAt]);
  if (expiresAt === null) return <>Never expires</>;
  return (
    <>
      Expires <time dateTime={expiresAt}>{local ?? `${expiresAt.slice(0, 16).replace("T", " ")} UTC`}</time>
    </>
  );
}
