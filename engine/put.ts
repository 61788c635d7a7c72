import { MINUTE_MS } from "#domain/units.ts";
import { messageFromBody, parseObject } from "./api-error.ts";
import { TransportError, type UploadProblem } from "./errors.ts";
import type { PutRoute } from "./upload-types.ts";

/** A PUT that has sent nothing for this long has failed. */
export const STALL_TIMEOUT_MS = MINUTE_MS;

/** The time limit for a whole PUT through our server (decision 024). */
export const PROXY_TIMEOUT_MS = 5 * MINUTE_MS;

/** Problems by S3's error code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const STORAGE_PROBLEMS: Record<string, UploadProblem> = {
  InvalidAccessKeyId: { code: "invalidAccessKey" },
  SignatureDoesNotMatch: { code: "signatureMismatch" },
  AccessDenied: { code: "accessDenied" },
};

/** The error for a PUT without a response. */
export function networkFailure(transport: PutRoute): TransportError {
  const code = transport === "direct" ? "directNetworkError" : "proxyNetworkError";
  return new TransportError(transport, "network", { code });
}

/** The error for a PUT through our server that took longer than `PROXY_TIMEOUT_MS`. */
export function proxyTimeout(): TransportError {
  return new TransportError("proxy", "timeout", { code: "proxyTimedOut" });
}

/** The error for a PUT with a status other than 2xx. Our server answers with JSON, storage with XML. */
export function rejection(transport: PutRoute, status: number, responseText: string): TransportError {
  const problem = transport === "proxy" ? serverProblem(status, responseText) : storageProblem(status, responseText);
  return new TransportError(transport, "rejected", problem, status);
}

function serverProblem(status: number, responseText: string): UploadProblem {
  const message = messageFromBody(parseObject(responseText) ?? {});
  return message === null ? { code: "serverStatus", status } : { message };
}

function storageProblem(status: number, responseText: string): UploadProblem {
  const code = /<Code>(\w+)<\/Code>/.exec(responseText)?.[1] ?? (status === 403 ? "AccessDenied" : "");
  return STORAGE_PROBLEMS[code] ?? { code: "storageStatus", status };
}
