import type { MetaFunction } from "@remix-run/cloudflare";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { loadMailedPage } from "./mailed-page.server.ts";

/** Of a page that a mailed link leads to. Its address has a token: nobody may index it or learn it from a referrer. */
export const mailedPageMeta: MetaFunction<ReturnType<typeof loadMailedPage>> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];
