import { Hono } from "hono";
import { CLI_VERSION, cliPackagePath } from "#domain/cli-package.ts";
import type { AppEnv } from "../app-env.ts";

/** Leads to the newest package of the command line. */
export const cliPackageRoutes = new Hono<AppEnv>().get("/", (c) => c.redirect(cliPackagePath(CLI_VERSION)));
