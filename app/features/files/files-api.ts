import { call, type BodyOf } from "#app/lib/api.ts";
import type { FilesPage, FilesQuery } from "#domain/wire.ts";

export class UnexpectedAnswerError extends Error {
  constructor() {
    super("Unexpected data format");
    this.name = "UnexpectedAnswerError";
  }
}

function isFilesPage(answer: unknown): answer is FilesPage {
  return typeof answer === "object" && answer !== null && "files" in answer && Array.isArray(answer.files);
}

/** @throws UnexpectedAnswerError if the answer is no list; ApiError */
async function fetchFiles({ page = 1, ...others }: FilesQuery): Promise<FilesPage> {
  const answer = await call("GET /api/files", { query: { ...others, page: String(page) } });
  if (!isFilesPage(answer)) throw new UnexpectedAnswerError();
  return answer;
}

export const filesApi = {
  files: fetchFiles,
  details: (id: string) => call("GET /api/files/:id", { params: { id } }),
  changeFile: (id: string, body: BodyOf<"PATCH /api/files/:id">) =>
    call("PATCH /api/files/:id", { params: { id }, body }),
  entries: (downloadId: string, from: number) =>
    call("GET /api/files/download/:downloadId/entries", { params: { downloadId }, query: { from: String(from) } }),
  removeEntry: (id: string, n: number) => call("DELETE /api/files/:id/entries/:n", { params: { id, n: String(n) } }),
  deleteFile: (id: string) => call("DELETE /api/files/:id", { params: { id } }),
};
