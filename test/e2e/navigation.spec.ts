import { expect, test } from "./fixtures.ts";

test("a page's scripts come when a pointer rests on its link; its data, which may not be kept, with the click", async ({
  page,
}) => {
  await page.goto("/");
  const scripts: string[] = [];
  const data: [string, number][] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/assets/")) scripts.push(pathname);
    if (pathname.endsWith(".data")) data.push([pathname, response.status()]);
  });
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Features" });
  await link.hover();
  await expect.poll(() => scripts.some((path) => path.includes("/features"))).toBe(true);
  await expect.poll(() => data).toEqual([["/features.data", 204]]);
  const early = scripts.length;
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Everything a file needs");
  expect(data.map(([, status]) => status)).toEqual([204, 200]);
  expect(scripts.slice(early)).toEqual([]);
});
