import { useRevalidator, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useLocale, useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import type { PublicContent } from "#domain/wire.ts";
import type { MessageName } from "#messages/messages.ts";

/** Messages from the "common" group, so that the root can show them if a page fails to load. */
interface PageTexts {
  title: MessageName<"common">;
  failure: MessageName<"common">;
}

const CONTENT_PAGES = {
  "/terms": { title: "termsTitle", failure: "termsFailed" },
  "/privacy": { title: "privacyTitle", failure: "privacyFailed" },
  "/about": { title: "about", failure: "aboutFailed" },
} as const satisfies Record<string, PageTexts>;

type ContentPath = keyof typeof CONTENT_PAGES;

export function findContentPage(pathname: string): (typeof CONTENT_PAGES)[ContentPath] | null {
  return pathname in CONTENT_PAGES ? CONTENT_PAGES[pathname as ContentPath] : null;
}

interface ContentPageProps {
  path: ContentPath;
  /** Null if the text could not be loaded. */
  content: PublicContent | null;
  intro?: ReactNode;
  children?: ReactNode;
}

export function ContentPage({ path, content, intro, children }: ContentPageProps) {
  const t = useMessages("content");
  if (!content) return <ContentFailed {...CONTENT_PAGES[path]} />;
  return (
    <Page
      title={content.title}
      lead={t.rich("lastUpdated", { day: () => <LastUpdated key="day" content={content} /> })}
    >
      {intro}
      <Card>
        {/* Sanitised by the server (worker/content/render.ts). */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: content.content }} />
      </Card>
      {children}
    </Page>
  );
}

/** A date in UTC, the same for every reader. */
export function LastUpdated({ content }: { content: PublicContent }) {
  const locale = useLocale();
  const day = new Date(content.updatedAt).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  return <time dateTime={content.updatedAt}>{day}</time>;
}

/**
 * Says that a text failed to load. Its button retries without leaving the page, because leaving would stop an upload.
 */
export function ContentFailed({ title, failure }: (typeof CONTENT_PAGES)[ContentPath]) {
  const t = useMessages("common");
  const { revalidate, state } = useRevalidator();
  return (
    <Page title={t(title)}>
      <Card>
        <p role="alert">{t(failure)}</p>
        <Button className="mt-5" busy={state === "loading"} onClick={revalidate}>
          {t("refreshPage")}
        </Button>
      </Card>
    </Page>
  );
}

/** Shows a skeleton while a content page loads (decision 024). */
export function PendingContent({ children }: { children: ReactNode }) {
  const t = useMessages("common");
  const { location } = useNavigation();
  const page = location ? findContentPage(location.pathname) : null;
  return page ? <Skeleton title={t(page.title)} /> : children;
}

/** Widths of the skeleton's lines, in percent. */
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
