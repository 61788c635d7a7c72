import { useRevalidator } from "@remix-run/react";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError } from "#app/lib/api.ts";

interface AdminMutationOptions<Input> {
  change(input: Input): Promise<unknown>;
  onSuccess(input: Input): void;
  onError(error: unknown): void;
}

/** A mutation that reloads the page's data after success. */
export function useAdminMutation<Input = void>({
  change,
  onSuccess,
  onError,
}: AdminMutationOptions<Input>): UseMutationResult<unknown, unknown, Input> {
  const { revalidate } = useRevalidator();
  const handleError = useAdminErrorHandler(onError);
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, input) => {
      revalidate();
      onSuccess(input);
    },
    onError: handleError,
  });
}

/** Calls `onError`. If the admin session has ended, also reloads the page's data, which redirects to the login. */
export function useAdminErrorHandler(onError: (error: unknown) => void): (error: unknown) => void {
  const { revalidate } = useRevalidator();
  return useCallback(
    (error) => {
      onError(error);
      if (error instanceof ApiError && error.body.code === "ADMIN_REQUIRED") revalidate();
    },
    [onError, revalidate],
  );
}
