import { describe, expect, it } from "vitest";
import { splitEmails } from "#app/ui/sharing/mail-link.client.tsx";
import { emailAddress, parseSender } from "#domain/email-address.ts";
import {
  adminEmailRequest,
  changeEmailRequest,
  contactRequest,
  emailRequest,
  loginRequest,
  registerRequest,
  reportRequest,
  senderFields,
  shareFileRequest,
  shareWithManyRequest,
} from "#domain/wire.ts";

const TAKEN: [typed: string, taken: string][] = [
  ["ann@example.com", "ann@example.com"],
  ["  ann@example.com\n", "ann@example.com"],
  ["r&d@example.com", "r&d@example.com"],
  ["a/b=c@example.com", "a/b=c@example.com"],
  ["o'neil+files@mail.example.co.uk", "o'neil+files@mail.example.co.uk"],
  ["!#$%&'*+-/=?^_`{|}~.@example.com", "!#$%&'*+-/=?^_`{|}~.@example.com"],
  [".a..b.@example.com", ".a..b.@example.com"],
  ["x@exämple.de", "x@xn--exmple-cua.de"],
  ["x@EXÄMPLE.de", "x@xn--exmple-cua.de"],
  ["x@exa\u0308mple.de", "x@xn--exmple-cua.de"],
  ["x@xn--exmple-cua.de", "x@xn--exmple-cua.de"],
  ["x@faß.de", "x@xn--fa-hia.de"],
  ["x@пример.рф", "x@xn--e1afmkfd.xn--p1ai"],
  ["x@例え。テスト", "x@xn--r8jz45g.xn--zckzah"],
  ["x@a-b.example", "x@a-b.example"],
  [`x@${"a".repeat(63)}.example`, `x@${"a".repeat(63)}.example`],
];

const REFUSED = [
  "",
  "ann",
  "ann@",
  "@example.com",
  "ann@example",
  "ann@exämple",
  "ann@@example.com",
  "ann@exa mple.com",
  "an n@example.com",
  "änn@example.com",
  '"ann"@example.com',
  "ann@example.com, bob@example.com",
  "ann@example.com\r\nBcc: bob@example.com",
  "ann@-example.com",
  "ann@example-.com",
  "ann@example..com",
  "ann@.example.com",
  "ann@example.com.",
  "ann@[127.0.0.1]",
  "ann@exämple.de:25",
  "ann@exämple.de/a",
  "ann@exämple.de?a",
  "ann@exämple.de#a",
  "ann@１２７.０.０.１",
  "ann@exa\u202emple.de",
  `ann@${"a".repeat(64)}.example`,
  `ann@${"ä".repeat(63)}.example`,
  `${"a".repeat(250)}@example.com`,
];

const PEOPLE = { password: "a good password" };
const MESSAGE = { name: "Ann", subject: "A question", message: "How does it work?" };

/** Each schema that takes an address, and what it makes of one. */
const WAYS: [name: string, take: (address: string) => string | undefined][] = [
  ["registration", (email) => registerRequest.safeParse({ email, ...PEOPLE }).data?.email],
  ["login", (email) => loginRequest.safeParse({ email, ...PEOPLE }).data?.email],
  ["a link by mail", (email) => emailRequest.safeParse({ email }).data?.email],
  ["another address", (newEmail) => changeEmailRequest.safeParse({ newEmail }).data?.newEmail],
  ["a recipient", (email) => shareFileRequest.safeParse({ email }).data?.email],
  ["several recipients", (email) => shareWithManyRequest.safeParse({ emails: [email] }).data?.emails[0]],
  ["a sender into a request", (senderEmail) => senderFields.safeParse({ senderEmail }).data?.senderEmail],
  ["the contact form", (email) => contactRequest.safeParse({ email, ...MESSAGE }).data?.email],
  ["the sender of the site's mails", (email) => parseSender(`Mayfly <${email}>`)?.email],
];

describe("an address", () => {
  it.each(TAKEN)("%j is taken as %j, everywhere", (typed, taken) => {
    expect(emailAddress("wrong").parse(typed)).toBe(taken);
    for (const [name, take] of WAYS) expect([name, take(typed)]).toEqual([name, taken]);
    expect(reportRequest.parse({ reason: "malware", email: typed }).email).toBe(taken);
  });

  it.each(REFUSED)("%j is refused, everywhere", (typed) => {
    expect(emailAddress("wrong").safeParse(typed).error?.issues[0]?.message).toBe("wrong");
    for (const [name, take] of WAYS) expect([name, take(typed)]).toEqual([name, undefined]);
    if (typed !== "") expect(reportRequest.safeParse({ reason: "malware", email: typed }).success).toBe(false);
  });

  it("of an account is in lower case", () => {
    expect(loginRequest.parse({ email: " R&D@EXÄMPLE.de ", ...PEOPLE }).email).toBe("r&d@xn--exmple-cua.de");
    expect(adminEmailRequest.parse({ email: "Ann@EXÄMPLE.de" }).email).toBe("ann@xn--exmple-cua.de");
  });

  it("among others is found in each of its forms", () => {
    const text = "Ann Lee <ann@exämple.de>, ANN@xn--exmple-cua.de; r&d@example.com no@thing";
    expect(splitEmails(text)).toEqual({
      emails: ["ann@xn--exmple-cua.de", "r&d@example.com"],
      wrong: ["no@thing"],
    });
  });
});
