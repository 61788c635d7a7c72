import {
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  Presentation,
  type LucideIcon,
} from "lucide-react";
import { fileKind, type FileKind } from "#domain/file-kind.ts";

const ICONS: Record<FileKind, LucideIcon> = {
  pdf: FileType,
  text: FileText,
  spreadsheet: FileSpreadsheet,
  presentation: Presentation,
  image: FileImage,
  video: FileVideo,
  audio: FileAudio,
  archive: FileArchive,
  generic: File,
};

export function FileIcon({ filename, size = 22 }: { filename: string; size?: number }) {
  const kind = fileKind(filename);
  const Icon = ICONS[kind];
  return <Icon size={size} aria-hidden data-kind={kind} className="shrink-0" />;
}
