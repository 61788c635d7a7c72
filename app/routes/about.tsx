import { Link, useLoaderData } from "@remix-run/react";
import { Feather, Gauge, ShieldCheck, Users, type LucideIcon } from "lucide-react";
import { ContentPage } from "#app/components/content/content-page.tsx";
import { FeatureCard } from "#app/components/content/feature-card.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { loadContent } from "#app/content.server.ts";

export const loader = loadContent;

const VALUES: { title: string; icon: LucideIcon; text: string }[] = [
  {
    title: "Simplicity",
    icon: Feather,
    text: "One card, one link. Nothing to install, and nothing to explain to whoever gets it.",
  },
  {
    title: "Privacy",
    icon: ShieldCheck,
    text: "A link nobody can guess, no tracking, and an end that you decide. What is gone is gone.",
  },
  {
    title: "Performance",
    icon: Gauge,
    text: "Files travel straight to storage, several parts at a time, and go on where they stopped.",
  },
  {
    title: "Community",
    icon: Users,
    text: "People who send files every day tell us what is missing. We read every message.",
  },
];

export default function About() {
  const { content } = useLoaderData<typeof loader>();
  return (
    <ContentPage path="/about" content={content}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {VALUES.map((value) => (
          <FeatureCard key={value.title} {...value} />
        ))}
      </ul>
      <Card className="text-center">
        <h2 className="font-display text-2xl font-semibold">Get in Touch</h2>
        <p className="mt-2 text-muted">A question, an idea, something that does not work? We would like to know.</p>
        <Link to="/contact" className={`${buttonClass()} mt-5`}>
          Contact us
        </Link>
      </Card>
    </ContentPage>
  );
}
