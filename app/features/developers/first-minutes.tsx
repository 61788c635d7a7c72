import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import { guideCode } from "./guide-code.ts";
import { CodeBlock, Words } from "./page-parts.tsx";

const CONTENTS = [
  ["key", "A key"],
  ["curl", "curl"],
  ["cli", "The command line"],
  ["api", "The API"],
  ["tus", "tus"],
  ["webhooks", "Webhooks"],
] as const;
type Anchor = (typeof CONTENTS)[number][0];

interface FirstMinutesProps {
  origin: string;
  /** The most bytes of one request, in words. */
  requestLimit: string;
  /** The names of webhook events. */
  events: readonly string[];
}

/** A guide for programmers, from the first key to webhooks. */
export function FirstMinutes({ origin, requestLimit, events }: FirstMinutesProps) {
  const code = guideCode(origin);
  return (
    <div className="mt-8 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-10">
      <nav aria-label="On this page" className="mb-8 lg:sticky lg:top-6 lg:mb-0 lg:self-start">
        <ul className="flex flex-wrap gap-x-4 lg:block">
          {CONTENTS.map(([anchor, title]) => (
            <li key={anchor}>
              <a href={`#${anchor}`} className="flex min-h-11 items-center text-muted hover:text-ink hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
        <Link to="/developers/reference" className={`${buttonClass("quiet")} mt-3`}>
          API reference
        </Link>
      </nav>
      <div className="min-w-0">
        <Part anchor="key">
          <Text text="Make one on your account page. It may send files, and nothing else, unless you tick more. Keep it where your program keeps its secrets, for example in its environment:" />
          <Link to="/account" className={`${buttonClass()} mt-3`}>
            Make an API key
          </Link>
          <CodeBlock label="The key in the environment" code={code.key} />
        </Part>
        <Part anchor="curl">
          <Text text="The answer is the link, and nothing else. `Location` has it too, and `X-Url-Delete` has an address that deletes the file." />
          <CodeBlock label="Send a file with curl" code={code.curl} />
          <Text text="Headers say how long the link works, and who may open it:" />
          <CodeBlock label="Send a file with a password" code={code.choices} />
          <Text text="A stream needs a name, and no length:" />
          <CodeBlock label="Send a stream with curl" code={code.pipe} />
          <Text
            text={`A request carries at most ${requestLimit}. For more, \`send.sh\` sends the file in pieces and goes on where the line broke. It needs nothing but curl.`}
          />
          <CodeBlock label="Send a large file with send.sh" code={code.large} />
        </Part>
        <Part anchor="cli">
          <Text text="It sends folders, resumes what was interrupted, encrypts, and downloads. It needs Node.js 22.21 or newer. On your own computer, `mayfly login ADDRESS` takes the place of the two variables." />
          <CodeBlock label="Install the command line" code={code.install} />
          <CodeBlock label="Send and get with the command line" code={code.send} />
          <Text text="Standard output is the result alone, so a script can use it." />
          <CodeBlock label="The command line in a script" code={code.script} />
          <Text text="A key with the scope `requests` asks others for files. They send without a key, and get a receipt." />
          <CodeBlock label="Ask for files with the command line" code={code.ask} />
        </Part>
        <Part anchor="api">
          <Text text="Start an upload, PUT the bytes to the addresses in the answer, and complete it. The link works from the first call on, and shows the progress. Errors are JSON with a `code` for programs and a `message` in words." />
          <CodeBlock label="Send a file with the API" code={code.calls} />
          <Text text="An upload of more parts gets further addresses from `POST /uploads/{id}/parts`. Send an `Idempotency-Key` with a start, and repeating it after a lost answer is harmless. A 429 says in `Retry-After` how long to wait." />
        </Part>
        <Part anchor="tus">
          <Text
            text={`Every client of tus 1.0 can send here, for example tus-js-client and Uppy. Set \`chunkSize\`, because a request carries at most ${requestLimit}.`}
          />
          <CodeBlock label="Send a file with tus-js-client" code={code.tus} />
          <Text text="In a page, Uppy needs a key that may be used in web pages, and everybody who opens the page can read that key. Uploads of a key with the same `transfer` count as one unfinished upload, so that Uppy can send 20 files at once." />
          <CodeBlock label="Send files with Uppy" code={code.uppy} />
        </Part>
        <Part anchor="webhooks">
          <Text
            text={`Name an address on your account page, and we POST to it when something happens to your files: ${events.map((event) => `\`${event}\``).join(", ")}.`}
          />
          <CodeBlock label="An event" code={code.event} />
          <Text text="Answer with a status from 200 to 299 within 15 seconds. Everything else is tried again, for about three days. The same `webhook-id` may come twice. Check the signature, which follows Standard Webhooks:" />
          <CodeBlock label="Check a signature" code={code.verify} />
        </Part>
      </div>
    </div>
  );
}

function Part({ anchor, children }: { anchor: Anchor; children: ReactNode }) {
  const [, title] = CONTENTS.find(([candidate]) => candidate === anchor) ?? CONTENTS[0];
  return (
    <section aria-labelledby={anchor} className="mb-12">
      <h2 id={anchor} className="scroll-mt-6 font-display text-3xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Text({ text }: { text: string }) {
  return (
    <p className="mt-3 max-w-prose">
      <Words text={text} />
    </p>
  );
}
