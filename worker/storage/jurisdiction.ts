/**
 * @param env `DATA_LOCATION` is `eu` for a deployment that keeps its data in the EU
 * @returns for `eu`, the namespace whose Durable Objects run and store only there; otherwise the unchanged namespace,
 * whose Durable Objects start near their first caller. Neither namespace finds the Durable Objects of the other
 */
export function inJurisdiction<Class extends Rpc.DurableObjectBranded | undefined>(
  env: Pick<Env, "DATA_LOCATION">,
  namespace: DurableObjectNamespace<Class>,
): DurableObjectNamespace<Class> {
  return env.DATA_LOCATION === "eu" ? namespace.jurisdiction("eu") : namespace;
}
