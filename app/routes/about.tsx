import { Link, useLoaderData } from "@remix-run/react";
import { Feather, Gauge, ShieldCheck, Users } from "lucide-react";
import { ContentPage } from "#app/components/content/content-page.tsx";
import { FeatureCard } from "#app/components/content/feature-card.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { loadContent } from "#app/content.server.ts";
import { useMessages } from "#app/messages/messages.ts";

export const loader = loadContent;

const VALUES = [
  { title: "simplicity", icon: Feather, text: "simplicityText" },
  { title: "privacy", icon: ShieldCheck, text: "privacyText" },
  { title: "performance", icon: Gauge, text: "performanceText" },
  { title: "community", icon: Users, text: "communityText" },
] as const;

export default function About() {
  const say = useMessages("content");
  const { content } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/about" content={content}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {VALUES.map(({ title, icon, text }) => (
          <FeatureCard key={title} title={say(title)} icon={icon} text={say(text)} />
        ))}
      </ul>
      <Card className="text-center">
        <h2 className="font-display text-2xl font-semibold">{say("getInTouch")}</h2>
        <p className="mt-2 text-muted">{say("getInTouchText")}</p>
        <Link to="/contact" className={`${buttonClass()} mt-5`}>
          {say("contactUs")}
        </Link>
      </Card>
    </ContentPage>
  );
}
