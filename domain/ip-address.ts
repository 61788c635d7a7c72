/** The caller's key for rate limits: the IPv4 address, or the IPv6 /64, which one household controls (decision 019). */
export function callerNetwork(ip: string): string {
  if (!ip.includes(":")) return ip;
  return `${expandIpv6(ip).slice(0, 4).join(":")}::/64`;
}

/** Anonymizes an address: IPv4 to /24, IPv6 to /48 (decision 020). */
export function shortenIp(ip: string): string {
  if (ip.includes("/")) return ip;
  if (ip.includes(":")) return `${expandIpv6(ip).slice(0, 3).join(":")}::/48`;
  const groups = ip.split(".");
  return groups.length === 4 ? `${groups.slice(0, 3).join(".")}.0/24` : "unknown/0";
}

/** @returns the eight groups of an IPv6 address, without leading zeros */
function expandIpv6(ip: string): string[] {
  const [head = "", tail] = ip.toLowerCase().split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...filled, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}
