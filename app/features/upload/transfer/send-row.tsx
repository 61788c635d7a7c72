import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";

interface SendRowProps {
  back: string;
  onBack(): void;
  /** The button that sends. Absent as long as there is nothing to send. */
  children: ReactNode;
}

/**
 * The buttons below a list of files, as a child of `AddArea`. On phones they stay at the bottom of the screen while
 * the list is longer than the screen.
 */
export function SendRow({ back, onBack, children }: SendRowProps) {
  return (
    // On phones as wide as the card, whose padding is 1.25rem.
    <div className="sticky bottom-0 z-10 -mx-5 -mb-5 grid grid-cols-[auto_1fr] gap-3 rounded-b-3xl border-t border-line bg-surface px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:static sm:m-0 sm:border-0 sm:p-0">
      <Button look="quiet" onClick={onBack}>
        {back}
      </Button>
      {children}
    </div>
  );
}
