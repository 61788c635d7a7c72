import { useCallback, useState } from "react";
import { useSearchParams } from "@remix-run/react";
import { SearchBox } from "#app/ui/search-box.tsx";
import { CallSection } from "./call-section.tsx";
import { CODE_LANGUAGES, findCalls, type CodeLanguage, type ReferenceCall } from "./reference-call.ts";
import { Unfold } from "./unfold.tsx";

/** Every call, with its examples in the chosen language. The search is `q` in the address. */
export function ReferencePage({ calls }: { calls: readonly ReferenceCall[] }) {
  const [params, setParams] = useSearchParams();
  const [language, setLanguage] = useState<CodeLanguage>("curl");
  const search = params.get("q") ?? "";
  const found = findCalls(calls, search);
  const onSearch = useCallback(
    (text: string) => {
      setParams(text === "" ? {} : { q: text }, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  return (
    <div className="mt-8 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-10">
      <nav
        aria-label="Calls"
        className="hidden lg:sticky lg:top-6 lg:block lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
      >
        <CallList calls={found} />
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
          <CallList calls={found} />
        </Unfold>
        {byTag(found).map(([tag, group]) => (
          <section key={tag} aria-labelledby={`tag-${tag}`} className="mt-8">
            <h2 id={`tag-${tag}`} className="mb-4 font-display text-3xl font-semibold">
              {tag}
            </h2>
            {group.map((call) => (
              <CallSection key={call.id} call={call} language={language} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function byTag(calls: readonly ReferenceCall[]): [string, ReferenceCall[]][] {
  const tags = new Map<string, ReferenceCall[]>();
  for (const call of calls) tags.set(call.tag, [...(tags.get(call.tag) ?? []), call]);
  return [...tags];
}

function CallList({ calls }: { calls: readonly ReferenceCall[] }) {
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
            onChange={() => {
              onChoose(option);
            }}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
