import { Link } from "@remix-run/react";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button, buttonClass } from "./button.tsx";
import { Card } from "./card.tsx";

interface NoticeProps {
  title: string;
  action: { label: string; onClick(): void } | { label: string; to: string };
  children: ReactNode;
}

export function Notice({ title, action, children }: NoticeProps) {
  return (
    <Card>
      <div role="alert" className="py-4 text-center">
        <CircleAlert size={30} aria-hidden className="mx-auto text-danger" />
        <h3 className="mt-3 text-lg font-medium">{title}</h3>
        <p className="mx-auto mt-1 mb-5 max-w-md text-muted">{children}</p>
        {"to" in action ? (
          <Link to={action.to} className={buttonClass("quiet")}>
            {action.label}
          </Link>
        ) : (
          <Button look="quiet" onClick={action.onClick}>
            {action.label}
          </Button>
        )}
      </div>
    </Card>
  );
}

interface EmptyListProps {
  icon: ReactNode;
  title: string;
  text?: string;
  /** What the person can do about the empty list. */
  children?: ReactNode;
}

/** A notice in the place of an empty list. */
export function EmptyList({ icon, title, text, children }: EmptyListProps) {
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-reed">{icon}</span>
      <h2 className="mt-5 text-lg font-medium">{title}</h2>
      {text !== undefined && <p className="mx-auto mt-1 max-w-lg text-muted">{text}</p>}
      {children && <div className="mt-6">{children}</div>}
    </Card>
  );
}
