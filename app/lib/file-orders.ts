import { useMessages } from "#app/lib/i18n/messages.ts";
import { FILE_ORDERS, type FileOrder } from "#domain/wire.ts";

/** The ways to order somebody's files, each with its words. The page's loader brings `fileOrders`. */
export function useFileOrders(): (readonly [FileOrder, string])[] {
  const t = useMessages("fileOrders");
  return FILE_ORDERS.map((order) => [order, t(order)]);
}
