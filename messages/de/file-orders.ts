import type { Translated } from "../messages.ts";

export const fileOrders: Translated<"fileOrders"> = {
  newest: "Neueste zuerst",
  oldest: "Älteste zuerst",
  name: "Nach Name",
  largest: "Größte zuerst",
  expiry: "Bald ablaufende zuerst",
};
