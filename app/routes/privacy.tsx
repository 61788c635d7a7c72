import { useLoaderData } from "@remix-run/react";
import { ContentPage, LastUpdated } from "#app/components/content/content-page.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { loadContent } from "#app/content.server.ts";

export const loader = loadContent;

export default function Privacy() {
  const { content, contactEmail } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/privacy" content={content}>
      <Card>
        <h2 className="text-lg font-medium">Your Privacy Matters</h2>
        <p className="mt-2">
          Questions about your data, or something you want corrected or deleted? Write to{" "}
          <a
            href={`mailto:${contactEmail}`}
            className="font-medium break-words text-reed underline underline-offset-4 hover:text-reed-strong"
          >
            {contactEmail}
          </a>
          .
        </p>
        {content && (
          <p className="mt-2 text-sm text-muted">
            This policy was last updated <LastUpdated content={content} />.
          </p>
        )}
      </Card>
    </ContentPage>
  );
}
