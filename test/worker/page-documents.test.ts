import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "#worker/index.ts";
import { elementsOf, textsOf } from "../support/documents.ts";
import { faultyEnv, LOST_ANSWER, OVERLOADED, strike } from "../support/faults.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { putOnPlan, runSql, Client, contentPath, sendFile, signUp } from "../support/worker.ts";

const visitor = new Client();

async function documentOf(path: string, reader = visitor): Promise<string> {
  const response = await reader.fetch(path);
  expect(response.status).toBe(200);
  return response.text();
}

describe("the HTML of the home page", () => {
  it("names the size of a file that the reader's plan allows", async () => {
    const person = await signUp();
    const lead = async (reader: Client) =>
      (await textsOf(await documentOf("/", reader), "main p")).find((text) => text.startsWith("Drop a file of up to"));
    expect(await lead(visitor)).toMatch(/^Drop a file of up to 500 MB for free, or a whole folder/);
    expect(await lead(person)).toMatch(/^Drop a file of up to 500 MB for free, or a whole folder/);
    await putOnPlan(person.email, "professional");
    expect(await lead(person)).toMatch(/^Drop a file of up to 10 GB, or a whole folder/);
    await putOnPlan(person.email, "ultimate");
    expect(await lead(person)).toMatch(/^Drop a file of up to 50 GB, or a whole folder/);
  });
});

describe("the HTML of the upload pages", () => {
  it.each([
    ["/direct-upload", "Direct-to-S3 Upload", "Direct Upload"],
    ["/chunked-upload", "Large File Upload", "Chunked Upload"],
  ])("%s has the title %s and the tabs %s and How It Works [DIR-1]", async (path, title, tab) => {
    const html = await documentOf(path);
    expect(await textsOf(html, "main h1")).toEqual([title]);
    expect(await textsOf(html, "main [role=tab]")).toEqual([tab, "How It Works"]);
  });

  it.each(["/direct-upload", "/chunked-upload"])(
    "%s preselects a Link Expiration of 3 days [CHK-4, DIR-8]",
    async (path) => {
      const html = await documentOf(path);
      const [select] = await elementsOf(html, "main select");
      const label = `main label[for="${select?.attributes.id ?? ""}"]`;
      expect(await textsOf(html, label)).toEqual(["Link Expiration"]);
      expect(await elementsOf(html, "main option[selected]")).toMatchObject([
        { attributes: { value: "3d" }, text: "3 days" },
      ]);
    },
  );
});

describe("the HTML of the download page", () => {
  it("the download page of a finished file shows its name, size, expiry and a download button [DL-2]", async () => {
    const file = await sendFile(await signUp(), "x".repeat(1536), { filename: "Report 2026.pdf" });
    await runSql("update files set expires_at = ? where id = ?", Date.UTC(2100, 0, 31, 12, 30), file.uploadId);
    const html = await documentOf(`/download/${file.downloadId}`);
    expect(await textsOf(html, "main h1")).toEqual(["Report 2026.pdf"]);
    const lines = await textsOf(html, "main p");
    expect(lines).toEqual(
      expect.arrayContaining(["Your file is ready", "1.5 KB", "Expires 2100-01-31 12:30 UTC"]) as string[],
    );
    const links = await elementsOf(html, `main a[href$="${contentPath(file.downloadId)}"]`);
    expect(links.map(({ text }) => text)).toEqual(["Download"]);
  });

  it("the download page of a file without expiry shows 'Never expires'", async () => {
    const file = await sendFile(await signUp(), "abc");
    await runSql("update files set expires_at = null where id = ?", file.uploadId);
    const html = await documentOf(`/download/${file.downloadId}`);
    expect(await textsOf(html, "main p")).toContain("Never expires");
  });
});

describe("the HTML of the page of one's own files", () => {
  it("a file and a transfer are shown with what is known of them", async () => {
    const owner = await signUp();
    const file = await sendFile(owner, "x".repeat(1536), { filename: "Report 2026.pdf" });
    const transfer = await sendTransfer(owner, [textFile("trip/a.txt"), textFile("trip/b.txt")]);
    const sent = [
      [file, "Report 2026.pdf", "1.5 KB"],
      [transfer, "trip", "36 Bytes"],
    ] as const;
    for (const [{ uploadId, downloadId }, title, size] of sent) {
      const html = await documentOf(`/dashboard/${uploadId}`, owner);
      expect(await textsOf(html, "main h1")).toEqual([title]);
      expect(await textsOf(html, "main dd")).toContain(size);
      expect(await elementsOf(html, `main a[href$="/download/${downloadId}"]`)).toHaveLength(1);
    }
  });
});

describe("the HTML of the about page", () => {
  it("the about page has a 'Get in Touch' box that links to /contact [PAGE-25]", async () => {
    const html = await documentOf("/about");
    expect((await textsOf(html, "main section h2")).at(-1)).toBe("Get in Touch");
    expect(await elementsOf(html, 'main section a[href="/contact"]')).toHaveLength(1);
  });
});

