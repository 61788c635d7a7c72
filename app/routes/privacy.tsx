import { useLoaderData } from "@remix-run/react";
import { ContentPage, LastUpdated } from "#app/components/content/content-page.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { loadContent } from "#app/content.server.ts";
import { useMessages } from "#app/messages/messages.ts";

export const loader = loadContent;

export default function Privacy() {
  const say = useMessages("content");
  const { content, contactEmail } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/privacy" content={content}>
      <Card>
        <h2 className="text-lg font-medium">{say("privacyMatters")}</h2>
        <p className="mt-2">
          {say.rich("writeTo", {
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
            {say.rich("policyUpdated", { day: () => <LastUpdated key="day" content={content} /> })}
          </p>
        )}
      </Card>
    </ContentPage>
  );
}
