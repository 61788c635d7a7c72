import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SealedCard } from "./sealed-card.tsx";

/** Repairs the URL of a sealed link in which a mail filter wrote `#` as `%23`. */
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
