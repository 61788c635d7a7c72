import { Link, useLoaderData } from "@remix-run/react";
import { ContentPage } from "#app/features/content/content-page.tsx";
import { Card } from "#app/ui/card.tsx";
import { loadContent } from "#app/features/content/load-content.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadContent;

/** The id that the server derives from the heading "Account guidelines". */
const GUIDELINES_ID = "account-guidelines";

export default function Terms() {
  const t = useMessages("content");
  const { content } = useLoaderData<typeof loader>();
  const links: [to: string, label: string][] = [
    ["/privacy", t("privacyPolicy")],
    ["/contact", t("contactInformation")],
  ];
  // An administrator may have removed the section.
  if (content?.content.includes(`id="${GUIDELINES_ID}"`)) links.push([`#${GUIDELINES_ID}`, t("accountGuidelines")]);
  return <ContentPage path="/terms" content={content} intro={<ImportantSections links={links} />} />;
}

function ImportantSections({ links }: { links: [to: string, label: string][] }) {
  const t = useMessages("content");
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("importantSections")}</h2>
      <ul className="mt-3 grid gap-2">
        {links.map(([to, label]) => (
          <li key={to}>
            <Link to={to} className="font-medium text-reed underline underline-offset-4 hover:text-reed-strong">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
