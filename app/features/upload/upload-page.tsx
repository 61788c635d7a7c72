import * as Tabs from "@radix-ui/react-tabs";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Page } from "#app/ui/page.tsx";
import { Card } from "#app/ui/card.tsx";
import { tabClass, tabListClass } from "#app/ui/tab-classes.ts";

interface UploadPageProps {
  title: string;
  lead: ReactNode;
  tab: string;
  steps: string[];
  children: ReactNode;
}

export function UploadPage({ title, lead, tab, steps, children }: UploadPageProps) {
  const t = useMessages("uploadPages");
  return (
    <Page title={title} lead={lead}>
      <Tabs.Root defaultValue="upload">
        <Tabs.List className={tabListClass}>
          <Tabs.Trigger value="upload" className={tabClass}>
            {tab}
          </Tabs.Trigger>
          <Tabs.Trigger value="how" className={tabClass}>
            {t("howItWorks")}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="upload">{children}</Tabs.Content>
        <Tabs.Content value="how">
          <Card>
            <ol className="grid list-decimal gap-3 pl-5 marker:font-medium marker:text-amber-ink">
              {steps.map((step) => (
                <li key={step} className="pl-1">
                  {step}
                </li>
              ))}
            </ol>
          </Card>
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}
