import { useMessages } from "#app/messages/messages.ts";
import { FILE_ORDERS, type FileOrder } from "#domain/wire.ts";

/** The ways to order somebody's files, each with its words. The page's loader brings `fileOrders`. */
export function useFileOrders(): (readonly [FileOrder, string])[] {
  const say = useMessages("fileOrders");
  return FILE_ORDERS.map((order) => [order, say(order)]);
}
