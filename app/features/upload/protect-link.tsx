import clsx from "clsx";
import { ChevronDown, LockKeyhole } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { loadOnDemand } from "./load-on-demand.ts";
import { NO_GUARDS, type LinkChoiceProps } from "./link-choice.ts";

const ChosenGuards = lazy(async () => (await loadOnDemand()).chosenGuards());

export interface ProtectLinkProps extends Pick<LinkChoiceProps, "choice" | "onChoice"> {
  /** How often it was not sent because the guards were wrong. */
  refusals?: number;
}

/** The guards of a link that is about to start. Wrong ones stay in sight. */
export function ProtectLink(props: ProtectLinkProps) {
  const { guards, guardsAreWrong, isSealed } = props.choice;
  const t = useMessages("guards");
  const [isOpen, setOpen] = useState(guardsAreWrong);
  return (
    <div className="grid gap-2">
      <Button
        look="bare"
        className="-ms-3 justify-self-start px-3!"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(guardsAreWrong || !isOpen);
        }}
      >
        <LockKeyhole size={18} aria-hidden />
        {t("protect")}
        <ChevronDown size={18} aria-hidden className={clsx(isOpen && "rotate-180")} />
      </Button>
      {(isOpen || isSealed || guards !== NO_GUARDS) && (
        <Suspense>
          <ChosenGuards {...props} isFolded={!isOpen} />
        </Suspense>
      )}
    </div>
  );
}
