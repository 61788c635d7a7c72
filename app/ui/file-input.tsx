import { forwardRef, type InputHTMLAttributes } from "react";

interface FileInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "onChange"> {
  label: string;
  /** Takes a folder, with all that is in it. */
  isFolder?: boolean;
  /** What was chosen, which is at least one. */
  onFiles(files: File[]): void;
}

/** A file input that its label or a button opens. The same files can be chosen again. */
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
