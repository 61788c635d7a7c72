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

type FileKind = "pdf" | "text" | "spreadsheet" | "presentation" | "image" | "video" | "audio" | "archive" | "generic";

const EXTENSIONS: Record<Exclude<FileKind, "generic">, readonly string[]> = {
  pdf: ["pdf"],
  text: ["doc", "docx"],
  spreadsheet: ["xls", "xlsx"],
  presentation: ["ppt", "pptx"],
  image: ["jpg", "jpeg", "png", "gif", "svg", "webp"],
  video: ["mp4", "mov", "avi", "webm"],
  audio: ["mp3", "wav", "ogg"],
  archive: ["zip", "rar", "7z", "tar", "gz"],
};

const KINDS = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, extensions]) =>
    extensions.map((extension) => [extension, kind as FileKind] as const),
  ),
);

export function fileKind(filename: string): FileKind {
  const extension = /\.([^.]+)$/.exec(filename)?.[1] ?? "";
  return KINDS.get(extension.toLowerCase()) ?? "generic";
}

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
