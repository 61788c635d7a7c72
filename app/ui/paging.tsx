import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "./button.tsx";

interface PagingProps {
  /** From 1. */
  page: number;
  pages: number;
  onPage(page: number): void;
}

export function Paging({ page, pages, onPage }: PagingProps) {
  const t = useMessages("common");
  return (
    <nav aria-label={t("pages")} className="mt-4 flex items-center justify-center gap-4">
      <Button
        look="quiet"
        disabled={page <= 1}
        onClick={() => {
          onPage(Math.min(page - 1, pages));
        }}
      >
        <ChevronLeft size={18} aria-hidden />
        {t("previousPage")}
      </Button>
      <span className="text-sm text-muted tabular-nums">{t("pageOf", { page, pages })}</span>
      <Button
        look="quiet"
        disabled={page >= pages}
        onClick={() => {
          onPage(page + 1);
        }}
      >
        {t("nextPage")}
        <ChevronRight size={18} aria-hidden />
      </Button>
    </nav>
  );
}
