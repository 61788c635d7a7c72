import type { ReferenceField } from "./reference-call.ts";
import { Words } from "./words.tsx";

interface FieldsProps {
  title: string;
  fields: ReferenceField[];
  isAnswer?: boolean;
}

/** Marks what a request needs, and what an answer may lack. */
export function Fields({ title, fields, isAnswer = false }: FieldsProps) {
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
