/**
 * @param env with DATA_LOCATION, which is `eu` for a deployment that keeps its data in the EU
 * @returns the namespace whose objects run and store there alone; otherwise the same one, whose objects start near their
 * first caller. An object of one is not found in the other.
 */
export function inJurisdiction<Class extends Rpc.DurableObjectBranded | undefined>(
  env: Pick<Env, "DATA_LOCATION">,
  namespace: DurableObjectNamespace<Class>,
): DurableObjectNamespace<Class> {
  return env.DATA_LOCATION === "eu" ? namespace.jurisdiction("eu") : namespace;
}
