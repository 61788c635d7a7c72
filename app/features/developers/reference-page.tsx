import { useSearchParams } from "@remix-run/react";
import { useCallback, useState, type ReactNode } from "react";
import { SearchBox } from "#app/ui/search-box.tsx";
import { Unfold } from "#app/ui/unfold.tsx";
import { CodeBlock, Words } from "./page-parts.tsx";
import {
  CODE_LANGUAGES,
  findCalls,
  findEvents,
  type CodeLanguage,
  type ReferenceCall,
  type ReferenceEvent,
  type ReferenceField,
} from "./reference-call.ts";

interface ReferencePageProps {
  calls: readonly ReferenceCall[];
  events: readonly ReferenceEvent[];
}

/**
 * Every call, with examples in the chosen language, and every webhook event. The parameter `q` of the URL filters calls
 * and events.
 */
export function ReferencePage({ calls, events }: ReferencePageProps) {
  const [params, setParams] = useSearchParams();
  const [language, setLanguage] = useState<CodeLanguage>("curl");
  const search = params.get("q") ?? "";
  const found = findCalls(calls, search);
  const foundEvents = findEvents(events, search);
  const all = [...found, ...foundEvents];
  const onSearch = useCallback(
    (text: string) => setParams(text === "" ? {} : { q: text }, { replace: true, preventScrollReset: true }),
    [setParams],
  );
  return (
    <div className="mt-8 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-10">
      <nav
        aria-label="Calls"
        className="hidden lg:sticky lg:top-6 lg:block lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
      >
        <CallList calls={all} />
      </nav>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox label="Search the calls" placeholder="Search" search={search} onSearch={onSearch} />
          <LanguageChoice language={language} onChoose={setLanguage} />
        </div>
        <p role="status" className="mt-3 text-sm text-muted">
          {found.length === 1 ? "1 call" : `${found.length} calls`}
        </p>
        <Unfold title="List of the calls" className="lg:hidden">
          <CallList calls={all} />
        </Unfold>
        {byTag(all).map(([tag, group]) => (
          <TagSection key={tag} tag={tag}>
            {group.map((one) =>
              "method" in one ? (
                <CallSection key={one.id} call={one} language={language} />
              ) : (
                <EventSection key={one.id} event={one} />
              ),
            )}
          </TagSection>
        ))}
      </div>
    </div>
  );
}

function TagSection({ tag, children }: { tag: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`tag-${tag}`} className="mt-8">
      <h2 id={`tag-${tag}`} className="mb-4 font-display text-3xl font-semibold">
        {tag}
      </h2>
      {children}
    </section>
  );
}

type Listed = Pick<ReferenceCall, "id" | "tag" | "summary">;

function byTag<Tagged extends Listed>(list: readonly Tagged[]): [string, Tagged[]][] {
  const tags = new Map<string, Tagged[]>();
  for (const one of list) tags.set(one.tag, [...(tags.get(one.tag) ?? []), one]);
  return [...tags];
}

function CallList({ calls }: { calls: readonly Listed[] }) {
  return byTag(calls).map(([tag, group]) => (
    <div key={tag} className="mb-4">
      <p className="text-sm font-medium">{tag}</p>
      <ul>
        {group.map(({ id, summary }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-9 items-center py-1 text-sm text-muted hover:text-ink hover:underline"
            >
              {summary}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
}

interface LanguageChoiceProps {
  language: CodeLanguage;
  onChoose(language: CodeLanguage): void;
}

function LanguageChoice({ language, onChoose }: LanguageChoiceProps) {
  return (
    <fieldset className="flex w-fit rounded-xl border border-line bg-sunken p-1">
      <legend className="sr-only">Examples in</legend>
      {CODE_LANGUAGES.map((option) => (
        <label
          key={option}
          className="flex min-h-9 cursor-pointer items-center rounded-lg px-3 text-sm font-medium text-muted has-checked:bg-surface has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-reed"
        >
          <input
            type="radio"
            name="language"
            className="sr-only"
            checked={option === language}
            onChange={() => onChoose(option)}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}

/** A call or an event. The id is also the anchor. */
function Entry({ id, summary, children }: Pick<Listed, "id" | "summary"> & { children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="border-t border-line py-8">
      <h3 id={id} className="scroll-mt-6 text-xl font-medium">
        <a href={`#${id}`} className="underline-offset-4 hover:underline">
          {summary}
        </a>
      </h3>
      {children}
    </section>
  );
}

function CallSection({ call, language }: { call: ReferenceCall; language: CodeLanguage }) {
  const { id, method, path, summary, description, needsKey, status, answerExample } = call;
  return (
    <Entry id={id} summary={summary}>
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
    </Entry>
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

/** A webhook event. The event's type is its anchor. */
function EventSection({ event }: { event: ReferenceEvent }) {
  const { id, summary, parameters, body, example } = event;
  return (
    <Entry id={id} summary={summary}>
      <p className="mt-1 font-mono text-sm break-all">{id}</p>
      <Fields title="Parameters" fields={parameters} />
      <Fields title="Body" fields={body} />
      <CodeBlock label={`${summary}, a body`} code={example} />
    </Entry>
  );
}

interface FieldsProps {
  title: string;
  fields: ReferenceField[];
  isAnswer?: boolean;
}

/** Marks fields that a request requires, or that an answer may lack. */
function Fields({ title, fields, isAnswer = false }: FieldsProps) {
  const mark = isAnswer ? "not always" : "required";
  if (fields.length === 0) return null;
  return (
    <>
      <h4 className="mt-5 font-medium">{title}</h4>
      <dl className="mt-1 divide-y divide-line">
        {fields.map(({ name, type, isRequired, description }) => (
          <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <dt className="font-mono text-sm break-words">
              {name}
              {isRequired !== isAnswer && <span className="font-sans text-muted"> · {mark}</span>}
            </dt>
            <dd className="text-sm break-words text-muted">
              {type}
              {description !== "" && (
                <>
                  . <Words text={description} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
