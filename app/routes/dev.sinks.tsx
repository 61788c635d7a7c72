import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useEffect, useState } from "react";
import {
  probeAbilities,
  chooseSink,
  type Abilities,
  type SinkKind,
} from "#app/features/download/sealed/sinks/choose-sink.ts";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes, GIB, MIB } from "#domain/units.ts";

/** Sizes of a messenger's photograph, a short film, a long film, and a file too large for a small phone. */
const SIZES = [20 * MIB, 200 * MIB, 3 * GIB, 8 * GIB];

const WHERE: Record<SinkKind, string> = {
  blob: "Memory, then the browser's downloads",
  stage: "A file of this site, then the browser's downloads",
  file: "The file that the reader picks",
  stream: "The browser's downloads, through the service worker",
};

export const meta: MetaFunction = () => [{ title: `Sinks · ${PRODUCT_NAME}` }];

export const loader = ({ context }: LoaderFunctionArgs) => {
  if (!context.hasDevPages) throw new Response(null, { status: 404 });
  return null;
};

/** Shows where this browser would save decrypted files, for tests by hand (docs/browsers.md). */
export default function Sinks() {
  const [abilities, setAbilities] = useState<Abilities | null>(null);
  useEffect(() => {
    void probeAbilities().then(setAbilities);
  }, []);
  return (
    <Page title="Sinks" lead="Where this browser saves files of encrypted links.">
      {abilities ? (
        <>
          <Card>
            <h2 className="font-medium">What it has</h2>
            <Facts
              facts={[
                ["Files of this site", yesOrNo(abilities.hasStage)],
                ["Space for them", formatBytes(abilities.freeBytes)],
                ["A dialog that picks a file to write", yesOrNo(abilities.canPickFile)],
                ["Service workers", yesOrNo(abilities.hasServiceWorker)],
              ]}
            />
          </Card>
          <Card>
            <h2 className="font-medium">Where files go</h2>
            <Facts facts={SIZES.map((size) => [formatBytes(size), placeOf(chooseSink(size, 0, abilities))])} />
          </Card>
        </>
      ) : (
        <p role="status" className="py-14 text-center text-muted">
          Trying what this browser has…
        </p>
      )}
    </Page>
  );
}

function Facts({ facts }: { facts: [string, string][] }) {
  return (
    <dl className="mt-3 grid gap-3 text-sm sm:grid-cols-[1fr_2fr]">
      {facts.map(([term, fact]) => (
        <div key={term} className="sm:contents">
          <dt className="text-muted">{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

const yesOrNo = (is: boolean) => (is ? "Yes" : "No");
const placeOf = (sink: SinkKind | null) => (sink === null ? "It cannot save a file of this size" : WHERE[sink]);
