import { data, redirect, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { NoOwnFile, OwnFile } from "#app/features/files/details/own-file.tsx";
import { nameOf } from "#app/features/files/shown-file.tsx";
import { loadTexts, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import type { Translate } from "#messages/translate.ts";
import type { OwnFileView } from "#worker/page-types.ts";

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect(`/login?${new URLSearchParams({ returnTo: new URL(request.url).pathname }).toString()}`);
  const view = await context.findOwnFile(user, params.id ?? "");
  const texts = loadTexts(
    request,
    (t) => titleOf(view, request, t),
    "ownFile",
    "feed",
    "files",
    "notices",
    "sharing",
    "guards",
    "sealing",
    "transfers",
    "expirations",
  );
  return data({ view, origin: context.origin, ...texts }, { status: view.status });
};

/** The page's title. The server cannot name a sealed link, whose name only a browser with the key can read. */
function titleOf(view: OwnFileView, request: Request, t: Translate<"ownFile">): string {
  if (view.kind === "file" && !view.file.seal) return nameOf(view.file);
  if (view.kind === "missing") return t("missingTitle");
  return view.kind === "unfinished" ? t("unfinishedTitle") : requestTranslator(request, "sealing")("unnamed");
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = titleMeta();

export default function OwnFilePage() {
  const { view, origin } = useLoaderData<typeof loader>();
  return view.kind === "file" ? (
    <OwnFile key={view.file.id} loaded={view} origin={origin} />
  ) : (
    <NoOwnFile view={view} />
  );
}
