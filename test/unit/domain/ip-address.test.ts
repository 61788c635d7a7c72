import { describe, expect, it } from "vitest";
import { callerNetwork, shortenIp } from "#domain/ip-address.ts";

describe("a shortened address", () => {
  it.each([
    ["198.51.100.77", "198.51.100.0/24"],
    ["198.51.100.0", "198.51.100.0/24"],
    ["0.0.0.1", "0.0.0.0/24"],
    ["255.255.255.255", "255.255.255.0/24"],
  ])("of IPv4 keeps 24 bits: %s is %s", (address, shortened) => {
    expect(shortenIp(address)).toBe(shortened);
  });

  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:0DB8:0001:0002:0003:0004:0005:0006", "2001:db8:1::/48"],
    ["2001:db8:1::6", "2001:db8:1::/48"],
    ["2001:db8::6", "2001:db8:0::/48"],
    ["2001:db8:1:2::", "2001:db8:1::/48"],
    ["2001::3:4:5:6", "2001:0:0::/48"],
    ["::1", "0:0:0::/48"],
    ["::", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0::/48"],
    ["::ffff:198.51.100.77", "0:0:0::/48"],
  ])("of IPv6 keeps 48 bits: %s is %s [KEEP-1]", (address, shortened) => {
    expect(shortenIp(address)).toBe(shortened);
  });

  it.each(["unknown", "", "198.51.100", "1.2.3.4.5"])("of %j, which is no address, reveals nothing", (address) => {
    expect(shortenIp(address)).toBe("unknown/0");
  });

  it.each(["198.51.100.77", "2001:db8:1:2:3:4:5:6", "unknown", ""])(
    "of %j is unchanged when shortened again",
    (address) => {
      const once = shortenIp(address);
      expect(shortenIp(once)).toBe(once);
    },
  );
});

describe("a caller's network", () => {
  it.each([
    ["198.51.100.77", "198.51.100.77"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s is %s", (address, caller) => {
    expect(callerNetwork(address)).toBe(caller);
  });
});
