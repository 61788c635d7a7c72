import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { getNonce } from "get-nonce";
import { useContext } from "react";
import { DocumentContext } from "#app/shell/document.ts";
import { Page } from "#app/ui/page.tsx";
import { Card } from "#app/ui/card.tsx";
import { Unfold } from "#app/ui/unfold.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction = () => [{ title: `Mailbox · ${PRODUCT_NAME}` }];

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const mails = await context.listLocalMail();
  if (!mails) throw new Response(null, { status: 404 });
  return { mails };
};

/** Lists the mail that local development stores instead of sending. */
export default function Mailbox() {
  const { mails } = useLoaderData<typeof loader>();
  const { nonce = getNonce() } = useContext(DocumentContext);
  return (
    <Page title="Mailbox" lead="Mail goes here instead of out, newest first. Reload to see more.">
      {mails.length === 0 && <p className="py-14 text-center text-muted">No mail yet.</p>}
      {mails.map((mail) => (
        <Card key={mail.id}>
          <article aria-label={mail.subject}>
            <h2 className="font-medium">{mail.subject}</h2>
            <p className="text-sm text-muted">
              To {mail.to} · <time dateTime={mail.sentAt}>{mail.sentAt.slice(0, 19).replace("T", " ")} UTC</time>
            </p>
            {Object.entries(mail.headers ?? {}).map(([name, value]) => (
              <p key={name} className="break-all text-sm text-muted">
                {name}: {value}
              </p>
            ))}
            <iframe
              title={mail.subject}
              sandbox="allow-popups allow-top-navigation-by-user-activation"
              srcDoc={framed(mail.html, nonce)}
              className="mt-4 h-96 w-full rounded-xl border border-line bg-surface"
            />
            <Unfold title="Plain text" className="mt-3 text-sm">
              <pre className="mt-1 whitespace-pre-wrap break-words">{mail.text}</pre>
            </Unfold>
          </article>
        </Card>
      ))}
    </Page>
  );
}

/** The frame inherits the page's Content-Security-Policy, so a mail's style sheet needs the page's nonce. */
function framed(html: string, nonce = ""): string {
  return `<base target="_top">${html.replace("<style>", `<style nonce="${nonce}">`)}`;
}
