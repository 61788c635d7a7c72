import { CodeBlock } from "./code-block.tsx";
import { Fields } from "./fields.tsx";
import type { ReferenceEvent } from "./reference-call.ts";

/** One event of webhooks in the reference. Its type is its anchor. */
export function EventSection({ event }: { event: ReferenceEvent }) {
  const { id, summary, parameters, body, example } = event;
  return (
    <section aria-labelledby={id} className="border-t border-line py-8">
      <h3 id={id} className="scroll-mt-6 text-xl font-medium">
        <a href={`#${id}`} className="underline-offset-4 hover:underline">
          {summary}
        </a>
      </h3>
      <p className="mt-1 font-mono text-sm break-all">{id}</p>
      <Fields title="Parameters" fields={parameters} />
      <Fields title="Body" fields={body} />
      <CodeBlock label={`${summary}, a body`} code={example} />
    </section>
  );
}
