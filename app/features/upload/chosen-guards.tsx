import { useMessages } from "#app/lib/i18n/messages.ts";
import { GuardFields } from "#app/ui/guards/guard-fields.tsx";
import type { ProtectLinkProps } from "./protect-link.tsx";

interface ChosenGuardsProps extends ProtectLinkProps {
  /** A line says what was chosen. */
  isFolded: boolean;
}

export default function ChosenGuards({ choice, onChoice, refusals = 0, isFolded }: ChosenGuardsProps) {
  const t = useMessages("guards");
  const { guards } = choice;
  if (!isFolded) {
    return (
      <GuardFields
        draft={guards}
        refusals={refusals}
        onChange={(draft, areWrong) => {
          onChoice({ ...choice, guards: draft, guardsAreWrong: areWrong });
        }}
      />
    );
  }
  const chosen = [
    ...(guards.password === "" ? [] : [t("hasPassword")]),
    ...(guards.limit === "" ? [] : [t("hasLimit", { count: Number(guards.limit) })]),
  ];
  return chosen.length > 0 && <p className="text-sm text-muted">{chosen.join(" · ")}</p>;
}
