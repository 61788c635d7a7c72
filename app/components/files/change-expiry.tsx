import { Link } from "@remix-run/react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, queryKeys } from "#app/api.ts";
import { useCurrentUser } from "#app/session.ts";
import { failureToast } from "#app/use-form.ts";
import { expiresAt, isExpired, type Expiration } from "#domain/expiry.ts";
import { expirationOptions, type ExpirationOption } from "#domain/plans.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

/** When a file ends: counted from its upload, within the plan, and not in the past. */
export function ChangeExpiry({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [chosen, setChosen] = useState<Expiration | null>(null);
  const [openedAt] = useState(() => Date.now());
  const change = useMutation({
    mutationFn: (expiration: Expiration) => api.changeFile(file.id, { expiration }),
    onSuccess: async ({ expiresAt }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: "Expiry changed", description: `${file.filename}: ${endOf(expiresAt)}.` });
      onClose();
    },
    onError: failureToast("Update failed", "The expiry could not be changed. Please try again."),
  });
  return (
    <Dialog
      title="Change expiry"
      description={`Now: ${endOf(file.expiresAt)}. The time counts from the upload.`}
      onClose={onClose}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) change.mutate(chosen);
        }}
      >
        <fieldset className="grid gap-0.5">
          <legend className="sr-only">Keep the file for</legend>
          {expirationOptions(plan).map((option) => (
            <Choice
              key={option.value}
              option={option}
              ends={endAfter(file, option.value)}
              isPast={isExpired(endAfter(file, option.value), openedAt)}
              checked={chosen === option.value}
              onChoose={setChosen}
            />
          ))}
        </fieldset>
        <Button type="submit" disabled={chosen === null || change.isPending}>
          {change.isPending ? "Saving…" : "Save"}
        </Button>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  option: ExpirationOption;
  /** Epoch milliseconds, null for never. */
  ends: number | null;
  isPast: boolean;
  checked: boolean;
  onChoose(expiration: Expiration): void;
}

function Choice({ option: { value, label, lockedUntil }, ends, isPast, checked, onChoose }: ChoiceProps) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-3 rounded-lg px-2 has-checked:bg-sunken">
      <label className="flex flex-1 items-center gap-3 has-disabled:text-muted">
        <input
          type="radio"
          name="expiration"
          value={value}
          className="size-4 accent-reed"
          checked={checked}
          disabled={lockedUntil !== null || isPast}
          onChange={() => {
            onChoose(value);
          }}
        />
        {label}
      </label>
      <span className="text-right text-sm text-muted">
        {lockedUntil ? (
          <Link to="/pricing" className="text-reed underline">
            {lockedUntil.name} plan
          </Link>
        ) : isPast ? (
          "has passed"
        ) : (
          ends !== null && dateOf(new Date(ends))
        )}
      </span>
    </div>
  );
}

function endAfter(file: ListedFile, expiration: Expiration): number | null {
  const lifetime = { expiration, expirationChosen: true, sizeBytes: file.size };
  return expiresAt(lifetime, Date.parse(file.uploadedAt));
}

function endOf(expiresAt: string | null): string {
  return expiresAt === null ? "never expires" : `expires ${dateOf(new Date(expiresAt))}`;
}

function dateOf(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
