import * as z from "zod/mini";
import { EXPIRATIONS } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { REQUEST_NOTICES } from "../notices/when-mailed.ts";
import { changeUploadRequest, createUploadRequest } from "../wire/requests.ts";
import type { V1Call } from "./call.ts";
import { EXAMPLE_TRANSFER, at, bytes, count, described, expiresAt, next, page } from "./fields.ts";

const fileRequestId = described(z.uuid(messageName("notRequestId")), "Names the request.");
const byRequest = z.object({ id: fileRequestId });

const HALF = "Null: at most half of what the owner's month has left.";
const text = (description: string) => described(z.string(), description);

const uploadRequest = z.object({
  id: fileRequestId,
  link: described(z.url(), "For those who are to send: it takes files, and shows none."),
  title: z.string(),
  note: z.string(),
  state: described(
    z.enum(["open", "closed", "expired", "over-plan"]),
    "`over-plan`: the plan allows fewer open requests. All but `open` take nothing.",
  ),
  keepFor: described(z.enum(EXPIRATIONS), "How long what comes is kept, within the plan."),
  expiresAt: described(z.nullable(z.iso.datetime()), "When the request ends. Null: when it is closed."),
  mostBytes: described(z.nullable(bytes), `Of everything that is stored at the same time. ${HALF}`),
  mostFileBytes: described(z.nullable(bytes), "Of one file. Null: as the plan allows."),
  mostTransfers: described(z.nullable(count), `How often somebody may send. ${HALF}`),
  kinds: described(z.nullable(z.array(z.string())), "Endings of names. Null: any."),
  asksName: z.boolean(),
  asksEmail: z.boolean(),
  hasPassword: z.boolean(),
  notify: z.enum(REQUEST_NOTICES),
  origins: z.array(z.string()),
  receivedBytes: described(bytes, "Stored, and on its way."),
  receivedTransfers: count,
  createdAt: at("When it was made."),
  closedAt: z.nullable(z.iso.datetime()),
});

const { shape } = createUploadRequest;
const newRequest = z.object({
  ...shape,
  note: shape.note.check(z.describe("For those who send.")),
  expiresIn: shape.expiresIn.check(z.describe("How long the request is open.")),
  keepFor: shape.keepFor.check(z.describe("How long what comes is kept. By default as long as the plan allows.")),
  mostBytes: shape.mostBytes.check(z.describe(`Of everything that is stored at the same time. ${HALF}`)),
  mostFileBytes: shape.mostFileBytes.check(z.describe("Of one file.")),
  mostTransfers: shape.mostTransfers.check(z.describe(`How often somebody may send. 1: once. ${HALF}`)),
  kinds: shape.kinds.check(z.describe('Endings of names, such as `["jpg", "png"]`.')),
  asksName: shape.asksName.check(z.describe("Senders have to give a name.")),
  asksEmail: shape.asksEmail.check(z.describe("Senders have to give an address.")),
  notify: shape.notify.check(z.describe("Which mails its owner gets of what comes.")),
  origins: shape.origins.check(z.describe("Web pages that may send into it by tus, such as `https://shop.example`.")),
});

const received = z.object({
  id: text("Names what came, also once it has a link."),
  requestId: z.string(),
  requestTitle: described(z.nullable(z.string()), "Null: the request was deleted."),
  title: z.string(),
  size: bytes,
  entries: described(count, "How many files."),
  receivedAt: at("When its last byte had come."),
  expiresAt,
  senderName: described(z.nullable(z.string()), "As the sender said."),
  senderEmail: described(z.nullable(z.string()), "As the sender said."),
  senderNote: z.nullable(z.string()),
  link: described(z.nullable(z.string()), "For others. Null until its owner makes one on the page Received."),
});

