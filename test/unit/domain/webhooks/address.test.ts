import { describe, expect, it } from "vitest";
import { findUrlFault } from "#domain/webhooks/url.ts";

const ORIGIN = "https://files.example.com";
const inProduction = (url: string) => findUrlFault(url, ORIGIN, true);

describe("the address of a webhook", () => {
  it.each([
    "https://hooks.example.org/mayfly?token=1",
    "https://HOOKS.example.org:443/",
    "https://bücher.example/",
    "https://example.com/hook",
    "https://1.2.3.4.example.org/",
  ])("may be %s", (url) => {
    expect(inProduction(url)).toBeNull();
  });

  it.each([
    ["", "webhookNotUrl"],
    ["hooks.example.org", "webhookNotUrl"],
    ["ftp://hooks.example.org/", "webhookNotUrl"],
    ["javascript:alert(1)", "webhookNotUrl"],
    ["https://user:secret@hooks.example.org/", "webhookCredentials"],
    ["http://hooks.example.org/", "webhookNotHttps"],
    ["https://hooks.example.org:8443/", "webhookPort"],
    ["https://hooks.example.org:80/", "webhookPort"],
    ["https://files.example.com/hook", "webhookOwnHost"],
    ["https://FILES.example.com./hook", "webhookOwnHost"],
    ["https://localhost/", "webhookHost"],
    ["https://localhost./", "webhookHost"],
    ["https://a.localhost/", "webhookHost"],
    ["https://printer.local/", "webhookHost"],
    ["https://metadata.google.internal/", "webhookHost"],
    ["https://intranet/", "webhookHost"],
    ["https://127.0.0.1/", "webhookHost"],
    ["https://10.0.0.1/", "webhookHost"],
    ["https://8.8.8.8/", "webhookHost"],
    ["https://2130706433/", "webhookHost"],
    ["https://0x7f.1/", "webhookHost"],
    ["https://0177.0.0.1./", "webhookHost"],
    ["https://[::1]/", "webhookHost"],
    ["https://[::ffff:127.0.0.1]/", "webhookHost"],
  ])("may not be %s: %s", (url, fault) => {
    expect(inProduction(url)).toBe(fault);
  });

  it("may be local outside production, but no other scheme and no password", () => {
    const inDevelopment = (url: string) => findUrlFault(url, "http://localhost:8787", false);
    expect(inDevelopment("http://127.0.0.1:9000/hook")).toBeNull();
    expect(inDevelopment("http://localhost:8787/hook")).toBeNull();
    expect(inDevelopment("file:///etc/passwd")).toBe("webhookNotUrl");
    expect(inDevelopment("http://user:secret@localhost/")).toBe("webhookCredentials");
  });
});
