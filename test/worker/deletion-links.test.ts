import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { programOf } from "../support/v1.ts";
import { Client, rowOf, signUp } from "../support/worker.ts";

let person: Awaited<ReturnType<typeof signUp>>;
let address: string;
let link: string;

beforeEach(async () => {
  person = await signUp();
  const { key } = await makeSender();
  const headers = { authorization: `Bearer ${key}` };
  const sent = await new Client().fetch("/a.txt", { method: "PUT", headers, body: "hello" });
  address = sent.headers.get("x-url-delete") ?? "";
  link = sent.headers.get("location") ?? "";
});

async function makeSender(): Promise<{ key: string }> {
  const response = await person.post("/api/keys", { name: "A program", scopes: ["upload"] });
  return response.json();
}

describe("the address in X-Url-Delete", () => {
  it("shows a page with a button, and deletes nothing by that", async () => {
    for (const [language, button] of [
      ["en", "Delete for good"],
      ["de", "Endgültig löschen"],
    ] as const) {
      const page = await new Client().fetch(address, { headers: { "accept-language": language } });
      const html = await page.text();
      expect([page.status, html.includes(button), html.includes("a.txt")]).toEqual([200, true, true]);
      expect(page.headers.get("referrer-policy")).toBe("same-origin");
      expect(page.headers.get("x-robots-tag")).toBe("noindex");
    }
    expect((await new Client().fetch(link)).status).toBe(200);
  });

  it("deletes by DELETE at once, and once", async () => {
    expect((await new Client().delete(address)).status).toBe(204);
    expect((await new Client().fetch(link)).status).toBe(410);
    expect(await rowOf("select deleted_at is not null as deleted from files where user_id = ?", person.id)).toEqual({
      deleted: 1,
    });
    expect((await new Client().delete(address)).status).toBe(404);
    expect((await new Client().fetch(address)).status).toBe(404);
  });

  it("deletes by its page's form, which leads to the link's page", async () => {
    const headers = { origin: env.APP_ORIGIN, "content-type": "application/x-www-form-urlencoded" };
    const answer = await new Client().fetch(address, { method: "POST", headers, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, new URL(link).pathname]);
    expect((await new Client().fetch(link)).status).toBe(410);
  });

  it("deletes nothing for another site's page, with another token or for another file", async () => {
    const foreign = { origin: "https://other.example" };
    expect((await new Client().fetch(address, { method: "POST", headers: foreign })).status).toBe(403);
    expect((await new Client().fetch(address, { method: "DELETE", headers: foreign })).status).toBe(403);
    const [first, second] = [address, await otherAddress()];
    const swapped = `${first.slice(0, first.lastIndexOf("/"))}${second.slice(second.lastIndexOf("/"))}`;
    // Two bits of the last character carry nothing, so another one may mean the same.
    const changed = first.replace(/[^/](?=[^/]{42}$)/, (letter) => (letter === "A" ? "B" : "A"));
    for (const wrong of [changed, swapped, first.slice(0, -43) + "é".repeat(43)]) {
      expect([wrong, (await new Client().delete(wrong)).status]).toEqual([wrong, 404]);
      expect((await new Client().fetch(wrong)).status).toBe(404);
    }
    expect((await new Client().delete(`${first}x`)).status).toBe(404);
    expect((await new Client().fetch(link)).status).toBe(200);
  });

  it("of an unfinished upload does not exist", async () => {
    const program = await programOf(person);
    const { id } = await program.answer<{ id: string }>("/uploads", "POST", { name: "a.txt", size: 5 });
    const wrong = address.replace(/[0-9a-f-]{36}/, id);
    expect((await new Client().delete(wrong)).status).toBe(404);
  });
});

async function otherAddress(): Promise<string> {
  const { key } = await makeSender();
  const headers = { authorization: `Bearer ${key}` };
  const sent = await new Client().fetch("/b.txt", { method: "PUT", headers, body: "other" });
  return sent.headers.get("x-url-delete") ?? "";
}