const EXAMPLE_REQUEST = {
  id: "5f0c9b7e-1d3a-4c52-8e46-9b2a7d1f0c33",
  link: "https://files.example/r/T0kBx5Lr2YwAq3Zc8vV1sA",
  title: "Photos",
  note: "Of Saturday, please.",
  state: "open",
  keepFor: "3d",
  expiresAt: "2026-11-30T12:00:00.000Z",
  mostBytes: null,
  mostFileBytes: null,
  mostTransfers: null,
  kinds: ["jpg", "png"],
  asksName: false,
  asksEmail: false,
  hasPassword: false,
  notify: "each",
  origins: [],
  receivedBytes: 0,
  receivedTransfers: 0,
  createdAt: "2026-11-23T12:00:00.000Z",
  closedAt: null,
};

/** Upload requests: links through which others send files into the key's account. */
export const REQUEST_CALLS = {
  listRequests: {
    method: "GET",
    path: "/requests",
    tag: "Requests",
    summary: "List upload requests, newest first",
    scope: "requests",
    limit: null,
    query: page,
    status: 200,
    answer: z.object({ items: z.array(uploadRequest), next }),
    errors: [],
    example: { query: { limit: 1 }, answer: { items: [EXAMPLE_REQUEST], next: null } },
  },
  createRequest: {
    method: "POST",
    path: "/requests",
    tag: "Requests",
    summary: "Ask others for files",
    description: "Whoever has the link sends files into this account. What comes counts against its plan and month.",
    scope: "requests",
    limit: "changeRequest",
    body: newRequest,
    status: 201,
    answer: uploadRequest,
    errors: ["PLAN_LIMIT_EXCEEDED"],
    example: {
      body: { title: "Photos", note: "Of Saturday, please.", expiresIn: "7d", kinds: ["jpg", "png"] },
      answer: EXAMPLE_REQUEST,
    },
  },
  changeRequest: {
    method: "PATCH",
    path: "/requests/{id}",
    tag: "Requests",
    summary: "Close a request, open it again, or change its bounds",
    description:
      "Its fields are those of a new one, and `closed`. What is absent stays. `expiresIn` counts from now on, and a `password` of null takes it away. What is on its way to a closed request may finish.",
    scope: "requests",
    limit: "changeRequest",
    params: byRequest,
    body: changeUploadRequest,
    status: 200,
    answer: uploadRequest,
    errors: ["REQUEST_NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    example: {
      params: { id: EXAMPLE_REQUEST.id },
      body: { closed: true },
      answer: { ...EXAMPLE_REQUEST, state: "closed", closedAt: "2026-11-24T12:00:00.000Z" },
    },
  },
  deleteRequest: {
    method: "DELETE",
    path: "/requests/{id}",
    tag: "Requests",
    summary: "Delete a request",
    description: "What came through it stays.",
    scope: "requests",
    limit: null,
    params: byRequest,
    status: 204,
    errors: ["REQUEST_NOT_FOUND"],
    example: { params: { id: EXAMPLE_REQUEST.id } },
  },
  listReceived: {
    method: "GET",
    path: "/received",
    tag: "Requests",
    summary: "List what has come through requests, newest first",
    scope: "requests",
    limit: null,
    query: z.object({
      ...page.shape,
      request: z.optional(described(z.uuid(messageName("notRequestId")), "Of this one alone.")),
    }),
    status: 200,
    answer: z.object({ items: z.array(received), next }),
    errors: [],
    example: {
      query: { limit: 1 },
      answer: {
        items: [
          {
            id: EXAMPLE_TRANSFER.id,
            requestId: EXAMPLE_REQUEST.id,
            requestTitle: "Photos",
            title: "sea.jpg",
            size: 5,
            entries: 1,
            receivedAt: "2026-11-23T12:00:00.000Z",
            expiresAt: EXAMPLE_TRANSFER.expiresAt,
            senderName: "Ada",
            senderEmail: null,
            senderNote: "There are more.",
            link: null,
          },
        ],
        next: null,
      },
    },
  },
} as const satisfies Record<string, V1Call>;
