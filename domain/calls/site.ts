import { KIB } from "../units.ts";
import * as wire from "../wire.ts";
import { administrator, anybody, json } from "./call.ts";

/** A page may have 50,000 characters, and a character takes up to six bytes in JSON. */
const maxBytes = 320 * KIB;
const page = json<wire.PageContentRecord>();
const seo = json<wire.SeoRecord>();

const fixCors = anybody("fixCors", { answer: json<{ success: boolean; message: string }>() });
const sendTestEmail = administrator("testMail", { body: wire.testEmailRequest, answer: json<{ message: string }>() });

/** Calls for the texts of public pages, and for the site as a whole. */
export const SITE_CALLS = {
  "GET /api/public-content/:slug": anybody("reads what is public", { answer: json<wire.PublicContent>() }),
  "GET /api/public-seo/:page": anybody("reads what is public", { answer: json<wire.PublicSeo>() }),
  "GET /api/content": administrator({ answer: json<wire.PageContentRecord[]>() }),
  "POST /api/content": administrator({ body: wire.pageContentRequest, maxBytes, status: 201, answer: page }),
  "POST /api/content/preview": administrator({
    body: wire.contentPreviewRequest,
    maxBytes,
    answer: json<{ content: string }>(),
  }),
  "PUT /api/content/:id": administrator({ body: wire.pageContentRequest, maxBytes, answer: page }),
  "DELETE /api/content/:id": administrator({ says: "Page deleted" }),
  "GET /api/seo": administrator({ answer: json<wire.SeoRecord[]>() }),
  "POST /api/seo": administrator({ body: wire.seoRequest, status: 201, answer: seo }),
  "PUT /api/seo/:id": administrator({ body: wire.seoRequest, answer: seo }),
  "DELETE /api/seo/:id": administrator({ says: "SEO content deleted" }),

  "POST /api/contact": anybody("contact", {
    needsHuman: true,
    body: wire.contactRequest,
    status: 201,
    says: "Your message has been sent successfully. We'll get back to you soon!",
  }),
  "POST /api/diagnostic/public-fix-cors": fixCors,
  "POST /api/diagnostics/public-fix-cors": fixCors,
  "POST /api/diagnostic/send-test-email": sendTestEmail,
  "POST /api/diagnostics/send-test-email": sendTestEmail,
  "GET /api/health": anybody("health", { handler: "limits" }),
  "GET /cli": anybody("reads what is public"),
  "GET /thunderbird": anybody("reads what is public"),
};
