/**
 * Replaces the AWS SDK's event streams, which no S3 call here uses: the SDK imports them in any case
 * (https://github.com/aws/aws-sdk-js-v3/issues/7607).
 */
export function eventStreamSerdeProvider(): never {
  throw new Error("event streams are not in the bundle");
}

export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}
