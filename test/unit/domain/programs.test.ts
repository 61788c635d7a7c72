import { describe, expect, it } from "vitest";
import { basicPassword, wantsBytes } from "#domain/programs.ts";

const asks = (agent: string, accept?: string) =>
  wantsBytes((name) => (name === "user-agent" ? agent : name === "accept" ? accept : undefined));

describe("a program that downloads", () => {
  it.each([
    "curl/7.88.1",
    "Wget/1.21.4",
    "wget/2",
    "HTTPie/3.2.4",
    "aria2/1.37.0",
    "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1",
    "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506",
  ])("gets the bytes: %s", (agent) => {
    expect(asks(agent, "*/*")).toBe(true);
    expect(asks(agent)).toBe(true);
    expect(asks(agent, "text/html, */*")).toBe(false);
  });

  it.each([
    "",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "WhatsApp/2.23.20.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1",
    "TelegramBot (like TwitterBot)",
    "Discordbot/2.0 (curl/7)",
    "python-requests/2.32",
  ])("is nothing else, such as a preview in a chat: %s", (agent) => {
    expect(asks(agent, "*/*")).toBe(false);
  });
});

describe("the password of Basic", () => {
  it.each([
    ["Basic OnNlc2FtZQ==", "sesame"],
    ["basic OnNlc2FtZQ==", "sesame"],
    ["Basic YWRhOmE6Yg==", "a:b"],
    ["Basic OsOpw6k=", "éé"],
    ["Basic Og==", ""],
    ["Basic YWRh", null],
    ["Basic !", null],
    ["Basic A", null],
    ["Bearer OnNlc2FtZQ==", null],
    ["", null],
  ])("of %j is %j", (authorization, password) => {
    expect(basicPassword(authorization)).toBe(password);
  });
});
