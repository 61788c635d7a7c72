import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SealedCard } from "./sealed-card.tsx";

/** A mail filter has written the link's `#` as `%23`. The script puts it back. */
export default function RewrittenLink() {
  const t = useMessages("sealedLinks");
  const navigate = useNavigate();
  useEffect(() => {
    const [pathname = "", fragment = ""] = location.pathname.split("%23");
    navigate({ pathname, hash: fragment }, { replace: true, state: { isRewritten: true } });
  }, [navigate]);
  return (
    <SealedCard text={t("rewritten")}>
      <p role="status" className="mt-2 text-muted noscript:hidden">
        {t("mending")}
      </p>
    </SealedCard>
  );
}
