import { useMessages } from "#app/lib/i18n/messages.ts";

const MAX_NAMES = 5;

/** The first names of a list, and how many more there are. */
export function NameList({ names }: { names: readonly string[] }) {
  const t = useMessages("transferUpload");
  const more = names.length - MAX_NAMES;
  return (
    <ul className="mt-1 list-disc pl-5">
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name} className="break-words">
          {name}
        </li>
      ))}
      {more > 0 && <li>{t("andMore", { count: more })}</li>}
    </ul>
  );
}
