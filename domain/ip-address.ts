/**
 * What counts as one caller: an IPv4 address, or an IPv6 network of 64 bits, since one household or phone has all of it
 * (decisions, Limits on calls).
 */
export function callerNetwork(address: string): string {
  if (!address.includes(":")) return address;
  return `${expandIpv6(address).slice(0, 4).join(":")}::/64`;
}

/** An address without what names a household: IPv4 to /24, IPv6 to /48 (decisions, Keeping and forgetting). */
export function shortenAddress(address: string): string {
  if (address.includes("/")) return address;
  if (address.includes(":")) return `${expandIpv6(address).slice(0, 3).join(":")}::/48`;
  const groups = address.split(".");
  return groups.length === 4 ? `${groups.slice(0, 3).join(".")}.0/24` : "unknown/0";
}

/** An IPv6 address's eight groups, without leading zeros. */
function expandIpv6(address: string): string[] {
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...filled, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}
