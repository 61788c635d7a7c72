export const tabListClass = "mb-5 grid gap-1 rounded-xl bg-sunken p-1";
export const tabClass =
  "min-h-10 rounded-lg px-3 font-medium text-muted data-[state=active]:bg-surface data-[state=active]:text-ink data-[state=active]:shadow-sm aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:shadow-sm";
