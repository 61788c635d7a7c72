import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

export const loadOnDemand = async () => (await importWhenOnline(() => import("./on-demand.client.ts"))).ON_DEMAND;
