import { useLoaderData } from "@remix-run/react";
import { ContentPage, LastUpdated } from "#app/features/content/content-page.tsx";
import { Card } from "#app/ui/card.tsx";
import { loadContent } from "#app/features/content/load-content.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadContent;

export default function Privacy() {
  const t = useMessages("content");
  const { content, contactEmail } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/privacy" content={content}>
      <Card>
        <h2 className="text-lg font-medium">{t("privacyMatters")}</h2>
        <p className="mt-2">
          {t.rich("writeTo", {
            email: contactEmail,
            address: (email) => (
              <a
                key="address"
                href={`mailto:${contactEmail}`}
                className="font-medium break-words text-reed underline underline-offset-4 hover:text-reed-strong"
              >
                {email}
              </a>
            ),
          })}
        </p>
        {content && (
          <p className="mt-2 text-sm text-muted">
            {t.rich("policyUpdated", { day: () => <LastUpdated key="day" content={content} /> })}
          </p>
        )}
      </Card>
    </ContentPage>
  );
}
