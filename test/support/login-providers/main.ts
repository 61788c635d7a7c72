import { startOidcProvider } from "./oidc-provider.ts";

/** For the browser tests, which need it on a port that they know. */
const { OIDC_PORT = "", OIDC_CALLBACKS = "" } = process.env;

await startOidcProvider(OIDC_CALLBACKS.split(" "), Number(OIDC_PORT));
