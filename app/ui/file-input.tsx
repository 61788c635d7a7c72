import { forwardRef, type InputHTMLAttributes } from "react";

interface FileInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "onChange"> {
  label: string;
  /** Lets the person choose a folder with all its content. */
  isFolder?: boolean;
  /** Called with the chosen files, at least one. */
  onFiles(files: File[]): void;
}

/** A file input that a label or button opens. The person can choose the same files twice in a row. */
export const FileInput = forwardRef<HTMLInputElement, FileInputProps>(function FileInput(
  { label, isFolder = false, onFiles, ...input },
  ref,
) {
  return (
    <input
      ref={ref}
      type="file"
      aria-label={label}
      {...input}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = "";
        if (files.length > 0) onFiles(files);
      }}
      {...(isFolder && { webkitdirectory: "" })}
    />
  );
});
