/** Stands in for the AWS SDK's event streams in the Worker (wrangler.toml): no call of ours has one. */
export function eventStreamSerdeProvider(): never {
  throw new Error("event streams are left out");
}

export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}
