import { useMutation } from "@tanstack/react-query";
import { useAtWork } from "#app/lib/confirming.ts";
import { Question, type QuestionProps } from "./dialog.tsx";

export interface ActionQuestionProps<Answer> extends Omit<QuestionProps, "isBusy" | "onYes"> {
  /** What the button says while it is done. Default: the same. */
  pending?: string;
  run(): Promise<Answer>;
  /** Closes the question, at once or later. Default: `run` does that itself. */
  onSuccess?(answer: Answer): unknown;
  onError(error: unknown): void;
}

/** A question, and what is done when the person says yes. It stays open if that fails. */
export function ActionQuestion<Answer>({ run, yes, pending = yes, ...others }: ActionQuestionProps<Answer>) {
  const { onSuccess, onError, ...question } = others;
  const { mutate, isPending } = useMutation({ mutationFn: run, ...(onSuccess && { onSuccess }), onError });
  const words = useAtWork(isPending) ? pending : yes;
  return <Question {...question} yes={words} isBusy={isPending} onYes={() => mutate()} />;
}
