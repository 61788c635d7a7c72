import { useRevalidator } from "@remix-run/react";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError } from "#app/lib/api.ts";

interface ChangeOptions<Input> {
  change(input: Input): Promise<unknown>;
  onDone(input: Input): void;
  onError(error: unknown): void;
}

/** A change by an administrator: once it is made, what is shown is read anew (specification 2 section 4). */
export function useChange<Input = void>({
  change,
  onDone,
  onError,
}: ChangeOptions<Input>): UseMutationResult<unknown, unknown, Input> {
  const { revalidate } = useRevalidator();
  const onRefused = useRefused(onError);
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, input) => {
      revalidate();
      onDone(input);
    },
    onError: onRefused,
  });
}

/** The same about an error, and where the session has ended the page is asked for anew, which leads to the login. */
export function useRefused(onError: (error: unknown) => void): (error: unknown) => void {
  const { revalidate } = useRevalidator();
  return useCallback(
    (error) => {
      onError(error);
      if (error instanceof ApiError && error.body.code === "ADMIN_REQUIRED") revalidate();
    },
    [onError, revalidate],
  );
}
