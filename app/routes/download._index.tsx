import { redirect } from "@remix-run/cloudflare";

/** `/download` without an id leads home (specification 1 section 2). */
export const loader = () => redirect("/");
