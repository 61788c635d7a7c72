import clsx from "clsx";
import { useId, useMemo } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { controlClass, fieldAttributes, FieldFrame, FormField } from "#app/ui/form-field.tsx";
import { isProse, MAX_TEXT_BYTES, nameOfText, TEXT_KINDS, typeOfText } from "#domain/texts.ts";
import { formatBytes } from "#domain/units.ts";
import { isTooLong, type TextDraft } from "./text-draft.ts";

interface TextFieldsProps {
  draft: TextDraft;
  onDraft(draft: TextDraft): void;
}

/** The fields of a text: what it says, its kind, and its name. */
export function TextFields({ draft, onDraft }: TextFieldsProps) {
  const t = useMessages("uploads");
  const id = useId();
  const { text, kind, name } = draft;
  const tooLong = useMemo(() => isTooLong(draft), [draft]);
  const error = tooLong ? t("textTooLong", { size: formatBytes(MAX_TEXT_BYTES, t.locale) }) : undefined;
  const isCode = !isProse(typeOfText(kind));
  return (
    <>
      <FieldFrame id={id} label={t("text")} error={error}>
        <textarea
          {...fieldAttributes(id, null, error)}
          // The person has just asked for this field.
          autoFocus
          rows={8}
          value={text}
          placeholder={t("textPlaceholder")}
          spellCheck={!isCode}
          className={clsx(controlClass, "resize-y", isCode && "font-mono text-[0.8125rem]")}
          onChange={({ target }) => onDraft({ ...draft, text: target.value })}
        />
      </FieldFrame>
      <div className="grid grid-cols-2 gap-3">
        <FieldFrame id={`${id}-kind`} label={t("textKind")}>
          <select
            id={`${id}-kind`}
            value={kind}
            className={controlClass}
            onChange={({ target }) =>
              onDraft({ ...draft, kind: TEXT_KINDS.find((one) => one === target.value) ?? kind })
            }
          >
            {TEXT_KINDS.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </FieldFrame>
        <FormField
          label={t("textName")}
          value={name}
          placeholder={nameOfText(kind, "")}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => onDraft({ ...draft, name: target.value })}
        />
      </div>
    </>
  );
}
