import { useMutation } from "@tanstack/react-query";
import { Question, type QuestionProps } from "./dialog.tsx";
import { errorToast } from "./error-toast.ts";

interface AskFirstProps extends Omit<QuestionProps, "isBusy" | "onYes"> {
  /** Stands on the button while it is being done. */
  doing?: string;
  /** Title and text that tell of a failure; one with a message of its own tells that. */
  failed: readonly [string, string];
  /** Does it, tells so, and closes the question. */
  act(): Promise<void>;
}

/** A question that does by itself what it asks. */
export function AskFirst({ yes, doing = yes, failed, act, ...question }: AskFirstProps) {
  const { mutate, isPending } = useMutation({ mutationFn: act, onError: errorToast(...failed) });
  return <Question {...question} yes={isPending ? doing : yes} isBusy={isPending} onYes={() => mutate()} />;
}
