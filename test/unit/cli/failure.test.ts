import { expect, it } from "vitest";
import { SealError } from "#domain/seal/seal-error.ts";
import { ApiError } from "#engine/api-error.ts";
import { TransportError, UploadError } from "#engine/errors.ts";
import { describeError } from "../../../cli/failure.ts";
import { EXIT, Problem } from "../../../opener/problem.ts";

/** As Node's own, with a message such as "EACCES: permission denied, mkdir 'out'". */
function systemError(code: string, errno: number, path?: string): Error {
  return Object.assign(new Error(`${code}: …, mkdir`), {
    code,
    errno,
    syscall: "mkdir",
    ...(path !== undefined && { path }),
  });
}

const refused = (status: number, code: string) => new ApiError(status, "The server's words.", { code });

it.each([
  [3, refused(401, "KEY_INVALID")],
  [3, refused(403, "KEY_SCOPE")],
  [4, refused(403, "KEY_LIMIT")],
  [4, refused(403, "PLAN_LIMIT_EXCEEDED")],
  [4, refused(403, "REQUEST_FULL")],
  [4, refused(415, "KIND_REFUSED")],
  [4, refused(429, "RATE_LIMITED")],
  [5, refused(410, "REQUEST_CLOSED")],
  [5, refused(404, "FILE_NOT_FOUND")],
  [5, refused(410, "FILE_EXPIRED")],
  [6, refused(503, "STORAGE_UNAVAILABLE")],
  [7, refused(422, "CHECKSUM_MISMATCH")],
  [2, refused(400, "BAD_REQUEST")],
  [1, refused(409, "ENTRY_CONFLICT")],
])("ends with %i, and says the server's words, for %o", (exitCode, error) => {
  expect(describeError(error)).toEqual({ exitCode, message: "The server's words." });
});

it.each([
  [6, new TypeError("fetch failed"), "The server cannot be reached."],
  [6, new UploadError({ code: "noUrl" }, { cause: new TypeError("fetch failed") }), "The server cannot be reached."],
  [6, new TransportError("direct", "network", { code: "directNetworkError" }), "Storage cannot be reached."],
  [1, new TransportError("direct", "rejected", { code: "storageStatus", status: 400 }, 400), "Storage answered 400."],
  [8, new UploadError({ code: "fileChanged" }), "The file changed while it was sent."],
  [8, new UploadError({ code: "fileChanged" }, { cause: new Error("EIO") }), "The file changed while it was sent."],
  [
    7,
    new SealError("damaged", "Part of this file is not what the sender encrypted."),
    "Part of this file is not what the sender encrypted.",
  ],
  [3, new Problem(EXIT.password, "This is not the password."), "This is not the password."],
  [6, new Problem(EXIT.network, "The server cannot be reached."), "The server cannot be reached."],
  [1, new Error("something else"), "something else"],
  [1, systemError("EACCES", -13, "out"), '"out": permission denied.'],
  [1, systemError("ENOSPC", -28), "The system: no space left on device."],
])("ends with %i for %o [CLI-11]", (exitCode, error, message) => {
  expect(describeError(error)).toEqual({ exitCode, message });
});
