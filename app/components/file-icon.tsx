import {
  File,
  FileArchive,
  FileImage,
  FileMusic,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideoCamera,
  Presentation,
} from "lucide-react";
import { fileKindOf, type FileKind } from "#domain/file-kind.ts";

const ICONS: Record<FileKind, typeof File> = {
  pdf: FileType,
  text: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: Presentation,
  image: FileImage,
  video: FileVideoCamera,
  audio: FileMusic,
  archive: FileArchive,
  other: File,
};

/** A picture of a file's kind. It says nothing that the name does not say. */
export function FileIcon({ filename, size = 24 }: { filename: string; size?: number }) {
  const kind = fileKindOf(filename);
  const Icon = ICONS[kind];
  return <Icon size={size} aria-hidden data-kind={kind} className="shrink-0" />;
}
