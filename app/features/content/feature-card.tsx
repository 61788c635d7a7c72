import type { LucideIcon } from "lucide-react";

export function FeatureCard({ title, icon: Icon, text }: { title: string; icon: LucideIcon; text: string }) {
  return (
    <li className="rounded-3xl border border-line bg-surface p-5 sm:p-6">
      <span className="grid size-11 place-items-center rounded-2xl bg-sunken text-amber-ink">
        <Icon size={22} aria-hidden />
      </span>
      <h3 className="mt-4 font-medium">{title}</h3>
      <p className="mt-1 text-sm text-muted">{text}</p>
    </li>
  );
}
