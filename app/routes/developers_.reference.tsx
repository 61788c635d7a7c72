import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { WidePage } from "#app/features/developers/page-parts.tsx";
import { ReferencePage } from "#app/features/developers/reference-page.tsx";
import { eventsOf, referenceOf } from "#app/features/developers/reference.server.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { V1_PATH } from "#domain/v1/call.ts";

export const meta: MetaFunction = () => [
  { title: `API reference · ${PRODUCT_NAME}` },
  { name: "description", content: `Every call of ${PRODUCT_NAME}'s API, with examples in curl and JavaScript.` },
];

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const description = await context.apiDescription();
  return { calls: referenceOf(description, context.origin), events: eventsOf(description) };
};

/** A changed query loads no data, because the calls do not depend on the search. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate;
}

/** In English only, because only programmers read the page. */
export default function Reference() {
  const { calls, events } = useLoaderData<typeof loader>();
  return (
    <WidePage
      title="API reference"
      lead={
        <>
          Every call below <code>{V1_PATH}</code>, made from{" "}
          <a href={`${V1_PATH}/openapi.json`} className="text-reed underline underline-offset-4">
            openapi.json
          </a>
          . New to it? Begin with{" "}
          <Link to="/developers" className="text-reed underline underline-offset-4">
            the first five minutes
          </Link>
          .
        </>
      }
    >
      <ReferencePage calls={calls} events={events} />
    </WidePage>
  );
}
