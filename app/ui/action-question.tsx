import { useMutation } from "@tanstack/react-query";
import { useAtWork } from "#app/lib/confirming.ts";
import { Question, type QuestionProps } from "./dialog.tsx";

export interface ActionQuestionProps<Answer> extends Omit<QuestionProps, "isBusy" | "onYes"> {
  /** The yes button's label while `run` is under way. Default: `yes`. */
  pending?: string;
  run(): Promise<Answer>;
  /** Closes the question. Not needed if `run` closes the question. */
  onSuccess?(answer: Answer): unknown;
  onError(error: unknown): void;
}

/** A question whose yes button calls `run`. The question stays open if `run` fails. */
export function ActionQuestion<Answer>({ run, yes, pending = yes, ...others }: ActionQuestionProps<Answer>) {
  const { onSuccess, onError, ...question } = others;
  const { mutate, isPending } = useMutation({ mutationFn: run, ...(onSuccess && { onSuccess }), onError });
  const words = useAtWork(isPending) ? pending : yes;
  return <Question {...question} yes={words} isBusy={isPending} onYes={() => mutate()} />;
}
