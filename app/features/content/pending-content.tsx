import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { findContentPage } from "#app/features/content/content-pages.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Page } from "#app/ui/page.tsx";
import { Card } from "#app/ui/card.tsx";

/** Shows a skeleton while a content page loads (decision 024). */
export function PendingContent({ children }: { children: ReactNode }) {
  const t = useMessages("common");
  const { location } = useNavigation();
  const page = location ? findContentPage(location.pathname) : null;
  return page ? <Skeleton title={t(page.title)} /> : children;
}

/** Percent. */
const LINES = [100, 94, 97, 62, 100, 91, 78];

function Skeleton({ title }: { title: string }) {
  const t = useMessages("common");
  return (
    <Page title={title}>
      <Card>
        <div role="status" aria-label={t("loading")} className="grid animate-pulse gap-3.5">
          {LINES.map((width, index) => (
            <div key={index} className="h-4 rounded-full bg-line" style={{ width: `${width}%` }} />
          ))}
        </div>
      </Card>
    </Page>
  );
}
