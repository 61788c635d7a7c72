import * as z from "zod/mini";

const kdf = z.object({ name: z.literal("argon2id"), mKiB: z.number(), t: z.number(), p: z.number(), salt: z.string() });
export const locked = z.object({
  code: z.literal("LINK_LOCKED"),
  guard: z.literal("sealed"),
  salt: z.string(),
  kdf: z.optional(kdf),
});
export type Locked = z.infer<typeof locked>;

export const unlocked = z.object({
  grant: z.nullable(z.string()),
  wrap: z.string(),
  commitment: z.string(),
  revision: z.number(),
  manifest: z.string(),
  info: z.object({
    status: z.string(),
    transfer: z.optional(z.unknown()),
    followUrl: z.optional(z.string()),
    guards: z.optional(z.object({ maxDownloads: z.nullable(z.number()) })),
  }),
});
export type Unlocked = z.infer<typeof unlocked>;

export const entriesPage = z.object({
  entries: z.array(z.object({ n: z.number(), state: z.string() })),
  total: z.number(),
});
export const taken = z.object({ lease: z.nullable(z.string()) });
export const refusal = z.object({ code: z.string(), message: z.string(), reason: z.optional(z.string()) });
