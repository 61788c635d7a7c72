import { expect, it } from "vitest";
import {
  findCalls,
  findEvents,
  type ReferenceCall,
  type ReferenceEvent,
} from "#app/features/developers/reference-call.ts";

const call = (id: string, more: Partial<ReferenceCall>): ReferenceCall => ({
  id,
  tag: "Transfers",
  method: "POST",
  path: "/api/v1/transfers",
  summary: "",
  description: "",
  needsKey: true,
  parameters: [],
  body: [],
  status: "200",
  answer: [],
  answerExample: null,
  refusals: [],
  examples: { curl: "", JavaScript: "", CLI: "" },
  ...more,
});
const field = (name: string) => ({ name, type: "string", isRequired: true, description: "" });

const CALLS = [
  call("mailTransfer", { summary: "Mail the link to somebody", path: "/api/v1/transfers/{id}/mail" }),
  call("startUpload", { refusals: [{ status: "403", code: "EMAIL_UNVERIFIED", message: "mail" }] }),
  call("readDownloads", { answer: [field("maxDownloads")] }),
];

it.each([
  ["", ["mailTransfer", "startUpload", "readDownloads"]],
  ["mail", ["mailTransfer"]],
  ["MAIL somebody", ["mailTransfer"]],
  ["mail nobody", []],
  ["/transfers/{id}/mail", ["mailTransfer"]],
  ["EMAIL_UNVERIFIED", ["startUpload"]],
  ["403", ["startUpload"]],
  ["maxdown", ["readDownloads"]],
  ["downloads", ["readDownloads"]],
])("a search for %j finds %j [DEV-2]", (search, expected) => {
  expect(findCalls(CALLS, search).map(({ id }) => id)).toEqual(expected);
});

const event = (id: string, body: string): ReferenceEvent => ({
  id,
  tag: "Webhooks",
  summary: "",
  parameters: [field("webhook-id")],
  body: [field(body)],
  example: "",
});
const EVENTS = [event("transfer.expired", "data.reason"), event("ping", "data.webhookId")];

it.each([
  ["", ["transfer.expired", "ping"]],
  ["webhooks", ["transfer.expired", "ping"]],
  ["transfer expired", ["transfer.expired"]],
  ["reason", ["transfer.expired"]],
  ["webhook-id", ["transfer.expired", "ping"]],
  ["no such", []],
])("a search for %j finds the events %j", (search, expected) => {
  expect(findEvents(EVENTS, search).map(({ id }) => id)).toEqual(expected);
});
