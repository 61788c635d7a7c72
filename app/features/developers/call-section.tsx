import { Unfold } from "#app/ui/unfold.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Fields } from "./fields.tsx";
import type { CodeLanguage, ReferenceCall } from "./reference-call.ts";
import { Words } from "./words.tsx";

/** One call of the reference. Its id is its anchor. */
export function CallSection({ call, language }: { call: ReferenceCall; language: CodeLanguage }) {
  const { id, method, path, summary, description, needsKey, status, answerExample } = call;
  return (
    <section aria-labelledby={id} className="border-t border-line py-8">
      <h3 id={id} className="scroll-mt-6 text-xl font-medium">
        <a href={`#${id}`} className="underline-offset-4 hover:underline">
          {summary}
        </a>
      </h3>
      <p className="mt-1 font-mono text-sm break-all">
        <span className="font-semibold text-reed">{method}</span> {path}
      </p>
      <p className="mt-2 max-w-prose text-muted">
        <Words text={[description, needsKey ? "" : "It takes no key."].filter(Boolean).join(" ")} />
      </p>
      <CodeBlock label={`${summary}, with ${language}`} code={call.examples[language]} />
      <Fields title="Parameters" fields={call.parameters} />
      <Fields title="Body" fields={call.body} />
      <Fields title={`Answer ${status}`} fields={call.answer} isAnswer />
      {answerExample !== null && <CodeBlock label={`${summary}, an answer`} code={answerExample} />}
      <Refusals refusals={call.refusals} />
    </section>
  );
}

function Refusals({ refusals }: Pick<ReferenceCall, "refusals">) {
  return (
    <Unfold title="When it is refused" className="mt-5">
      <ul className="divide-y divide-line">
        {refusals.map(({ status, code, message }) => (
          <li key={code} className="py-2 text-sm text-muted">
            <span className="font-mono break-all text-ink">
              {status} {code}
            </span>
            : <Words text={message} />
          </li>
        ))}
      </ul>
    </Unfold>
  );
}