describe("a visitor of the dashboard", () => {
  it.each([
    "checkout=success",
    "success=true",
    "session_id=cs_1",
    "payment_intent=pi_1",
    "payment_intent_client_secret=pi_1_secret",
    "redirect_status=succeeded",
    "setup_intent=seti_1",
    "setup_intent_client_secret=seti_1_secret",
    "stripe_portal_return=true",
    "plan=ultimate",
  ])("who comes from a payment logs in and comes back with %s [NAV-11]", async (search) => {
    const response = await visitor.fetch(`/dashboard?${search}`, { redirect: "manual" });
    const returnTo = encodeURIComponent(`/dashboard?${search}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, `/login?returnTo=${returnTo}`]);
  });

  it.each(["", "?sort=name", "?page=2"])("who comes from elsewhere is led home: %s", async (search) => {
    const response = await visitor.fetch(`/dashboard${search}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/"]);
  });
});

describe("the HTML of the features page", () => {
  it("has the seven features and five questions of the specification first, and more behind them [PAGE-7, PAGE-8]", async () => {
    const html = await documentOf("/features");
    const before = (heading: string) => html.slice(0, html.indexOf(`>${heading}<`));
    expect(await textsOf(html, "main h1")).toHaveLength(1);
    expect(await textsOf(html, "main ul h3")).toEqual([
      "Drag-and-drop upload",
      "Encrypted transfer and storage",
      "Instant shareable links",
      "Custom expiry",
      "Access from any device",
      "Chunked uploads for very large files",
      "In-browser preview",
      "Many files, one link",
      "Passwords and download limits",
      "End-to-end encryption",
      "Requests for files",
      "Command line, curl and API",
    ]);
    expect(await textsOf(before("And more"), "main ul h3")).toHaveLength(7);
    expect(await textsOf(html, "main h2")).toEqual([
      "Features",
      "And more",
      "Questions and answers",
      "Your first link is a minute away",
    ]);
    const asked = [
      "Do I need an account to upload?",
      "How large can my files be?",
      "How long are my files kept?",
      "Who can open my files?",
      "What if my connection breaks during an upload?",
    ];
    const questions = (await textsOf(html, "main summary")).map((text) => text.replace(/\s*\+$/, ""));
    expect(questions).toHaveLength(10);
    expect(questions.slice(0, 5)).toEqual(asked);
    expect((await textsOf(before("More questions"), "main summary")).map((text) => text.replace(/\s*\+$/, ""))).toEqual(
      asked,
    );
  });
});

describe("sizes named in pages", () => {
  const SAMPLE_FILES = ["2.4 MB", "4.6 GB", "38 GB", "14 MB"];

  it.each([
    ["/", ["500 MB", "2 GB", "10 GB", "100 GB", "50 GB", "1 TB", ...SAMPLE_FILES]],
    ["/pricing", ["2 GB", "100 GB", "1 TB", "2 TB", "500 MB", "10 GB", "50 GB"]],
    ["/features", ["500 MB", "10 GB", "50 GB"]],
    ["/chunked-upload", ["500 MB"]],
    ["/direct-upload", ["500 MB"]],
  ])("%s names only sizes of the plans [CONST-1]", async (path, sizes) => {
    const html = await documentOf(path);
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    const named = main.match(/\d+(?:\.\d+)? (?:KB|MB|GB|TB)\b/g) ?? [];
    expect([...new Set(named)].sort()).toEqual([...sizes].sort());
  });
});

describe("the HTML of a page whose part has failed", () => {
  it("asks for patience if the reason is ours to find", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const person = await signUp();
    const { fate } = strike(Infinity, LOST_ANSWER, (query) => query.includes('from "files"'));
    const faulty = faultyEnv(env, fate, () => null);
    const reader = new Client(person.cookie, (request) =>
      worker.fetch(new Request(request), faulty, createExecutionContext()),
    );
    const response = await reader.fetch("/dashboard");
    expect([response.status, response.headers.get("retry-after")]).toEqual([500, null]);
    expect(await textsOf(await response.text(), "main [role=status]")).toEqual([
      "The page could not be shown. Please try again in a moment.",
    ]);
  });

  it.each([
    ["/account/notices", "Your account", ["Account", "Security", "Emails"], '"notice_settings"'],
    ["/dashboard", "Dashboard", ["Files", "Received", "Requests"], 'from "files"'],
    ["/dashboard/received", "Dashboard", ["Files", "Received", "Requests"], 'from "upload_requests"'],
  ])("%s keeps the header and the tabs", async (path, name, tabs, table) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const person = await signUp();
    const { fate, struck } = strike(Infinity, OVERLOADED, (query) => query.includes(table));
    const faulty = faultyEnv(env, fate, () => null);
    const reader = new Client(person.cookie, (request) =>
      worker.fetch(new Request(request), faulty, createExecutionContext()),
    );
    const response = await reader.fetch(path);
    const html = await response.text();
    expect(response.status).toBe(503);
    const wait = Number(response.headers.get("retry-after"));
    expect([wait >= 5, wait <= 15]).toEqual([true, true]);
    expect(struck).not.toHaveLength(0);
    expect(await textsOf(html, "main h1")).toEqual(["Something went wrong"]);
    expect(await textsOf(html, "main [role=status]")).toEqual([
      "Too much is going on here at the moment. Please try again in a few seconds.",
    ]);
    expect(await textsOf(html, `main nav[aria-label="${name}"] a`)).toEqual(tabs);
    expect(await elementsOf(html, "header a")).not.toHaveLength(0);
    expect(log).toHaveBeenCalled();
  });
});
