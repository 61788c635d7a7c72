import { useRevalidator } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ActionQuestion, type ActionQuestionProps } from "#app/ui/action-question.tsx";
import { useAdminErrorHandler } from "./admin-changes.ts";

/**
 * A dialog that asks before an action. After the action has succeeded, the dialog reloads the page's data and closes.
 */
export function ConfirmDialog<Answer>(props: Omit<ActionQuestionProps<Answer>, "no">) {
  const { onSuccess, onError, ...question } = props;
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  return (
    <ActionQuestion
      {...question}
      no={t("cancel")}
      onSuccess={(answer) => {
        revalidate();
        onSuccess?.(answer);
        question.onClose();
      }}
      onError={useAdminErrorHandler(onError)}
    />
  );
}
