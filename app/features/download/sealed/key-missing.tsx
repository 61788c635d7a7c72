import { useState, type FormEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { readFragment, type UnreadableFragment } from "#domain/seal/fragment.ts";
import { readLink, type LinkProblem } from "#engine/sealing/link-keys.ts";
import type { Translate } from "#messages/translate.ts";
import { SealedCard } from "./sealed-card.tsx";

/** Asks for the whole link if the key of a sealed link is incomplete, for example cut off by a mail program. */
export function KeyMissing({ downloadId, unreadable }: { downloadId: string; unreadable: UnreadableFragment }) {
  const t = useMessages("sealedLinks");
  const [problem, setProblem] = useState<string | null>(null);
  if (unreadable.problem === "newer") {
    return (
      <SealedCard text={t("newerPage")}>
        <Button look="quiet" className="mt-6" onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </SealedCard>
    );
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pasted = new FormData(event.currentTarget).get("link");
    // Some mail programs write `#` as `%23`.
    const link = (typeof pasted === "string" ? pasted : "").trim().replace(/^([^#]*)%23/, "$1#");
    const fragment = link.slice(link.indexOf("#") + 1);
    // A pasted text without a path is taken for the key alone, the part after `#`.
    const read = link.includes("/") ? readLink(link, downloadId) : readFragment(fragment);
    if ("problem" in read)
      setProblem(problemText(read.problem, "characters" in read ? read : readFragment(fragment), t));
    else location.hash = fragment;
  };
  return (
    <SealedCard text={problemText(unreadable.problem, unreadable, t)}>
      <form noValidate className="mt-6 grid gap-4 text-start" onSubmit={onSubmit}>
        <FormField
          label={t("wholeLink")}
          name="link"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={problem ?? undefined}
        />
        <Button type="submit" wide>
          {t("openLink")}
        </Button>
      </form>
    </SealedCard>
  );
}

function problemText(problem: LinkProblem, read: object, t: Translate<"sealedLinks">): string {
  if (problem === "other") return t("otherLink");
  if (problem === "newer") return t("newerPage");
  return "characters" in read && problem === "missing"
    ? t("charactersMissing", { count: Number(read.characters) })
    : t("keyMissing");
}
