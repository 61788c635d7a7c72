import { useEffect, useState } from "react";
import { findEndProblem, latestEnd, suggestEnd, toField } from "#app/lib/exact-end.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SHORTEST_END_MS } from "#domain/expiry.ts";
import { limitFor, planOf, type PlanId } from "#domain/plans.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { FormField } from "./form-field.tsx";

interface EndFieldProps {
  /** As a `datetime-local` field has it. "" while it is not complete; the field then begins with a suggestion. */
  end: string;
  plan: PlanId;
  /** When the link begins to live, in epoch milliseconds. By default now. */
  from?: number;
  /** @param isWrong whether the server would refuse the end */
  onChange(end: string, isWrong: boolean): void;
}

const MESSAGES = { missing: "endMissing", tooNear: "endTooNear", tooFar: "endTooFar" } as const;

/** The field for the exact end of a link, in the reader's time zone. */
export default function EndField({ end, plan, from, onChange }: EndFieldProps) {
  const t = useMessages("expirations");
  const [openedAt] = useState(() => Date.now());
  const [problem, setProblem] = useState(() => (end === "" ? null : findEndProblem(end, plan, Date.now(), from)));
  const change = (typed: string) => {
    const found = findEndProblem(typed, plan, Date.now(), from);
    setProblem(found);
    onChange(typed, found !== null);
  };
  useEffect(() => {
    if (end === "") change(suggestEnd(plan, Date.now(), from));
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
  const latest = latestEnd(plan, from ?? openedAt);
  const values = { plan: planOf(plan).name, longest: t(limitFor(plan).longestExpiration) };
  return (
    <FormField
      type="datetime-local"
      label={t("endLabel")}
      hint={t("endZone", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ") })}
      error={problem === "tooFar" ? t(MESSAGES.tooFar, values) : problem ? t(MESSAGES[problem]) : undefined}
      required
      value={end}
      min={toField(openedAt + SHORTEST_END_MS + MINUTE_MS)}
      max={latest === null ? undefined : toField(latest)}
      onChange={({ target }) => change(target.value)}
    />
  );
}
