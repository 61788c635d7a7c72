import { useMessages } from "#app/lib/i18n/messages.ts";
import { FILE_ORDERS, type FileOrder } from "#domain/wire.ts";

/** Order and label. The loader must load the messages of `fileOrders`. */
export function useFileSortOptions(): (readonly [FileOrder, string])[] {
  const t = useMessages("fileOrders");
  return FILE_ORDERS.map((order) => [order, t(order)]);
}
