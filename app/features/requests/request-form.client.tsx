import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { focusField } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox, FormChoices, FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { Unfold } from "#app/ui/unfold.tsx";
import type { PlanId } from "#domain/plans.ts";
import { REQUEST_NOTE_MAX_LENGTH, REQUEST_TITLE_MAX_LENGTH } from "#domain/requests/limits.ts";
import { uploadRequestForm, type CreateUploadRequest, type ListedUploadRequest } from "#domain/wire.ts";
import { ExpiresInSelect, KeepForSelect, MoreFields, typedSizes } from "./request-fields.tsx";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

interface RequestFormProps {
  /** Null for a new request. */
  request: ListedUploadRequest | null;
  plan: PlanId;
  /** The field for websites has the focus at first. */
  startsAtSites?: boolean;
  onMade(request: ListedUploadRequest): void;
  onClose(): void;
}

/** A form that makes or changes a request. */
export default function RequestForm({ request, plan, startsAtSites = false, onMade, onClose }: RequestFormProps) {
  const t = useMessages("requests");
  const refresh = useRefreshRequests();
  const [isUnfolded, setUnfolded] = useState(request !== null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!startsAtSites) return;
    // Waits for the previous dialog, which returns the focus on closing.
    const timer = setTimeout(() => {
      if (form.current) focusField(form.current, { origins: true });
    });
    return () => clearTimeout(timer);
  }, [startsAtSites]);
  const { errors, busy, onSubmit } = useForm(uploadRequestForm, {
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    // Unfolds the fields, because a wrong field must be visible to get the focus.
    onInvalid: (invalid) => {
      if (Object.keys(invalid).every((field) => field === "title" || field === "note")) return;
      flushSync(() => setUnfolded(true));
    },
    send: async (values, sent) => {
      const typed = new FormData(sent);
      const saved = request
        ? await requestsApi.change(request.id, changeOf(request, values, typed, t.locale))
        : await requestsApi.create(values);
      await refresh();
      if (request) toast({ title: t("saved") });
      onMade(saved);
    },
  });
  return (
    <Dialog
      title={t(request ? "changeTitle" : "createTitle")}
      description={t(request ? "changeHelp" : "createHelp")}
      onClose={onClose}
    >
      <form ref={form} className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("name")}
          hint={t("nameHint")}
          name="title"
          autoComplete="off"
          maxLength={REQUEST_TITLE_MAX_LENGTH}
          defaultValue={request?.title}
          error={errors.title}
        />
        <FormTextArea
          label={t("note")}
          hint={t("noteHint")}
          name="note"
          rows={3}
          maxLength={REQUEST_NOTE_MAX_LENGTH}
          defaultValue={request?.note}
          error={errors.note}
        />
        <ExpiresInSelect request={request} />
        <KeepForSelect request={request} plan={plan} />
        <FormChoices legend={t("asks")}>
          <FormCheckbox name="asksName" defaultChecked={request?.asksName ?? true}>
            {t("asksName")}
          </FormCheckbox>
          <FormCheckbox name="asksEmail" defaultChecked={request?.asksEmail ?? false}>
            {t("asksEmail")}
          </FormCheckbox>
        </FormChoices>
        <Unfold title={t("moreOptions")} open={isUnfolded} onToggle={setUnfolded}>
          <div className="mt-2 grid gap-4">
            <MoreFields request={request} errors={errors} />
          </div>
        </Unfold>
        <Button type="submit" busy={busy}>
          {request ? t(busy ? "saving" : "save") : t(busy ? "making" : "make")}
        </Button>
      </form>
    </Dialog>
  );
}

/** Leaves out unchanged sizes, because the fields show rounded sizes. */
function changeOf(
  request: ListedUploadRequest,
  { expiresIn, password, ...values }: CreateUploadRequest,
  typed: FormData,
  locale: Parameters<typeof typedSizes>[1],
) {
  const before = typedSizes(request, locale);
  const isUntouched = (field: keyof typeof before) => typed.get(field) === before[field];
  return {
    ...values,
    mostBytes: isUntouched("mostBytes") ? request.mostBytes : values.mostBytes,
    mostFileBytes: isUntouched("mostFileBytes") ? request.mostFileBytes : values.mostFileBytes,
    ...(typed.get("expiresIn") === "" ? {} : { expiresIn }),
    ...(typed.has("removePassword") ? { password: null } : password === undefined ? {} : { password }),
  };
}
