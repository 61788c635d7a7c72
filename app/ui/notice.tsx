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
