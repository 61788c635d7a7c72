import { Link, useLoaderData } from "@remix-run/react";
import { Feather, Gauge, ShieldCheck, Users } from "lucide-react";
import { ContentPage } from "#app/features/content/content-page.tsx";
import { FeatureCard } from "#app/features/content/feature-card.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { loadContent } from "#app/features/content/load-content.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadContent;

const VALUES = [
  { title: "simplicity", icon: Feather, text: "simplicityText" },
  { title: "privacy", icon: ShieldCheck, text: "privacyText" },
  { title: "performance", icon: Gauge, text: "performanceText" },
  { title: "community", icon: Users, text: "communityText" },
] as const;

export default function About() {
  const t = useMessages("content");
  const { content } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/about" content={content}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {VALUES.map(({ title, icon, text }) => (
          <FeatureCard key={title} title={t(title)} icon={icon} text={t(text)} />
        ))}
      </ul>
      <Card className="text-center">
        <h2 className="font-display text-2xl font-semibold">{t("getInTouch")}</h2>
        <p className="mt-2 text-muted">{t("getInTouchText")}</p>
        <Link to="/contact" className={`${buttonClass()} mt-5`}>
          {t("contactUs")}
        </Link>
      </Card>
    </ContentPage>
  );
}
