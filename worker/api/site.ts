import type { SITE_CALLS } from "#domain/calls/site.ts";
import { CLI_VERSION, cliPackagePath } from "#domain/cli-package.ts";
import { requestLocale } from "#domain/locale.ts";
import { THUNDERBIRD_VERSION, thunderbirdPackagePath } from "#domain/thunderbird-package.ts";
import { saveContactMessage } from "../admin/contact-messages.ts";
import { createPage, deletePage, listPages, previewContent, updatePage, getPublicContent } from "../content/pages.ts";
import { changeSeo, createSeo, listSeoContent, removeSeo, getPublicSeo } from "../content/seo.ts";
import { ipOf } from "../context.ts";
import { fixCors, sendTestEmail } from "../diagnostics/diagnostics.ts";
import { checkHealth } from "../diagnostics/health.ts";
import { userAgentOf } from "../user-agent.ts";
import type { Handlers } from "./mount.ts";

type Handler<Name extends keyof typeof SITE_CALLS> = Handlers<typeof SITE_CALLS>[Name];

const answerFixCors: Handler<"POST /api/diagnostic/public-fix-cors"> = ({ services, visit }) =>
  fixCors(services, requestLocale(visit.headers));
const answerTestEmail: Handler<"POST /api/diagnostic/send-test-email"> = ({ services, admin, visit, body, now }) =>
  sendTestEmail(services, admin, body.email, requestLocale(visit.headers), now);

export const siteHandlers: Handlers<typeof SITE_CALLS> = {
  "GET /api/public-content/:slug": ({ services, params }) => getPublicContent(services, params.slug),
  "GET /api/public-seo/:page": ({ services, params }) => getPublicSeo(services, params.page),
  "GET /api/content": ({ services }) => listPages(services),
  "POST /api/content": ({ services, admin, body, now }) => createPage(services, admin, body, now),
  "POST /api/content/preview": ({ services, body }) => previewContent(services, body.content),
  "PUT /api/content/:id": ({ services, admin, params, body, now }) => updatePage(services, admin, params.id, body, now),
  "DELETE /api/content/:id": ({ services, admin, params, now }) => deletePage(services, admin, params.id, now),
  "GET /api/seo": ({ services }) => listSeoContent(services),
  "POST /api/seo": ({ services, admin, body, now }) => createSeo(services, admin, body, now),
  "PUT /api/seo/:id": ({ services, admin, params, body, now }) => changeSeo(services, admin, params.id, body, now),
  "DELETE /api/seo/:id": ({ services, admin, params, now }) => removeSeo(services, admin, params.id, now),

  "POST /api/contact": ({ context: { services, request }, body, now }) => {
    const sender = { ip: ipOf(request), userAgent: userAgentOf(request.headers) };
    return saveContactMessage(services, body, sender, now);
  },
  "POST /api/diagnostic/public-fix-cors": answerFixCors,
  "POST /api/diagnostics/public-fix-cors": answerFixCors,
  "POST /api/diagnostic/send-test-email": answerTestEmail,
  "POST /api/diagnostics/send-test-email": answerTestEmail,
  /** Answers 503 if a check fails. */
  "GET /api/health": async ({ c, context, services, now }) => {
    await context.enforceRateLimit("health");
    const health = await checkHealth(services, now);
    return c.json(health, health.ok ? 200 : 503);
  },
  /** Redirects to the newest package of the command line. */
  "GET /cli": ({ c }) => c.redirect(cliPackagePath(CLI_VERSION)),
  /** Redirects to the newest Thunderbird add-on. */
  "GET /thunderbird": ({ c }) => c.redirect(thunderbirdPackagePath(THUNDERBIRD_VERSION)),
};
